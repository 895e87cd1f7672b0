package io.rowqueue.engine.signal;

import java.util.Locale;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * Sends signals to jobs, in the transaction of the caller. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class SignalStore {

	private static final String OF_ID = """
			select id, type from {schema}.job where id = ?
			union all
			select id, type from {schema}.job_follow_up where id = ?""";

	/** If the job has ended, its follow-up will have the key in a moment. */
	private static final String OF_KEY = """
			select id, type from (
				select id, type, false as follows from {schema}.job where unique_key = ? and indexed_state <> 'failed'
				union all
				select id, type, true from {schema}.job_follow_up where unique_key = ?) k
			order by follows, id limit 1""";

	private static final String SEND = """
			select outcome, queue, limited from {schema}.send_signal(?, ?, ?::json)""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as the application sees it
	 */
	public SignalStore(QueueDatabase database) {
		this.database = database;
	}

	/** Finds a job that has not finished. */
	public Optional<Receiver> find(long jobId) {
		return this.database.first(OF_ID, (row, index) -> new Receiver(row.getLong("id"), row.getString("type")), jobId,
				jobId);
	}

	/** Finds the job that has a unique key. */
	public Optional<Receiver> find(String uniqueKey) {
		return this.database.first(OF_KEY, (row, index) -> new Receiver(row.getLong("id"), row.getString("type")),
				uniqueKey, uniqueKey);
	}

	/** Sends a signal. */
	public Sent send(long jobId, String name, @Nullable String payload) {
		return this.database.first(SEND, (row, index) -> {
			String queue = row.getString("queue");
			return new Sent(SignalResult.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)),
					(queue != null) ? Arrivals.of(queue, row.getBoolean("limited")) : null);
		}, jobId, name, payload).orElseThrow();
	}

	/**
	 * A job that can receive signals.
	 *
	 * @param id its id
	 * @param type its type
	 */
	public record Receiver(long id, String type) {

	}

	/**
	 * The result of sending a signal.
	 *
	 * @param result the result for the caller
	 * @param resumed the job if it is due now because of the signal, or {@code null}
	 */
	public record Sent(SignalResult result, @Nullable Arrivals resumed) {

	}

}
