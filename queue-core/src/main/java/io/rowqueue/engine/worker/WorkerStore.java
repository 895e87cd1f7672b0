package io.rowqueue.engine.worker;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.schema.SchemaName;

/**
 * Registers workers and keeps them alive. The lease of a job belongs to its worker, so
 * one heartbeat row a worker keeps all of them, however many there are. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class WorkerStore {

	/**
	 * People are shown a worker as living if its latest heartbeat is not older than so
	 * many seconds. The view {@code workers} says the same.
	 */
	public static final int LIVING_SECONDS = 15;

	private static final String REGISTER = """
			insert into {schema}.worker (name, queues, types, max_attempts, slots, type_limits, declarations, lease, quiet)
			values (?, ?, ?, jsonb_object(?, ?), jsonb_object(?, ?), jsonb_object(?, ?), ?, ? * interval '1 microsecond', ?)
			returning id""";

	private static final String HEARTBEAT = """
			update {schema}.worker w set heartbeat_at = clock_timestamp(), heartbeats = heartbeats + 1,
				idle_interval = ? * interval '1 microsecond'
			where id = ? and dead_at is null and heartbeats >= ?
			returning heartbeats, cancel_requests, quiet, restart, {slots} as slots""";

	private static final String ECHO = """
			select pg_notify({schema}.wake_up_channel() || '_' || ?::text, '')""";

	private static final String FORGET_SESSION = """
			update {schema}.worker set session_locked = false where id = ?""";

	/**
	 * The row of a worker that holds leases stays: it says how many attempts its jobs
	 * have.
	 */
	private static final String UNREGISTER = """
			with over as (
				delete from {schema}.claim c
				where c.worker_id = ? and {over})
			delete from {schema}.worker w
			where w.id = ? and not exists (select from {schema}.leased_jobs j where j.worker_id = w.id)""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public WorkerStore(QueueDatabase database) {
		this.database = database;
	}

	/** The first key of the advisory locks that the workers of a schema hold. */
	public static int lockSpace(SchemaName schema) {
		return ("rowqueue.worker." + schema.value()).hashCode();
	}

	/** Registers a worker and returns its id. */
	public long register(WorkerIdentity identity) {
		return this.database.query(REGISTER, (statement) -> {
			statement.setString(1, identity.name());
			statement.setArray(2, Sql.array(statement, "text", identity.queues(), (queue) -> queue));
			statement.setArray(3, Sql.array(statement, "text", identity.types(), (type) -> type));
			setNumbers(statement, 4, identity.maxAttempts());
			setNumbers(statement, 6, identity.slots());
			setNumbers(statement, 8, identity.typeLimits());
			statement.setArray(10, Sql.array(statement, "text", identity.declarations(), (declaration) -> declaration));
			statement.setLong(11, Sql.micros(identity.lease()));
			statement.setBoolean(12, identity.quiet());
		}, (row, index) -> row.getLong("id")).get(0);
	}

	/** Notifies a worker's own session, as others do when they have jobs for it. */
	public void echo(long workerId) {
		this.database.query(ECHO, (row, index) -> workerId, workerId);
	}

	/**
	 * The worker gave its session up: a lock that no session holds is no sign of death.
	 */
	public void forgetSession(long workerId) {
		this.database.update(FORGET_SESSION, workerId);
	}

	private static void setNumbers(PreparedStatement statement, int index, Map<String, Integer> numbers)
			throws SQLException {
		List<Map.Entry<String, Integer>> entries = List.copyOf(numbers.entrySet());
		statement.setArray(index, Sql.array(statement, "text", entries, Map.Entry::getKey));
		statement.setArray(index + 1, Sql.array(statement, "text", entries, (entry) -> entry.getValue().toString()));
	}

	/**
	 * Keeps all leases of a worker. Returns nothing if it was given up, or if the
	 * database is in an older state than one that has answered this worker: it must stop,
	 * since others may have been given the same leases.
	 * @param answered the number of the latest heartbeat whose answer arrived; 0: none
	 */
	public Optional<HeartbeatAnswer> heartbeat(long workerId, long answered) {
		return heartbeat(workerId, answered, Duration.ZERO);
	}

	/**
	 * The same for a worker that may be idle.
	 * @param idle how much later than usual the next heartbeat may come; zero: the worker
	 * holds jobs or may begin to
	 */
	Optional<HeartbeatAnswer> heartbeat(long workerId, long answered, Duration idle) {
		return this.database.first(HEARTBEAT,
				(row, index) -> new HeartbeatAnswer(row.getLong("heartbeats"), row.getInt("cancel_requests"),
						row.getBoolean("quiet"), row.getBoolean("restart"), Sql.numbers(row, "slots")),
				Sql.micros(idle), workerId, answered);
	}

	/**
	 * Removes a worker unless it holds leases.
	 * @return whether it was removed
	 */
	public boolean unregister(long workerId) {
		return this.database.update(UNREGISTER, workerId, workerId) == 1;
	}

	/**
	 * What the database answers to a heartbeat.
	 *
	 * @param number how many heartbeats of the worker it has taken; those whose answers
	 * were lost count
	 * @param cancelRequests how often one of its jobs was to be cancelled, or to log what
	 * its handler is doing, so far
	 * @param quiet whether the worker claims no more until it is resumed
	 * @param restart whether the worker is to stop, so that its process registers another
	 * one
	 * @param slots how many jobs the worker is to run at once, by queue; {@code *}: all
	 * others together
	 */
	public record HeartbeatAnswer(long number, int cancelRequests, boolean quiet, boolean restart,
			Map<String, Integer> slots) {

	}

}
