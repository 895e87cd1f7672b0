package io.pgqueue.store;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * What keeps the queue in order: due jobs, the tasks of the cluster, old history. All
 * methods throw {@link org.springframework.dao.DataAccessException} when the database
 * refuses or is away.
 */
public final class MaintenanceStore {

	private static final String TAKE = """
			update {schema}.maintenance_task set next_run_at = clock_timestamp() + ? * interval '1 microsecond'
			where name = ? and next_run_at <= clock_timestamp()""";

	private static final String PROMOTE = """
			with due as materialized (
				select ctid as tid from {schema}.job
				where state = 'scheduled' and run_at <= clock_timestamp()
				order by run_at, id limit ? for no key update skip locked),
			promoted as (
				update {schema}.job set state = 'queued' where ctid = any (array(select tid from due))
				returning queue)
			select queue, count(*) as jobs from promoted group by queue""";

	private static final String FOLLOW_UP = """
			select queue, count(*) as jobs from {schema}.release_follow_ups(?) as queue group by queue""";

	private static final String NEXT_DUE = """
			select extract(epoch from run_at - clock_timestamp()) * 1000
			from {schema}.job where state = 'scheduled' order by run_at, id limit 1""";

	private static final String TODAY = """
			select (clock_timestamp() at time zone 'UTC')::date""";

	private static final String PARTITIONS = """
			select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
			where i.inhparent = '{schema}.job_finished'::regclass""";

	/**
	 * Jobs cannot end while the change waits for readers of the history. Spring knows
	 * that a serialization failure is transient, unlike a lock timeout.
	 */
	private static final String CHANGE_HISTORY = """
			do $change$ begin
				set local lock_timeout = '200ms';
				%s;
			exception when lock_not_available then
				raise serialization_failure using message = 'the history is being read; try again later';
			end $change$""";

	/**
	 * Jobs that ended while nobody created partitions are in the default one; they move,
	 * or PostgreSQL would refuse the partition of their day.
	 */
	private static final String CREATE_PARTITION = """
			if to_regclass('{schema}.%1$s') is null then
				create table {schema}.%1$s (like {schema}.job_finished including defaults);
				with late as (
					delete from {schema}.job_finished_default
					where finished_at >= '%2$s 00:00:00+00' and finished_at < '%3$s 00:00:00+00' returning *)
				insert into {schema}.%1$s select * from late;
				alter table {schema}.job_finished attach partition {schema}.%1$s
					for values from ('%2$s 00:00:00+00') to ('%3$s 00:00:00+00');
			end if""";

	private static final String DELETE_FINISHED = """
			delete from {schema}.job_finished_default where ctid = any (array(
				select ctid from {schema}.job_finished_default
				where finished_at < clock_timestamp() - ? * interval '1 microsecond' limit ?))""";

	private static final String DELETE_FAILED = """
			delete from {schema}.job where ctid = any (array(
				select j.ctid from {schema}.job j
				where j.state = 'failed' and j.leased_at < clock_timestamp() - ? * interval '1 microsecond'
				order by j.queue, j.id limit ? for update skip locked))""";

	private static final String DELETE_KEYS = """
			delete from {schema}.taken_key where ctid = any (array(
				select ctid from {schema}.taken_key where taken_until < clock_timestamp()
				order by taken_until limit ? for update skip locked))""";

	private static final String DELETE_FAILURES = """
			delete from {schema}.job_failure where ctid = any (array(
				select ctid from {schema}.job_failure
				where failed_at < clock_timestamp() - ? * interval '1 microsecond' limit ?))""";

	private static final String DELETE_PROGRESS = """
			delete from {schema}.job_progress where ctid = any (array(
				select ctid from {schema}.job_progress
				where at < clock_timestamp() - ? * interval '1 microsecond' limit ?))""";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	/**
	 * Creates the store.
	 * @param jdbc runs each statement in a transaction of its own
	 * @param schema the schema of the tables
	 */
	public MaintenanceStore(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/** Returns true for one process in the cluster for each interval. */
	public boolean take(String task, Duration interval) {
		return this.jdbc.update(Sql.in(this.schema, TAKE), Sql.micros(interval), task) == 1;
	}

	/** Makes scheduled jobs that are due claimable, at most {@code limit}. */
	public List<PromotedJobs> promote(int limit) {
		return this.jdbc.query(Sql.in(this.schema, PROMOTE),
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), limit);
	}

	/**
	 * Queues follow-ups of jobs that are over, at most {@code limit}; one whose key
	 * another transaction is taking stays for the next time.
	 */
	public List<PromotedJobs> followUp(int limit) {
		return this.jdbc.query(Sql.in(this.schema, FOLLOW_UP),
				(row, index) -> new PromotedJobs(row.getString("queue"), row.getInt("jobs")), limit);
	}

	/** The time until the next scheduled job is due. */
	public Optional<Duration> nextDue() {
		return this.jdbc
			.query(Sql.in(this.schema, NEXT_DUE),
					(row, index) -> Duration.ofMillis(Math.max(0, (long) Math.ceil(row.getDouble(1)))))
			.stream()
			.findFirst();
	}

	/** The database's day, by UTC. */
	public LocalDate today() {
		LocalDate today = this.jdbc.queryForObject(TODAY, LocalDate.class);
		return Objects.requireNonNull(today);
	}

	/** The days that have a partition of finished jobs. */
	public List<HistoryPartition> partitions() {
		return this.jdbc
			.query(Sql.in(this.schema, PARTITIONS), (row, index) -> HistoryPartition.named(row.getString(1)))
			.stream()
			.flatMap(Optional::stream)
			.toList();
	}

	/**
	 * Creates the partition of a day; needs the right to create tables. Gives up soon if
	 * somebody is reading the history.
	 * @throws org.springframework.dao.TransientDataAccessException to try again later
	 */
	public void createPartition(HistoryPartition partition) {
		changeHistory(CREATE_PARTITION.formatted(partition.name(), partition.day(), partition.day().plusDays(1)));
	}

	/**
	 * Drops the finished jobs of a day; needs to own the table. Gives up soon if somebody
	 * is reading the history.
	 * @throws org.springframework.dao.TransientDataAccessException to try again later
	 */
	public void dropPartition(HistoryPartition partition) {
		changeHistory("drop table if exists {schema}.%s".formatted(partition.name()));
	}

	private void changeHistory(String statement) {
		this.jdbc.execute(Sql.in(this.schema, CHANGE_HISTORY.formatted(statement)));
	}

	/** Deletes old finished jobs that are in no partition of a day. */
	public int deleteFinished(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_FINISHED), Sql.micros(age), limit);
	}

	/** Deletes jobs that failed for good long ago. */
	public int deleteFailed(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_FAILED), Sql.micros(age), limit);
	}

	/** Deletes unique keys that are no longer taken. */
	public int deleteKeys(int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_KEYS), limit);
	}

	/** Deletes what handlers told of their progress. */
	public int deleteProgress(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_PROGRESS), Sql.micros(age), limit);
	}

	/** Deletes records of failed attempts. */
	public int deleteFailures(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_FAILURES), Sql.micros(age), limit);
	}

}
