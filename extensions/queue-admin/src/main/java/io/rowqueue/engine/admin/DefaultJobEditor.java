package io.rowqueue.engine.admin;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.PayloadConversionException;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.engine.admin.JobEditStore.NewJob;
import io.rowqueue.engine.codec.WrittenPayloads;
import io.rowqueue.engine.signal.SignalStore.Sent;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/** The default implementation of {@link JobEditor}. */
public final class DefaultJobEditor implements JobEditor {

	/**
	 * Data exceptions: what was given is not JSON, or {@code enqueue} does not allow it.
	 */
	private static final String DATA_EXCEPTION = "22";

	private static final String INVALID_PARAMETER = "22023";

	private final JobEditStore store;

	private final WakeUps wakeUps;

	private final PayloadCheck check;

	private final DataSize maxSize;

	private final WrittenPayloads written;

	/**
	 * Creates the editor.
	 * @param store changes and enqueues jobs
	 * @param wakeUps is notified of jobs that can be claimed
	 * @param check checks payloads by the handlers of this process
	 * @param maxSize the maximum size of a payload in bytes of UTF-8
	 * @param written returns payloads as they are stored, such as encrypted
	 */
	public DefaultJobEditor(JobEditStore store, WakeUps wakeUps, PayloadCheck check, DataSize maxSize,
			WrittenPayloads written) {
		this.written = written;
		this.store = store;
		this.wakeUps = wakeUps;
		this.check = check;
		this.maxSize = maxSize;
	}

	@Override
	public EditResult edit(long id, String payload, @Nullable String revision) {
		Optional<String> type = this.store.type(id);
		check(type, payload);
		if (type.isPresent() && checked(() -> this.store.edit(id, this.written.ofJob(payload, type.get()), revision))) {
			return EditResult.EDITED;
		}
		return this.store.waits(id) ? EditResult.CHANGED : EditResult.NOT_WAITING;
	}

	@Override
	public Optional<Long> replay(long id, @Nullable String payload) {
		Optional<NewJob> job = (payload != null) ? replayWith(id, payload) : checked(() -> this.store.replay(id, null));
		job.ifPresent((created) -> this.wakeUps.jobsArrived(Arrivals.of(created.queue())));
		return job.map(NewJob::id);
	}

	private Optional<NewJob> replayWith(long id, String payload) {
		Optional<String> type = this.store.type(id);
		check(type, payload);
		return type.flatMap((known) -> checked(() -> this.store.replay(id, this.written.ofJob(payload, known))));
	}

	@Override
	public long enqueue(WrittenJob job) {
		Assert.hasText(job.type(), "type must not be blank");
		check(Optional.of(job.type()), job.payload());
		String payload = job.payload();
		long id = checked(
				() -> this.store.enqueue(job, (payload != null) ? this.written.ofJob(payload, job.type()) : null));
		if (job.delay().isZero()) {
			this.wakeUps.jobsArrived(Arrivals.of(job.queue()));
		}
		return id;
	}

	@Override
	public SignalResult signal(long id, String name, @Nullable String payload) {
		RequestChecks.name("signal", name);
		check(Optional.empty(), payload);
		if (payload == null) {
			return sent(() -> this.store.signal(id, name, null));
		}
		Optional<String> type = this.store.type(id);
		return type.isPresent() ? sent(() -> this.store.signal(id, name, this.written.ofSignal(payload, type.get())))
				: SignalResult.NO_SUCH_JOB;
	}

	private SignalResult sent(Supplier<Sent> signal) {
		Sent sent = checked(signal);
		if (sent.resumed() != null) {
			this.wakeUps.jobsArrived(sent.resumed());
		}
		return sent.result();
	}

	private void check(Optional<String> type, @Nullable String payload) {
		if (payload != null && payload.getBytes(StandardCharsets.UTF_8).length > this.maxSize.toBytes()) {
			throw new IllegalArgumentException("payload must have at most " + this.maxSize.toBytes() + " bytes");
		}
		type.ifPresent((name) -> check(name, payload));
	}

	private void check(String type, @Nullable String payload) {
		try {
			this.check.check(type, payload);
		}
		catch (PayloadConversionException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
	}

	/**
	 * The message of the database is passed on only where it does not quote the payload.
	 */
	private static <T> T checked(Supplier<T> statement) {
		try {
			return statement.get();
		}
		catch (DataAccessException ex) {
			String state = (ex.getMostSpecificCause() instanceof SQLException cause) ? cause.getSQLState() : null;
			if (state == null || !state.startsWith(DATA_EXCEPTION)) {
				throw ex;
			}
			throw new IllegalArgumentException(state.equals(INVALID_PARAMETER)
					? "a value is not allowed: " + firstLine(ex) : "payload must be JSON", ex);
		}
	}

	private static String firstLine(DataAccessException ex) {
		return String.valueOf(ex.getMostSpecificCause().getMessage()).lines().findFirst().orElse("");
	}

	/** Checks payloads by the handlers of this process. */
	@FunctionalInterface
	public interface PayloadCheck {

		/**
		 * Checks a payload.
		 * @param type the type of the job; types without a handler are not checked
		 * @param payload the payload as JSON, or {@code null} for none
		 * @throws PayloadConversionException if the handler cannot read it
		 */
		void check(String type, @Nullable String payload);

	}

}
