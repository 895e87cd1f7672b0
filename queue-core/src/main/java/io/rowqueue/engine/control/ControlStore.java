package io.rowqueue.engine.control;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * Administrative changes of jobs, in the scope that the store was created with. All
 * methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available. A change of one job waits for the lock that
 * another transaction holds, because the caller needs to know whether it was made. A
 * change of several leaves such a job out.
 */
public final class ControlStore {

	private static final String CANCEL = "select {schema}.cancel_jobs(?)";

	private static final String ERASE = "select {schema}.erase_jobs(?)";

	private static final String ASK_TO_STOP = """
			with asked as (
				update {schema}.job set cancel_requested = true where id = ? and worker_id is not null returning worker_id)
			update {schema}.worker w set cancel_requests = w.cancel_requests + 1 from asked where w.id = asked.worker_id""";

	/**
	 * The row of a leased job is not locked until the caller's transaction ends: the end
	 * of the job would wait for it.
	 */
	private static final String ASK_TO_STOP_AFTER_COMMIT = """
			insert into {schema}.cancel_request (job_id)
			select id from {schema}.job where id = ? and worker_id is not null""";

	/** A time in place of the delay, if there is one. */
	private static final String DUE = """
			coalesce(?::timestamptz, statement_timestamp() + ?::float8 * interval '1 microsecond')""";

	/** Of several jobs, those that no other transaction has locked. */
	private static final String UNLOCKED = """
			(select id from {schema}.job where id = any (?) and state::text in ('scheduled', 'queued', 'blocked')
				order by id for update skip locked)""";

	private static final String RESCHEDULE = """
			update {schema}.job
			set run_at = t.due, order_at = {schema}.deadline(t.due, tolerance),
				state = (case when t.due > statement_timestamp() or limit_key is not null then 'scheduled' else 'queued' end)
					::{schema}.job_state, awaits_key = null
			from (select %s as due) t
			where id = any (%s) and (state::text in ('scheduled', 'queued') or awaits_key)
			returning id, queue, limit_key is not null as limited""";

	private static final String RESCHEDULE_ONE = RESCHEDULE.formatted(DUE, "?");

	private static final String RESCHEDULE_SEVERAL = RESCHEDULE.formatted(DUE, "array" + UNLOCKED);

	private static final String RESCHEDULE_FOLLOW_UP = """
			update {schema}.job_follow_up set run_at = %s where id = any (?)
			returning id, queue, false as limited""".formatted(DUE);

	private static final String PRIORITY = """
			update {schema}.job set priority = ? where id = any (%s) and state::text in ('scheduled', 'queued', 'blocked')
			returning id, queue, false as limited""";

	private static final String PRIORITY_OF_ONE = PRIORITY.formatted("?");

	private static final String PRIORITY_OF_SEVERAL = PRIORITY.formatted("array" + UNLOCKED);

	private static final String PRIORITY_OF_FOLLOW_UP = """
			update {schema}.job_follow_up set priority = ? where id = any (?) returning id, queue, false as limited""";

	/** The job before its follow-ups. */
	private static final String OF_KEY = """
			select k.id from (
				select 0 as place, id, type from {schema}.job where unique_key = ? and indexed_state <> 'failed'
				union all
				select 1, id, type from {schema}.job_follow_up where unique_key = ?) k
			where ?::text is null or k.type = ? order by k.place, k.id""";

	/** A revision changes whenever the row does. */
	private static final String EDIT = """
			with edited as (
				update {schema}.job set payload = ?::json
				where id = ? and worker_id is null and state::text in ('scheduled', 'queued', 'blocked')
					and 'live-' || xmin::text = coalesce(?, 'live-' || xmin::text)
				returning id),
			edited_follow_up as (
				update {schema}.job_follow_up set payload = ?::json
				where id = ? and 'follow-' || xmin::text = coalesce(?, 'follow-' || xmin::text)
				returning id)
			select id from edited union all select id from edited_follow_up""";

	private static final String TYPE = """
			select type from {schema}.job where id = ? union all select type from {schema}.job_follow_up where id = ?""";

	private static final String RELEASE_KEY = """
			delete from {schema}.taken_key where unique_key = ? and taken_until > clock_timestamp()""";

	private static final RowMapper<ChangedJob> CHANGED = (row, index) -> new ChangedJob(row.getLong("id"),
			row.getString("queue"), row.getBoolean("limited"));

	private final ChangeScope changes;

	/**
	 * Creates the store.
	 * @param changes where changes are made
	 */
	public ControlStore(ChangeScope changes) {
		this.changes = changes;
	}

	/** Cancels a job without a lease; returns false if it has a lease or has finished. */
	public boolean cancel(long id) {
		return !cancel(List.of(id)).isEmpty();
	}

	/** Cancels jobs without a lease; returns those that were cancelled. */
	public Set<Long> cancel(List<Long> ids) {
		return end(CANCEL, ids);
	}

	/** Erases jobs without a lease; returns those that were erased. */
	public Set<Long> erase(List<Long> ids) {
		return end(ERASE, ids);
	}

	private Set<Long> end(String statement, List<Long> ids) {
		return this.changes.change(
				(database) -> new LinkedHashSet<>(
						database.query(statement, (row, index) -> row.getLong(1), (Object) ids.toArray(Long[]::new))),
				(ended) -> !ended.isEmpty());
	}

	/** Asks the worker of a leased job to stop it; returns false if there is no lease. */
	public boolean askToStop(long id) {
		String statement = this.changes.isJoined() ? ASK_TO_STOP_AFTER_COMMIT : ASK_TO_STOP;
		return this.changes.run((database) -> database.update(statement, id) == 1);
	}

	/**
	 * Changes the due time of a waiting job; returns its arrivals, if it was waiting.
	 * @param delay the time from now
	 */
	public Optional<Arrivals> reschedule(long id, Duration delay) {
		return reschedule(List.of(id), delay).stream().findFirst().map(ChangedJob::arrivals);
	}

	/**
	 * Changes the due time of a waiting job; returns its arrivals, if it was waiting.
	 * @param runAt the time
	 */
	public Optional<Arrivals> reschedule(long id, Instant runAt) {
		return reschedule(List.of(id), Sql.text(runAt), 0).stream().findFirst().map(ChangedJob::arrivals);
	}

	/**
	 * Changes the due time of waiting jobs; returns those that were waiting.
	 * @param delay the time from now
	 */
	public List<ChangedJob> reschedule(List<Long> ids, Duration delay) {
		return reschedule(ids, null, Sql.micros(delay));
	}

	private List<ChangedJob> reschedule(List<Long> ids, @Nullable String runAt, long micros) {
		return change(ids, (ids.size() == 1) ? RESCHEDULE_ONE : RESCHEDULE_SEVERAL, RESCHEDULE_FOLLOW_UP,
				(jobs) -> new @Nullable Object[] { runAt, micros, jobs });
	}

	/** Changes the priority of a waiting job; returns its queue, if it was waiting. */
	public List<String> prioritize(long id, int priority) {
		return prioritize(List.of(id), priority).stream().map(ChangedJob::queue).toList();
	}

	/** Changes the priority of waiting jobs; returns those that were waiting. */
	public List<ChangedJob> prioritize(List<Long> ids, int priority) {
		return change(ids, (ids.size() == 1) ? PRIORITY_OF_ONE : PRIORITY_OF_SEVERAL, PRIORITY_OF_FOLLOW_UP,
				(jobs) -> new Object[] { priority, jobs });
	}

	/** Changes jobs, and a single one also if it is a follow-up. */
	private List<ChangedJob> change(List<Long> ids, String statement, String ofFollowUp,
			Function<Long[], @Nullable Object[]> parameters) {
		@Nullable Object[] all = parameters.apply(ids.toArray(Long[]::new));
		List<ChangedJob> changed = change(statement, all);
		return (changed.isEmpty() && ids.size() == 1) ? change(ofFollowUp, all) : changed;
	}

	private List<ChangedJob> change(String statement, @Nullable Object[] parameters) {
		return this.changes.change((database) -> database.query(statement, CHANGED, parameters),
				(changed) -> !changed.isEmpty());
	}

	/**
	 * Replaces the payload of a waiting job.
	 * @param id the id of the job
	 * @param payload the payload as it is stored, or {@code null} for none
	 * @param revision the revision that the row must have, such as {@code live-4711}, or
	 * {@code null} for any
	 */
	public boolean replacePayload(long id, @Nullable String payload, @Nullable String revision) {
		return this.changes.change((database) -> !database
			.query(EDIT, (row, index) -> row.getLong("id"), payload, id, revision, payload, id, revision)
			.isEmpty(), Boolean::booleanValue);
	}

	/** Returns the type of a job that has not finished. */
	Optional<String> type(long id) {
		return this.changes.read((database) -> database.first(TYPE, (row, index) -> row.getString("type"), id, id));
	}

	/**
	 * Returns the job that has a unique key, before its follow-ups.
	 * @param type only jobs of this type, or {@code null} for all types
	 */
	List<Long> ofKey(String uniqueKey, @Nullable String type) {
		return this.changes.read((database) -> database.query(OF_KEY, (row, index) -> row.getLong("id"), uniqueKey,
				uniqueKey, type, type));
	}

	/** Releases a kept unique key; returns whether it was kept. */
	boolean releaseKey(String uniqueKey) {
		return this.changes.run((database) -> database.update(RELEASE_KEY, uniqueKey) > 0);
	}

	/**
	 * A job that was changed.
	 *
	 * @param queue its queue
	 * @param limited whether the limit of its key has to admit it first
	 */
	public record ChangedJob(long id, String queue, boolean limited) {

		Arrivals arrivals() {
			return Arrivals.of(this.queue, this.limited);
		}

	}

}
