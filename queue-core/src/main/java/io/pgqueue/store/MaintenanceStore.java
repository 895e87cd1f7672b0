package io.pgqueue.store;

import java.time.Duration;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * What keeps the queue in order: due jobs and the tasks of the cluster. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class MaintenanceStore {

	private static final String TAKE = """
			update {schema}.maintenance_task set next_run_at = clock_timestamp() + ? * interval '1 microsecond'
			where name = ? and next_run_at <= clock_timestamp()""";

	private static final String HURRY = """
			update {schema}.maintenance_task
			set next_run_at = least(next_run_at, clock_timestamp() + ? * interval '1 microsecond') where name = ?""";

	private static final String REST = """
			update {schema}.maintenance_task
			set next_run_at = greatest(next_run_at, clock_timestamp() + ? * interval '1 microsecond') where name = ?""";

	private static final String FOLLOW_UP = """
			select queue, count(*) as jobs from {schema}.release_follow_ups(?) as queue group by queue""";

	private static final String SETTLE = """
			select queue, count(*) as jobs from {schema}.settle_dependencies(?) as queue group by queue""";

	private static final String ROLL_UP = """
			select queue, count(*) as jobs from {schema}.roll_up_batches(?) as queue group by queue""";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	private final PromoteStatement promote;

	/**
	 * Creates the store.
	 * @param jdbc runs each statement in a transaction of its own
	 * @param schema the schema of the tables
	 */
	public MaintenanceStore(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.promote = new PromoteStatement(jdbc, schema);
	}

	/** Returns true for one process in the cluster for each interval. */
	public boolean take(String task, Duration interval) {
		return this.jdbc.update(Sql.in(this.schema, TAKE), Sql.micros(interval), task) == 1;
	}

	/** Has a task run again as soon as that, whatever its interval is. */
	public void hurry(String task, Duration pause) {
		this.jdbc.update(Sql.in(this.schema, HURRY), Sql.micros(pause), task);
	}

	/** Has a task run again no sooner than that, whatever its interval is. */
	public void rest(String task, Duration pause) {
		this.jdbc.update(Sql.in(this.schema, REST), Sql.micros(pause), task);
	}

	/**
	 * Makes scheduled jobs that are due claimable, at most {@code limit}, from where the
	 * latest call has ended. Those with a limit key are let in by {@link LimitStore}.
	 */
	public List<PromotedJobs> promote(int limit) {
		return this.promote.execute(false, limit);
	}

	/**
	 * The same for all scheduled jobs: also for those that were locked when the others
	 * were promoted that were due with them, or were committed later than that.
	 */
	public List<PromotedJobs> promoteAll(int limit) {
		return this.promote.execute(true, limit);
	}

	/**
	 * Queues follow-ups of jobs that are over, at most {@code limit}; one whose key
	 * another transaction is taking stays for the next time.
	 */
	public List<PromotedJobs> followUp(int limit) {
		return this.jdbc.query(Sql.in(this.schema, FOLLOW_UP),
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), limit);
	}

	/**
	 * Looks after jobs that run after others which were there before, at most
	 * {@code limit}.
	 */
	public List<PromotedJobs> settleDependencies(int limit) {
		return this.jdbc.query(Sql.in(this.schema, SETTLE),
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), limit);
	}

	/**
	 * Counts what happened to batches, and ends those that are over.
	 * @param limit the most changes of one batch
	 */
	public List<PromotedJobs> rollUpBatches(int limit) {
		return this.jdbc.query(Sql.in(this.schema, ROLL_UP),
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), limit);
	}

	/** The steps of handlers. */
	public StepStore steps() {
		return new StepStore(this.jdbc, this.schema);
	}

	/** What lets jobs with limit keys in. */
	public LimitStore limits() {
		return new LimitStore(this.jdbc, this.schema);
	}

	/** What is kept of jobs that are over. */
	public HistoryStore history() {
		return new HistoryStore(this.jdbc, this.schema);
	}

}
