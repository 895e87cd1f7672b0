package io.pgqueue.engine.admin;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.pgqueue.PayloadConversionException;
import io.pgqueue.admin.JobEditor;
import io.pgqueue.admin.WrittenJob;
import io.pgqueue.engine.admin.JobEditStore.NewJob;
import io.pgqueue.engine.signal.SignalStore.Sent;
import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.step.SignalResult;
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

	private final UnaryOperator<String> stored;

	/**
	 * Creates an editor that stores payloads as they were written.
	 * @param store changes and enqueues jobs
	 * @param wakeUps is notified of jobs that can be claimed
	 * @param check checks payloads by the handlers of this process
	 * @param maxSize the maximum size of a payload in bytes of UTF-8
	 */
	public DefaultJobEditor(JobEditStore store, WakeUps wakeUps, PayloadCheck check, DataSize maxSize) {
		this(store, wakeUps, check, maxSize, UnaryOperator.identity());
	}

	/**
	 * Creates the editor.
	 * @param store changes and enqueues jobs
	 * @param wakeUps is notified of jobs that can be claimed
	 * @param check checks payloads by the handlers of this process
	 * @param maxSize the maximum size of a payload in bytes of UTF-8
	 * @param stored returns a payload as it is stored, such as encrypted; it throws
	 * {@link IllegalArgumentException} if the payload is not JSON, unless the database
	 * does
	 */
	public DefaultJobEditor(JobEditStore store, WakeUps wakeUps, PayloadCheck check, DataSize maxSize,
			UnaryOperator<String> stored) {
		this.stored = stored;
		this.store = store;
		this.wakeUps = wakeUps;
		this.check = check;
		this.maxSize = maxSize;
	}

	@Override
	public EditResult edit(long id, String payload, @Nullable String revision) {
		check(this.store.type(id), payload);
		if (checked(() -> this.store.edit(id, this.stored.apply(payload), revision))) {
			return EditResult.EDITED;
		}
		return this.store.waits(id) ? EditResult.CHANGED : EditResult.NOT_WAITING;
	}

	@Override
	public Optional<Long> replay(long id, @Nullable String payload) {
		if (payload != null) {
			check(this.store.type(id), payload);
		}
		Optional<NewJob> job = checked(
				() -> this.store.replay(id, (payload != null) ? this.stored.apply(payload) : null));
		job.ifPresent((created) -> this.wakeUps.jobsArrived(Arrivals.of(created.queue())));
		return job.map(NewJob::id);
	}

	@Override
	public long enqueue(WrittenJob job) {
		Assert.hasText(job.type(), "type must not be blank");
		check(Optional.of(job.type()), job.payload());
		long id = checked(
				() -> this.store.enqueue(job, (job.payload() != null) ? this.stored.apply(job.payload()) : null));
		if (job.delay().isZero()) {
			this.wakeUps.jobsArrived(Arrivals.of(job.queue()));
		}
		return id;
	}

	@Override
	public SignalResult signal(long id, String name, @Nullable String payload) {
		RequestChecks.name("signal", name);
		check(Optional.empty(), payload);
		Sent sent = checked(() -> this.store.signal(id, name, (payload != null) ? this.stored.apply(payload) : null));
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
