package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the queue in order: due jobs and the tasks of the cluster. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class MaintenanceStore {

	/** A task that was taken after now was taken before the server's clock went back. */
	private static final String TAKE = """
			update {schema}.maintenance_task
			set next_run_at = clock_timestamp() + ? * interval '1 microsecond', taken_at = clock_timestamp()
			where name = ? and (next_run_at <= clock_timestamp() or taken_at > clock_timestamp())""";

	private static final String HURRY = """
			update {schema}.maintenance_task
			set next_run_at = least(next_run_at, clock_timestamp() + ? * interval '1 microsecond') where name = ?""";

	private static final String REST = """
			update {schema}.maintenance_task
			set next_run_at = greatest(next_run_at, clock_timestamp() + ? * interval '1 microsecond') where name = ?""";

	/**
	 * Reads the index from a low-water mark on, which is kept with the task: before it
	 * lie the dead entries of all that were promoted since the oldest open transaction of
	 * the server began. The mark stays a second behind the clock, as those of lanes do;
	 * where nothing is promoted nothing dies, and it stays a minute behind: what is
	 * committed later than that was due is found at once. A mark ahead of the clock was
	 * written before the server's clock went back.
	 * <p>
	 * The time is that of the beginning of the statement, here and wherever an index is
	 * to find the end: {@code clock_timestamp()} may change from row to row, so
	 * PostgreSQL would compare it with all.
	 */
	private static final String PROMOTE = """
			with due as materialized (
				select ctid as tid, run_at from {schema}.job
				where indexed_state = 'scheduled' and run_at <= statement_timestamp() and limit_key is null
					and run_at >= coalesce((select mark from {schema}.maintenance_task
						where name = 'promote' and mark <= statement_timestamp() and not ?), '-infinity')
				order by run_at, id limit ? for no key update skip locked),
			promoted as (
				update {schema}.job set state = 'queued' where ctid = any (array(select tid from due))
				returning queue),
			marked as (
				update {schema}.maintenance_task
				set mark = (select least(statement_timestamp() - case when count(*) > 0 then interval '1 second' else interval '1 minute' end,
					case when count(*) = ? then max(run_at) end) from due)
				where name = 'promote' and (exists (select from due) or mark > statement_timestamp()
					or coalesce(mark, '-infinity') < statement_timestamp() - interval '2 minutes'))
			select queue, count(*) as jobs from promoted group by queue""";

	/** When the next job expires. */
	static final WhenDue EXPIRY = new WhenDue(
			"(select expires_at from {schema}.job_expiry order by expires_at, job_id limit 1)");

	private static final String EXPIRE = "select id, queue, type from {schema}.expire(?)";

	private static final String FOLLOW_UP = """
			select queue, count(*) as jobs from {schema}.release_follow_ups(?) as queue group by queue""";

	private static final String SETTLE = """
			select distinct queue, limited from {schema}.settle_dependencies(?)""";

	private static final String CONTINUE_ENDS = """
			select distinct queue, limited from {schema}.continue_ends(?)""";

	private static final String RESUME = """
			select queue, limited from {schema}.resume_signalled(array(
				select s.job_id from {schema}.job_signal s left join {schema}.job j on j.id = s.job_id
				where s.pending and j.worker_id is null limit ?), true)""";

	private static final String ROLL_UP = """
			select distinct queue, limited from {schema}.roll_up_batches(?)""";

	/**
	 * When there are jobs to promote, follow-ups whose turn has come, jobs that run after
	 * others which may have ended unnoticed or with very many successors, signals that
	 * their jobs may not have noticed, or changes of batches. And when all scheduled jobs
	 * are to be passed over: what lies before the mark is found then, each second until
	 * jobs have not been promoted for a minute, and else every ten. While all workers are
	 * idle, the look for scheduled jobs begins before the mark instead.
	 */
	public static final WhenDue PROMOTIONS = WhenDue.first(WhenDue.firstScheduled("promote"),
			"""
					(select case when (select idle from cluster) then null when pass.taken_at > clock_timestamp() then '-infinity'
						when promote.mark > clock_timestamp() - interval '1 minute' then pass.next_run_at
						else pass.next_run_at + interval '9 seconds' end
					from {schema}.maintenance_task promote, {schema}.maintenance_task pass
					where promote.name = 'promote' and pass.name = 'promote_all')""",
			"""
					(select '-infinity'::timestamptz from {schema}.job_follow_up f
					where not exists (select from {schema}.job j where j.unique_key = f.unique_key and j.indexed_state <> 'failed') limit 1)""",
			"""
					(select '-infinity'::timestamptz from {schema}.job_dependency where unsure order by predecessor_id limit 1)""",
			"""
					(select '-infinity'::timestamptz from {schema}.job_end limit 1)""", """
					(select '-infinity'::timestamptz from {schema}.job_signal where pending order by job_id limit 1)""",
			"""
					(select '-infinity'::timestamptz from {schema}.batch_delta order by batch_id limit 1)""");

	private static final String ADD = """
			insert into {schema}.maintenance_task (name, next_run_at) select name, clock_timestamp() from unnest(?::text[]) as name
			order by name on conflict do nothing""";

	private final QueueDatabase database;

	private final TakeStatement take;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public MaintenanceStore(QueueDatabase database) {
		this.database = database;
		this.take = new TakeStatement(database);
	}

	/** Makes rows for tasks that have none. */
	public void add(Collection<String> tasks) {
		this.database.update(ADD,
				(statement) -> statement.setArray(1, Sql.array(statement, "text", tasks, (task) -> task)));
	}

	/**
	 * Takes the tasks that are due, each for one process in the cluster.
	 * @param turn names the processes that offer the same tasks; one queries at a time
	 * @param offers what this process can run
	 * @param longest the maximum time until the next look
	 * @param idle the same while all workers are idle; zero: that makes no difference
	 * @param now whether to look although the turn is later
	 */
	public TasksTaken take(String turn, Collection<Task> offers, Duration longest, Duration idle, boolean now) {
		return this.take.execute(turn, offers, longest, idle, now);
	}

	/**
	 * Returns when there is something to do for processes that are all idle.
	 * @param tasks those that keep the queue in order; urgent ones only matter while a
	 * job is held
	 */
	public NextWork nextWork(Collection<Task> tasks) {
		return this.take.nextWork(tasks.stream().filter((task) -> !task.isUrgent() && task.due() != null).toList());
	}

	/** Asks the database for nothing but an answer. */
	public void reach() {
		this.database.jdbc().execute("select 1");
	}

	/** Returns true for one process in the cluster for each interval. */
	public boolean take(String task, Duration interval) {
		return this.database.update(TAKE, Sql.micros(interval), task) == 1;
	}

	/** Moves the next run of a task forward: it is due after the pause at the latest. */
	public void hurry(String task, Duration pause) {
		this.database.update(HURRY, Sql.micros(pause), task);
	}

	/** Moves the next run of a task back: it is not due before the pause has passed. */
	public void rest(String task, Duration pause) {
		this.database.update(REST, Sql.micros(pause), task);
	}

	/**
	 * Makes scheduled jobs that are due claimable, at most {@code limit}, from where the
	 * latest call has ended. Those with a limit key are admitted by
	 * {@link AdmissionStore}.
	 */
	public List<PromotedJobs> promote(int limit) {
		return promote(false, limit);
	}

	/**
	 * The same for all scheduled jobs: also for those that were locked when the others
	 * were promoted that were due with them, or were committed later than that.
	 */
	public List<PromotedJobs> promoteAll(int limit) {
		return promote(true, limit);
	}

	private List<PromotedJobs> promote(boolean all, int limit) {
		return this.database.query(PROMOTE,
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), all, limit, limit);
	}

	/** Cancels jobs that have expired before they began, and returns them. */
	List<ExpiredJob> expire(int limit) {
		return this.database.query(EXPIRE,
				(row, index) -> new ExpiredJob(row.getLong("id"), row.getString("queue"), row.getString("type")),
				limit);
	}

	/**
	 * Queues follow-ups of jobs that have ended, at most {@code limit}; one whose key
	 * another transaction is taking stays for the next time.
	 */
	public List<PromotedJobs> followUp(int limit) {
		return this.database.query(FOLLOW_UP,
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), limit);
	}

	/**
	 * Looks after jobs that run after others which were there before, at most
	 * {@code limit}.
	 */
	public ReleasedJobs settleDependencies(int limit) {
		return release(SETTLE, limit);
	}

	/**
	 * Goes on to tell jobs that run after others how these ended, at most {@code limit}:
	 * those that were too many for the statement that ended them.
	 */
	public ReleasedJobs continueEnds(int limit) {
		return release(CONTINUE_ENDS, limit);
	}

	/**
	 * Makes jobs due that wait for signals which were sent while the jobs were locked, or
	 * began to wait; at most {@code limit}.
	 */
	public ReleasedJobs resumeSignalled(int limit) {
		return release(RESUME, limit);
	}

	/**
	 * Counts what happened to batches, and ends those whose jobs have ended.
	 * @param limit the maximum number of changes
	 */
	public ReleasedJobs rollUpBatches(int limit) {
		return release(ROLL_UP, limit);
	}

	private ReleasedJobs release(String statement, int limit) {
		Arrivals.Builder arrivals = new Arrivals.Builder();
		AtomicBoolean more = new AtomicBoolean();
		this.database.forEach(statement, (row) -> {
			String queue = row.getString("queue");
			if (queue != null) {
				arrivals.add(queue, row.getBoolean("limited"));
			}
			else {
				more.set(true);
			}
		}, limit);
		return new ReleasedJobs(arrivals.build(), more.get());
	}

	/**
	 * What a process is to do of the tasks that it offered.
	 *
	 * @param names the tasks that this process alone runs now
	 * @param pause when it is to ask again
	 * @param idle whether all workers are idle
	 */
	public record TasksTaken(Set<String> names, Duration pause, boolean idle) {

	}

	/**
	 * What the database knows of the time to come.
	 *
	 * @param idle whether all workers are idle, so that nobody holds a job
	 * @param in the time until something is due; {@code null}: nothing will be
	 */
	public record NextWork(boolean idle, @Nullable Duration in) {

	}

	/**
	 * Scheduled jobs that became due.
	 *
	 * @param queue their queue
	 * @param jobs how many
	 */
	public record PromotedJobs(String queue, int jobs) {

	}

	/**
	 * Jobs that waited for others and can run now.
	 *
	 * @param arrivals those that can be claimed or admitted
	 * @param more whether there was more to do than one statement does
	 */
	public record ReleasedJobs(Arrivals arrivals, boolean more) {

	}

	record ExpiredJob(long id, String queue, String type) {

	}

}
