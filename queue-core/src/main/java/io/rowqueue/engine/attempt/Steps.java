package io.rowqueue.engine.attempt;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.rowqueue.FailJobException;
import io.rowqueue.JobQueueException;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.StopReason;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.step.StepStore.Recorded;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Records the steps of handlers, each fenced by its job's lease. */
final class Steps {

	static final int MAX_BYTES = 1024 * 1024;

	private final StepStore store;

	private final StepStore inTransaction;

	private final JoinedTransaction caller;

	private final PayloadCodec codec;

	private final long workerId;

	private final StoreListener listener;

	/**
	 * Creates the recorder.
	 * @param databases records
	 * @param caller the transaction that a step is called in
	 * @param listener notified of the steps
	 */
	Steps(QueueDatabases databases, JoinedTransaction caller, PayloadCodec codec, long workerId,
			StoreListener listener) {
		this.store = new StepStore(databases.worker());
		this.inTransaction = new StepStore(databases.application());
		this.caller = caller;
		this.codec = codec;
		this.workerId = workerId;
		this.listener = listener;
	}

	@Nullable Object run(ActiveJob job, String name, Callable<? extends @Nullable Object> work, Type type) throws Exception {
		RequestChecks.name("the name of a step", name);
		if (!job.isLeased()) {
			Objects.requireNonNull(job.carrier()).park(job);
		}
		if (job.stopReason() == StopReason.LEASE_LOST) {
			throw leaseLost(job, name);
		}
		boolean joins = this.caller.isWritable();
		Optional<Recorded> recorded = find(job, name, joins);
		if (recorded.isPresent()) {
			this.listener.step(job.queue(), job.type(), true);
			return read(recorded.get().result(), type, job, name);
		}
		Object result = work.call();
		String json = json(result, type, job, name);
		record(job, name, json, joins);
		if (json != null) {
			read(json, type, job, name); // now, and not when a later attempt needs it
		}
		return result;
	}

	/**
	 * Not the fault of the job's payload, so that the job is retried as its policy says.
	 */
	private @Nullable Object read(@Nullable String json, Type type, ActiveJob job, String name) {
		try {
			return EncryptingPayloadCodec.ofStep(this.codec, name).read(json, type, job.type());
		}
		catch (PayloadConversionException ex) {
			throw new JobQueueException(
					("The result of the step '%s' of %s cannot be read back as %s. Let the step return"
							+ " what can be read, or pass a type that its JSON can be read as. A recorded step is not run again,"
							+ " unless the job is retried from it (JobControl.retryFromStep): %s")
						.formatted(name, job, type.getTypeName(), ex.getMessage()),
					ex);
		}
	}

	private Optional<Recorded> find(ActiveJob job, String name, boolean joins) {
		if (joins) {
			return this.inTransaction.find(job.id(), name);
		}
		return UncommittedStep.find(job, name)
			.map((step) -> new Recorded(step.result()))
			.or(() -> this.store.find(job.id(), name));
	}

	/**
	 * With what the step has written: in its transaction if that is one of the queue's
	 * database, and after the commit if it is one of another database.
	 */
	private void record(ActiveJob job, String name, @Nullable String result, boolean joins) {
		if (joins) {
			recordInTransaction(job, name, result);
		}
		else if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()
				&& !TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			TransactionSynchronizationManager
				.registerSynchronization(new UncommittedStep(job, name, result, () -> recordAtOnce(job, name, result)));
		}
		else {
			recordAtOnce(job, name, result);
		}
	}

	private void recordInTransaction(ActiveJob job, String name, @Nullable String result) {
		switch (this.inTransaction.recordInTransaction(this.workerId, job.job().lease(), name, result)) {
			case RECORDED -> this.listener.step(job.queue(), job.type(), false);
			case KNOWN -> throw SnoozeJobException.by(Duration.ZERO,
					"an attempt that had lost its lease has recorded the step '" + name + "' meanwhile");
			case LEASE_LOST -> {
				job.askToStop(StopReason.LEASE_LOST);
				throw leaseLost(job, name);
			}
		}
	}

	private void recordAtOnce(ActiveJob job, String name, @Nullable String result) {
		if (!this.store.record(this.workerId, job.job().lease(), name, result)) {
			job.askToStop(StopReason.LEASE_LOST);
			throw leaseLost(job, name);
		}
		this.listener.step(job.queue(), job.type(), false);
	}

	/**
	 * A result that cannot be recorded is final: each attempt would do the step again.
	 */
	private @Nullable String json(@Nullable Object result, Type type, ActiveJob job, String name) {
		@Nullable String json;
		try {
			json = EncryptingPayloadCodec.ofStep(this.codec, name).write(result, type, job.type());
		}
		catch (PayloadConversionException ex) {
			throw new FailJobException("The result of the step '%s' of a job of type '%s' cannot be written as JSON"
				.formatted(name, job.type()), ex);
		}
		int bytes = (json != null) ? json.getBytes(StandardCharsets.UTF_8).length : 0;
		if (bytes > MAX_BYTES) {
			throw new FailJobException(("The result of the step '%s' of a job of type '%s' takes %s bytes of"
					+ " JSON, and %s are allowed. Store it elsewhere and return where it is")
				.formatted(name, job.type(), bytes, MAX_BYTES));
		}
		return json;
	}

	private static JobQueueException leaseLost(ActiveJob job, String name) {
		return new JobQueueException("The step '" + name + "' of " + job + " does not count: the lease was lost");
	}

}
