package io.pgqueue.engine.attempt;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.pgqueue.JobQueueException;
import io.pgqueue.PayloadCodec;
import io.pgqueue.PayloadConversionException;
import io.pgqueue.StopReason;
import io.pgqueue.engine.codec.EncryptingPayloadCodec;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.step.StepStore;
import io.pgqueue.engine.step.StepStore.Recorded;
import io.pgqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;

/** Records the steps of handlers, each fenced by its job's lease. */
final class Steps {

	static final int MAX_BYTES = 1024 * 1024;

	private final StepStore store;

	private final PayloadCodec codec;

	private final long workerId;

	private final StoreListener listener;

	/**
	 * Creates the recorder.
	 * @param store records, in the handler's transaction if it has one
	 * @param listener notified of the steps
	 */
	Steps(StepStore store, PayloadCodec codec, long workerId, StoreListener listener) {
		this.listener = listener;
		this.store = store;
		this.codec = codec;
		this.workerId = workerId;
	}

	@Nullable Object run(ActiveJob job, String name, Callable<? extends @Nullable Object> work, Type type) throws Exception {
		RequestChecks.name("the name of a step", name);
		if (!job.isLeased()) {
			Objects.requireNonNull(job.carried()).park(job);
		}
		if (job.stopReason() == StopReason.LEASE_LOST) {
			throw leaseLost(job, name);
		}
		Optional<Recorded> recorded = this.store.find(job.id(), name);
		if (recorded.isPresent()) {
			this.listener.step(job.queue(), job.type(), true);
			return EncryptingPayloadCodec.ofStep(this.codec, name).read(recorded.get().result(), type, job.type());
		}
		Object result = work.call();
		if (!this.store.record(this.workerId, job.job().lease(), name, json(result, job, name))) {
			job.askToStop(StopReason.LEASE_LOST);
			throw leaseLost(job, name);
		}
		this.listener.step(job.queue(), job.type(), false);
		return result;
	}

	private @Nullable String json(@Nullable Object result, ActiveJob job, String name) {
		String json = EncryptingPayloadCodec.ofStep(this.codec, name).write(result, job.type());
		int bytes = (json != null) ? json.getBytes(StandardCharsets.UTF_8).length : 0;
		if (bytes > MAX_BYTES) {
			throw new PayloadConversionException(("The result of the step '%s' of a job of type '%s' takes %d bytes of"
					+ " JSON, and %d are allowed. Store it elsewhere and return where it is")
				.formatted(name, job.type(), bytes, MAX_BYTES), null);
		}
		return json;
	}

	private static JobQueueException leaseLost(ActiveJob job, String name) {
		return new JobQueueException("The step '" + name + "' of " + job + " does not count: the lease was lost");
	}

}
