package io.rowqueue.engine.shard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.rowqueue.engine.database.QueueDatabase;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What passes between databases: taken out of one of them and noted there in one
 * transaction, stored once in the other one, and forgotten in the first.
 */
public final class HandoverStore {

	/** The rows of a page are in memory, here and in both databases. */
	private static final int ROWS = 100;

	/** The next row is as large as it is. */
	private static final int BYTES = 4 << 20;

	private static final String RELEASE_BUCKETS = """
			select moved from {schema}.release_buckets(
				array(select n::smallint from unnest(string_to_array(?, ',')) n), ?::smallint)""";

	private static final String RELEASE_JOBS = "select {schema}.release_jobs(?, ?::smallint)";

	private static final String CONTAINS = """
			select exists (
				select from {schema}.shard_handover_row
				where (content ->> 'id')::bigint = ? and relation in ('job', 'job_follow_up'))""";

	private static final String CONTAINS_KEY = """
			select exists (
				select from {schema}.shard_handover_row
				where content ->> 'unique_key' = ? and relation in ('job', 'job_follow_up'))""";

	/**
	 * Those that can be completed come first: there may be many that cannot. What is
	 * older than all of them, and than a day, was forgotten here long ago: a standby that
	 * takes over may have lost the latest commits.
	 */
	private static final String OPEN = """
			select batch, target, buckets, least(min(batch) over (),
				(extract(epoch from clock_timestamp() - interval '1 day') * 1000)::bigint * 1000) as forgotten_before
			from {schema}.shard_handover
			order by target <> all (array(select n::smallint from unnest(string_to_array(?, ',')) n)), batch limit 100""";

	private static final String IS_OPEN = "select exists (select from {schema}.shard_handover where batch = ?)";

	/** In the order in which they were taken: those of one table together. */
	private static final String NEXT = """
			with next as materialized (
				select id, sum(octet_length(content::text)) over (order by id) - octet_length(content::text) as before from (
					select id, content from {schema}.shard_handover_row where batch = ? and id > ? order by id limit ?) r)
			select r.relation, r.id, r.content::text as content
			from next join {schema}.shard_handover_row r on r.batch = ? and r.id = next.id
			where next.before < ? order by r.id""";

	private static final String RECEIVE = """
			with forgotten as (
				delete from {schema}.shard_received where ctid = any (array(
					select ctid from {schema}.shard_received where source = ? and batch < ? order by batch limit 1000
					for update skip locked)))
			select {schema}.receive_handover(?::smallint, ?, array(select n::smallint from unnest(string_to_array(?, ',')) n))""";

	private static final String STORE = "select {schema}.receive_rows(?, ?::json)";

	private static final String VERSIONS = """
			select string_agg(v.part || ':' || v.version, ',' order by v.part)
			from (select part, max(version) as version from {schema}.schema_version group by part) v""";

	private static final String FORGET = "select {schema}.forget_handover(?)";

	private final QueueDatabase database;

	private final TransactionTemplate transaction;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 * @param dataSource the connections of workers
	 */
	public HandoverStore(QueueDatabase database, DataSource dataSource) {
		this.database = database;
		this.transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	/**
	 * Takes buckets and their jobs out of this shard.
	 * @return the buckets, without those that cannot be moved now
	 */
	List<Integer> releaseBuckets(Collection<Integer> buckets, int target) {
		return this.database
			.query(RELEASE_BUCKETS, (row, index) -> numbers((Object[]) row.getArray(1).getArray()), text(buckets),
					target)
			.get(0);
	}

	/** Takes jobs without keys out of this shard, and returns their number. */
	int releaseJobs(int limit, int target) {
		return this.database.query(RELEASE_JOBS, (row, index) -> row.getInt(1), limit, target).get(0);
	}

	/** Whether a job has left this shard and may not have arrived at another one. */
	boolean contain(long jobId) {
		return this.database.query(CONTAINS, (row, index) -> row.getBoolean(1), jobId).get(0);
	}

	/** The same for the job that has a unique key. */
	boolean containKey(String uniqueKey) {
		return this.database.query(CONTAINS_KEY, (row, index) -> row.getBoolean(1), uniqueKey).get(0);
	}

	/**
	 * Returns what has left this shard and may not have arrived.
	 * @param targets the numbers of the shards that can receive something, whose
	 * handovers come first
	 */
	List<Handover> open(Collection<Integer> targets) {
		return this.database.query(OPEN,
				(row, index) -> new Handover(row.getLong("batch"), row.getInt("target"),
						numbers((Object[]) row.getArray("buckets").getArray()), row.getLong("forgotten_before")),
				text(targets));
	}

	/**
	 * Returns the next rows of a handover that has left this shard.
	 * @throws ConcurrencyFailureException if it is not open any more: the caller was
	 * frozen for so long that the other shard does not remember it either
	 */
	List<Rows> rows(long batch, long after) {
		List<Rows> single = this.database.query(NEXT,
				(row, index) -> new Rows(row.getString("relation"), row.getLong("id"), row.getString("content")), batch,
				after, ROWS, batch, BYTES);
		List<Rows> rows = new ArrayList<>();
		for (int from = 0, to = 0; from < single.size(); from = to) {
			while (to < single.size() && single.get(to).relation().equals(single.get(from).relation())) {
				to++;
			}
			rows.add(Rows.together(single.subList(from, to)));
		}
		if (rows.isEmpty() && after == 0
				&& !this.database.query(IS_OPEN, (row, index) -> row.getBoolean(1), batch).get(0)) {
			throw new ConcurrencyFailureException("Another process has completed the handover " + batch);
		}
		return rows;
	}

	/**
	 * Stores what has left another shard, unless it has arrived before.
	 * @param source the number of the other shard
	 * @param rows returns the rows that follow the one with an id
	 */
	void receive(int source, Handover handover, LongFunction<List<Rows>> rows) {
		this.transaction.executeWithoutResult((status) -> {
			boolean received = this.database
				.query(RECEIVE, (row, index) -> row.getBoolean(1), source, handover.forgottenBefore(), source,
						handover.batch(), text(handover.buckets()))
				.get(0);
			if (received) {
				store(rows);
			}
		});
	}

	private void store(LongFunction<List<Rows>> rows) {
		long after = 0;
		for (List<Rows> next = rows.apply(after); !next.isEmpty(); next = rows.apply(after)) {
			for (Rows each : next) {
				this.database.query(STORE, (row, index) -> "", each.relation(), each.content());
				after = Math.max(after, each.lastId());
			}
		}
	}

	/**
	 * Returns the versions of the tables: what has left another one may have other
	 * columns.
	 */
	String schemaVersions() {
		return this.database.query(VERSIONS, (row, index) -> row.getString(1)).get(0);
	}

	/** Forgets what has arrived at another shard. */
	void forget(long batch) {
		this.database.query(FORGET, (row, index) -> "", batch);
	}

	private static String text(Collection<Integer> buckets) {
		return String.join(",", buckets.stream().map(String::valueOf).toList());
	}

	private static List<Integer> numbers(Object[] array) {
		return IntStream.range(0, array.length).mapToObj((i) -> ((Number) array[i]).intValue()).toList();
	}

	/**
	 * What has left a shard.
	 *
	 * @param batch its number in the shard that it has left
	 * @param target the number of the shard that it goes to
	 * @param buckets the buckets that it is all of; empty: jobs without keys
	 * @param forgottenBefore the number before which the shard that they have left knows
	 * no handovers any more
	 */
	record Handover(long batch, int target, List<Integer> buckets, long forgottenBefore) {
	}

	/**
	 * Rows of a handover.
	 *
	 * @param relation the table that they were in
	 * @param lastId the number of the last one
	 * @param content the rows, as a JSON array
	 */
	record Rows(String relation, long lastId, String content) {

		/** Single rows of one table as an array. */
		private static Rows together(List<Rows> rows) {
			return new Rows(rows.get(0).relation(), rows.get(rows.size() - 1).lastId(),
					rows.stream().map(Rows::content).collect(Collectors.joining(",", "[", "]")));
		}

	}

}
