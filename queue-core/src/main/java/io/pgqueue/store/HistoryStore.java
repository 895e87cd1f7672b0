package io.pgqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * What is kept of jobs that are over: makes room for it and lets it go. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class HistoryStore {

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
			do {quote} begin
				set local lock_timeout = '200ms';
				%s;
			exception when lock_not_available then
				raise serialization_failure using message = 'the history is being read; try again later';
			end {quote}""";

	/**
	 * Jobs that ended while nobody created partitions are in the default one; they move,
	 * or PostgreSQL would refuse the partition of their day. It also reads all of the
	 * default one, while no job can end: not if there is much in it.
	 */
	private static final String CREATE_PARTITION = """
			if to_regclass('{schema}.%1$s') is null then
				if pg_relation_size('{schema}.job_finished_default') > %4$d then
					raise object_not_in_prerequisite_state using message = format(
						'%%s are in job_finished_default, which nobody can read through while jobs end',
						pg_size_pretty(pg_relation_size('{schema}.job_finished_default')));
				end if;
				create table {schema}.%1$s (like {schema}.job_finished including defaults);
				with late as (
					delete from {schema}.job_finished_default
					where finished_at >= '%2$s 00:00:00+00' and finished_at < '%3$s 00:00:00+00' returning *)
				insert into {schema}.%1$s select * from late;
				alter table {schema}.job_finished attach partition {schema}.%1$s
					for values from ('%2$s 00:00:00+00') to ('%3$s 00:00:00+00');
			end if""";

	/** To read through so much takes some tens of milliseconds. */
	private static final long MOST_IN_DEFAULT = 64 << 20;

	private static final String NOW = "select clock_timestamp()";

	private static final String OLDEST_WITHOUT_DAY = "select min(finished_at) from {schema}.job_finished_default";

	/** The time leads to the partition of its day, and there to a few blocks. */
	private static final String DELETE_FINISHED = """
			delete from {schema}.job_finished f
			where f.finished_at >= ? and f.finished_at < ?
				and ? >= coalesce((
						select r.age from unnest(?::text[], ?::text[], ?::bigint[]) as r (state, queue, age)
						where r.state = f.state::text and r.queue = f.queue),
					case f.state when 'succeeded' then ?::bigint else ?::bigint end)""";

	/**
	 * The oldest of each queue, by the index: those that stay are not read. One that
	 * others wait for stays: they would never know.
	 */
	private static final String DELETE_FAILED = """
			with recursive failed as (
				(select queue from {schema}.job where indexed_state = 'failed' order by queue limit 1)
				union all
				select next.* from failed cross join lateral (
					select queue from {schema}.job where indexed_state = 'failed' and queue > failed.queue order by queue limit 1) next),
			old as materialized (
				select oldest.tid, oldest.id
				from failed left join unnest(?::text[], ?::bigint[]) as rule (queue, age) on rule.queue = failed.queue
				cross join lateral (
					select j.ctid as tid, j.id from {schema}.job j
					where j.indexed_state = 'failed' and j.queue = failed.queue
						and j.failed_leased_at < statement_timestamp() - coalesce(rule.age, ?) * interval '1 microsecond'
						and (j.tracked is null or not exists (
							select from {schema}.job_dependency d join {schema}.job s on s.id = d.successor_id
							where d.predecessor_id = j.id))
					order by j.queue, j.failed_leased_at limit ? for update of j skip locked) oldest
				limit ?),
			dependency as (
				delete from {schema}.job_dependency where successor_id = any (array(select id from old)))
			delete from {schema}.job where ctid = any (array(select tid from old))""";

	/**
	 * What is left of a flow goes when the last of its jobs has been over for so long.
	 */
	private static final String DELETE_FLOWS = """
			with old as materialized (
				select f.id from {schema}.flow f
				where f.created_at < clock_timestamp() - ? * interval '1 microsecond' and not exists (
					select from {schema}.flow_step s where s.flow_id = f.id and (s.state is null
						or s.ended_at >= clock_timestamp() - ? * interval '1 microsecond'))
				order by f.id limit ?),
			step as (
				delete from {schema}.flow_step where flow_id = any (array(select id from old)) returning job_id),
			result as (
				delete from {schema}.job_result r using step where r.job_id = step.job_id)
			delete from {schema}.flow where id = any (array(select id from old))""";

	private static final String DELETE_BATCHES = """
			with old as materialized (
				select id from {schema}.batch where finished_at < clock_timestamp() - ? * interval '1 microsecond'
				order by id limit ?),
			callback as (
				delete from {schema}.batch_callback where batch_id = any (array(select id from old)))
			delete from {schema}.batch where id = any (array(select id from old))""";

	private static final String DELETE_RESULTS = """
			delete from {schema}.job_result where ctid = any (array(
				select ctid from {schema}.job_result r
				where r.kept_at < clock_timestamp() - ? * interval '1 microsecond'
					and not exists (select from {schema}.flow_step s where s.job_id = r.job_id) limit ?))""";

	private static final String DELETE_KEYS = """
			delete from {schema}.taken_key where ctid = any (array(
				select ctid from {schema}.taken_key where taken_until < statement_timestamp()
				order by taken_until limit ? for update skip locked))""";

	private static final String DELETE_FAILURES = """
			delete from {schema}.job_failure where ctid = any (array(
				select ctid from {schema}.job_failure
				where failed_at < statement_timestamp() - ? * interval '1 microsecond' order by failed_at limit ?))""";

	/** An index on the time would be written with every report. */
	private static final String DELETE_PROGRESS = """
			with looked_at as materialized (
				select ctid as tid, job_id, at from {schema}.job_progress where job_id > ? order by job_id limit ?),
			gone as (
				delete from {schema}.job_progress where ctid = any (array(
					select tid from looked_at where at < statement_timestamp() - ? * interval '1 microsecond'))
				and at < statement_timestamp() - ? * interval '1 microsecond')
			select job_id from looked_at order by job_id limit 1 offset ?""";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	HistoryStore(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
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
	 * somebody is reading the history, and at once if much of it is in no partition.
	 * @throws org.springframework.dao.TransientDataAccessException to try again later
	 */
	public void createPartition(HistoryPartition partition) {
		createPartition(partition, MOST_IN_DEFAULT);
	}

	void createPartition(HistoryPartition partition, long mostInDefault) {
		changeHistory(CREATE_PARTITION.formatted(partition.name(), partition.day(), partition.day().plusDays(1),
				mostInDefault));
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
		String change = CHANGE_HISTORY.formatted(statement).replace("{quote}", this.schema.dollarQuote());
		this.jdbc.execute(Sql.in(this.schema, change));
	}

	/** The database's time. */
	public Instant now() {
		return this.jdbc.query(NOW, (row, index) -> Sql.time(row, "clock_timestamp")).get(0);
	}

	/** When the oldest finished job ended that is in no partition of a day. */
	public Optional<Instant> oldestWithoutDay() {
		return this.jdbc
			.query(Sql.in(this.schema, OLDEST_WITHOUT_DAY),
					(row, index) -> Optional.ofNullable(Sql.instant(row, "min")))
			.get(0);
	}

	/**
	 * Deletes the finished jobs of a stretch of time that may not become as old as that.
	 * @param ages how old they may become
	 * @param age those that may become older stay
	 * @param from the beginning of the stretch
	 * @param to the end of the stretch
	 * @return how many
	 */
	public int deleteFinished(FinishedAges ages, Duration age, Instant from, Instant to) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_FINISHED), (statement) -> {
			List<Rule> rules = Rule.of(ages);
			statement.setObject(1, from.atOffset(ZoneOffset.UTC));
			statement.setObject(2, to.atOffset(ZoneOffset.UTC));
			statement.setLong(3, Sql.micros(age));
			statement.setArray(4, Sql.array(statement, "text", rules, Rule::state));
			statement.setArray(5, Sql.array(statement, "text", rules, Rule::queue));
			statement.setArray(6, Sql.array(statement, "bigint", rules, (rule) -> Sql.micros(rule.age())));
			statement.setLong(7, Sql.micros(ages.succeeded()));
			statement.setLong(8, Sql.micros(ages.cancelled()));
		});
	}

	/**
	 * Deletes jobs that failed for good long ago.
	 * @param age how old they may become
	 * @param queues the queues whose jobs have an age of their own
	 * @param limit the most jobs
	 * @return how many
	 */
	public int deleteFailed(Duration age, Map<String, Duration> queues, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_FAILED), (statement) -> {
			List<Map.Entry<String, Duration>> own = List.copyOf(queues.entrySet());
			statement.setArray(1, Sql.array(statement, "text", own, Map.Entry::getKey));
			statement.setArray(2, Sql.array(statement, "bigint", own, (queue) -> Sql.micros(queue.getValue())));
			statement.setLong(3, Sql.micros(age));
			statement.setInt(4, limit);
			statement.setInt(5, limit);
		});
	}

	/** Deletes unique keys that are no longer taken. */
	public int deleteKeys(int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_KEYS), limit);
	}

	/**
	 * Deletes what handlers told of their progress.
	 * @param age how old it may become
	 * @param after the job to begin behind
	 * @param limit the most jobs to look at
	 * @return the last of them; nothing: there are no more
	 */
	public Optional<Long> deleteProgress(Duration age, long after, int limit) {
		return this.jdbc
			.query(Sql.in(this.schema, DELETE_PROGRESS), (row, index) -> row.getLong("job_id"), after, limit,
					Sql.micros(age), Sql.micros(age), limit - 1)
			.stream()
			.findFirst();
	}

	/** Deletes flows that have been over for so long. */
	public int deleteFlows(Duration age, int limit) {
		long micros = Sql.micros(age);
		return this.jdbc.update(Sql.in(this.schema, DELETE_FLOWS), micros, micros, limit);
	}

	/** Deletes batches that have been over for so long; their jobs stay. */
	public int deleteBatches(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_BATCHES), Sql.micros(age), limit);
	}

	/** Deletes what was kept for jobs that run after others and are in no flow. */
	public int deleteResults(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_RESULTS), Sql.micros(age), limit);
	}

	/** Deletes records of failed attempts. */
	public int deleteFailures(Duration age, int limit) {
		return this.jdbc.update(Sql.in(this.schema, DELETE_FAILURES), Sql.micros(age), limit);
	}

	/** A queue that differs. */
	private record Rule(String state, String queue, Duration age) {

		static List<Rule> of(FinishedAges ages) {
			List<Rule> rules = new ArrayList<>();
			ages.succeededOf().forEach((queue, age) -> rules.add(new Rule("succeeded", queue, age)));
			ages.cancelledOf().forEach((queue, age) -> rules.add(new Rule("cancelled", queue, age)));
			return rules;
		}

	}

}
