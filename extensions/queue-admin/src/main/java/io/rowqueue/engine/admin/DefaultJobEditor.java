package io.rowqueue.engine.admin;

import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.PayloadConversionException;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.engine.admin.JobEditStore.NewJob;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.signal.SignalStore.Sent;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;

/** The default implementation of {@link JobEditor}. */
public final class DefaultJobEditor implements JobEditor {

	/**
	 * Data exceptions: what was given is not JSON, or {@code enqueue} does not allow it.
	 */
	private static final String DATA_EXCEPTION = "22";

	private static final String INVALID_PARAMETER = "22023";

	private final JobEditStore store;

	private final WakeUps wakeUps;

	private final CheckedPayloads payloads;

	private final WrittenPayloads written;

	/**
	 * Creates the editor.
	 * @param store changes and enqueues jobs
	 * @param wakeUps is notified of jobs that can be claimed
	 * @param payloads checks payloads before they are stored
	 * @param written returns payloads as they are stored, such as encrypted
	 */
	public DefaultJobEditor(JobEditStore store, WakeUps wakeUps, CheckedPayloads payloads, WrittenPayloads written) {
		this.written = written;
		this.store = store;
		this.wakeUps = wakeUps;
		this.payloads = payloads;
	}

	@Override
	public EditResult edit(long id, String payload, @Nullable String revision) {
		Optional<String> type = this.store.type(id);
		type.ifPresent((known) -> check(known, payload));
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
		type.ifPresent((known) -> check(known, payload));
		return type.flatMap((known) -> checked(() -> this.store.replay(id, this.written.ofJob(payload, known))));
	}

	@Override
	public long enqueue(WrittenJob job) {
		Assert.hasText(job.type(), "type must not be blank");
		check(job.type(), job.payload());
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
		if (payload == null) {
			return sent(() -> this.store.signal(id, name, null));
		}
		String type = this.store.type(id).orElse(null);
		if (type == null) {
			return SignalResult.NO_SUCH_JOB;
		}
		check(() -> this.payloads.checkSignal(type, payload));
		return sent(() -> this.store.signal(id, name, this.written.ofSignal(payload, type)));
	}

	private SignalResult sent(Supplier<Sent> signal) {
		Sent sent = checked(signal);
		if (sent.resumed() != null) {
			this.wakeUps.jobsArrived(sent.resumed());
		}
		return sent.result();
	}

	private void check(String type, @Nullable String payload) {
		check(() -> this.payloads.check(type, payload));
	}

	private static void check(Runnable check) {
		try {
			check.run();
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

}
