package io.rowqueue.engine.worker;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.listen.StoreListener;
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

	/**
	 * Two proofs of death: a heartbeat that is overdue by more than the worker's own
	 * lease; or one that is late while the worker's session, which holds an advisory lock
	 * on its id for as long as the process lives, is gone from the server. A server that
	 * has just started proves nothing: all sessions are gone from it. A heartbeat ahead
	 * of the clock was written before that went back; it counts as one of now. A row that
	 * is locked is left for the next time: the other dead workers must not wait for it.
	 */
	private static final String DECLARE_DEAD = """
			with ahead as (
				update {schema}.worker set heartbeat_at = clock_timestamp()
				where id = any (array(
					select a.id from {schema}.worker a
					where a.dead_at is null and a.heartbeat_at > clock_timestamp()
					order by a.id for no key update skip locked)))
			update {schema}.worker w
			set dead_at = clock_timestamp()
			where w.id = any (array(
				select d.id from {schema}.worker d
				where d.dead_at is null
					and (d.heartbeat_at + d.idle_interval < clock_timestamp() - d.lease
						or (d.heartbeat_at + d.idle_interval < clock_timestamp() - ? * interval '1 microsecond' and d.session_locked
							and pg_postmaster_start_time() < clock_timestamp() - ? * interval '1 microsecond'
							and not exists (
								select from pg_locks l
								where l.locktype = 'advisory' and l.granted
									and l.database = (select oid from pg_database where datname = current_database())
									and l.classid = (? & 4294967295)::oid and l.objid = (d.id & 4294967295)::oid)))
				order by d.id for no key update of d skip locked))
			returning w.id, w.name, extract(epoch from clock_timestamp() - w.heartbeat_at) as silence""";

	private static final String FORGET = """
			delete from {schema}.worker w
			where w.dead_at < clock_timestamp() - interval '1 day'
				and not exists (select from {schema}.leased_jobs j where j.worker_id = w.id)""";

	private final QueueDatabase database;

	private final RecoverStatement recover;

	private final StoreListener listener;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 * @param listener notified of recovered jobs
	 */
	public WorkerStore(QueueDatabase database, StoreListener listener) {
		this.listener = listener;
		this.database = database;
		this.recover = new RecoverStatement(database);
	}

	/** The first key of the advisory locks that the workers of a schema hold. */
	static int lockSpace(SchemaName schema) {
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
	 * Declares workers dead whose heartbeats are too old, each by its own lease.
	 * @param grace how old a heartbeat must be if the worker's session is gone
	 * @param settled how long the server must have run for that
	 */
	public List<DeadWorker> declareDead(Duration grace, Duration settled) {
		return this.database.query(DECLARE_DEAD,
				(row, index) -> new DeadWorker(row.getLong("id"), row.getString("name"),
						Duration.ofMillis(Math.round(row.getDouble("silence") * 1000))),
				Sql.micros(grace), Sql.micros(settled), lockSpace(this.database.schema()));
	}

	/**
	 * Takes jobs from workers that do not live, at most {@code limit}, to run them again
	 * at once if they have attempts left.
	 */
	public List<RecoveredJob> recover(int maxAttempts, int limit) {
		return recover(RecoveryRules.attempts(maxAttempts), limit, List.of());
	}

	/**
	 * Takes jobs from workers that do not live, at most {@code limit}: all of them or, if
	 * the database refuses that of one of them, none.
	 * @param exceptions the ids of jobs that it leaves alone
	 */
	public List<RecoveredJob> recover(RecoveryRules rules, int limit, Collection<Long> exceptions) {
		List<RecoveredJob> jobs = this.recover.execute(rules, limit, exceptions);
		jobs.forEach((job) -> this.listener.recovered(job.queue(), job.type()));
		return jobs;
	}

	/**
	 * Takes one job from a worker that does not live; nothing if no such worker holds it,
	 * or another transaction has locked it.
	 */
	public Optional<RecoveredJob> recoverOne(RecoveryRules rules, long id) {
		Optional<RecoveredJob> job = this.recover.execute(rules, id);
		job.ifPresent((each) -> this.listener.recovered(each.queue(), each.type()));
		return job;
	}

	/**
	 * Finds jobs of workers that do not live, at most {@code limit}.
	 * @param exceptions the ids of jobs that it leaves out
	 */
	public List<Long> jobsOfDeadWorkers(int limit, Collection<Long> exceptions) {
		return this.recover.find(limit, exceptions);
	}

	/**
	 * When a worker may be found dead: its heartbeat is late then.
	 * @param grace how old it is by then
	 */
	public static WhenDue heartbeatLate(Duration grace) {
		return new WhenDue(
				"(select min(heartbeat_at + greatest(idle_interval, (select longest from cluster where idle)))"
						+ " from {schema}.worker where dead_at is null) + " + Sql.micros(grace)
						+ " * interval '1 microsecond'");
	}

	/** Removes the rows of workers that died a day ago. */
	public int forget() {
		return this.database.update(FORGET);
	}

	/**
	 * A worker that was declared dead.
	 *
	 * @param id its id
	 * @param name what it said of itself
	 * @param silence how long it had not been heard of
	 */
	public record DeadWorker(long id, String name, Duration silence) {

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

	/**
	 * A job that was taken from a dead worker.
	 *
	 * @param id the job
	 * @param type its type
	 * @param queue its queue
	 * @param state queued again, scheduled after a pause, or failed because the attempt
	 * was its last, or its process was the last that it may bring down
	 * @param workerId the worker that held it
	 * @param error that its worker died
	 */
	public record RecoveredJob(long id, String type, String queue, JobState state, long workerId, String error) {

	}

}
