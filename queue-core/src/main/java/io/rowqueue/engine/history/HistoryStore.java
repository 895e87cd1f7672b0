package io.rowqueue.engine.history;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/**
 * The history of finished jobs: creates and drops its partitions, and deletes old jobs of
 * the remaining ones. Other data of jobs is deleted by {@link CleanupStore}. All methods
 * throw {@link org.springframework.dao.DataAccessException} if the database rejects a
 * statement or is not available.
 */
final class HistoryStore {

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
	 * Jobs that finished while there was no partition for their day are in the default
	 * partition. They are moved, since PostgreSQL would reject the new partition
	 * otherwise. It also reads the whole default partition while no job can end, and is
	 * therefore not executed if that is large.
	 */
	private static final String CREATE_PARTITION = """
			if to_regclass('{schema}.%1$s') is null then
				if pg_relation_size('{schema}.job_finished_default') > %4$s then
					raise object_not_in_prerequisite_state using message = format(
						'%%s are in job_finished_default, which is too large to be read while jobs end',
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

	/** Reading a default partition of this size takes some tens of milliseconds. */
	private static final long MAX_DEFAULT_PARTITION_BYTES = 64 << 20;

	private static final String OLDEST_WITHOUT_DAY = "select min(finished_at) from {schema}.job_finished_default";

	/** The time determines the partition of the day, and a few blocks of it. */
	private static final String DELETE_FINISHED = """
			delete from {schema}.job_finished f
			where f.finished_at >= ? and f.finished_at < ?
				and ? >= coalesce((
						select t.age from unnest(?::text[], ?::bigint[]) as t (type, age) where t.type = f.type),
					(
						select r.age from unnest(?::text[], ?::text[], ?::bigint[]) as r (state, queue, age)
						where r.state = f.state::text and r.queue = f.queue),
					case f.state when 'succeeded' then ?::bigint else ?::bigint end)""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public HistoryStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns the current day of the database's clock, by UTC. */
	public LocalDate today() {
		return this.database.query(TODAY, (row, index) -> row.getObject(1, LocalDate.class)).get(0);
	}

	/** Returns the days that have a partition of finished jobs. */
	public List<HistoryPartition> partitions() {
		return this.database.query(PARTITIONS, (row, index) -> HistoryPartition.named(row.getString(1)))
			.stream()
			.flatMap(Optional::stream)
			.toList();
	}

	/**
	 * Creates the partition of a day; requires the privilege to create tables. Fails soon
	 * if another session reads the history, and at once if the default partition is
	 * large.
	 * @throws org.springframework.dao.TransientDataAccessException if it should be
	 * repeated later
	 */
	public void createPartition(HistoryPartition partition) {
		createPartition(partition, MAX_DEFAULT_PARTITION_BYTES);
	}

	public void createPartition(HistoryPartition partition, long mostInDefault) {
		changeHistory(CREATE_PARTITION.formatted(partition.name(), partition.day(), partition.day().plusDays(1),
				mostInDefault));
	}

	/**
	 * Drops the finished jobs of a day; requires the ownership of the table. Fails soon
	 * if another session reads the history.
	 * @throws org.springframework.dao.TransientDataAccessException if it should be
	 * repeated later
	 */
	public void dropPartition(HistoryPartition partition) {
		changeHistory("drop table if exists {schema}.%s".formatted(partition.name()));
	}

	private void changeHistory(String statement) {
		String change = CHANGE_HISTORY.formatted(statement).replace("{quote}", this.database.schema().dollarQuote());
		this.database.jdbc().execute(Sql.in(this.database.schema(), change));
	}

	/** Returns the current time of the database's clock. */
	public Instant now() {
		return this.database.now();
	}

	/** Returns when the oldest job in the default partition finished. */
	public Optional<Instant> oldestWithoutDay() {
		return this.database.query(OLDEST_WITHOUT_DAY, (row, index) -> Optional.ofNullable(Sql.instant(row, "min")))
			.get(0);
	}

	/**
	 * Deletes finished jobs of a period that have reached their maximum age.
	 * @param retention the maximum ages
	 * @param age the age to delete; jobs with a higher maximum age are kept
	 * @param from the beginning of the period
	 * @param to the end of the period
	 * @return how many were deleted
	 */
	public int deleteFinished(Retention retention, Duration age, Instant from, Instant to) {
		return this.database.update(DELETE_FINISHED, (statement) -> {
			List<Map.Entry<String, Duration>> types = List.copyOf(retention.types().entrySet());
			List<Rule> rules = Rule.of(retention.queues());
			statement.setObject(1, from.atOffset(ZoneOffset.UTC));
			statement.setObject(2, to.atOffset(ZoneOffset.UTC));
			statement.setLong(3, Sql.micros(age));
			statement.setArray(4, Sql.array(statement, "text", types, Map.Entry::getKey));
			statement.setArray(5, Sql.array(statement, "bigint", types, (type) -> Sql.micros(type.getValue())));
			statement.setArray(6, Sql.array(statement, "text", rules, Rule::state));
			statement.setArray(7, Sql.array(statement, "text", rules, Rule::queue));
			statement.setArray(8, Sql.array(statement, "bigint", rules, (rule) -> Sql.micros(rule.age())));
			statement.setLong(9, Sql.micros(retention.ages().succeeded()));
			statement.setLong(10, Sql.micros(retention.ages().cancelled()));
		});
	}

	/** A queue with a different age. */
	private record Rule(String state, String queue, Duration age) {

		static List<Rule> of(Map<String, Retention.Ages> queues) {
			List<Rule> rules = new ArrayList<>();
			queues.forEach((queue, ages) -> {
				rules.add(new Rule("succeeded", queue, ages.succeeded()));
				rules.add(new Rule("cancelled", queue, ages.cancelled()));
			});
			return rules;
		}

	}

}
