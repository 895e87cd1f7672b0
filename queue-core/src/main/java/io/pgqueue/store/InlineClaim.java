package io.pgqueue.store;

import java.util.Collection;
import java.util.Optional;

import io.pgqueue.schema.SchemaName;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Leases due jobs one by one, which keeps any limit of a key, in the order in which
 * workers take them, among the jobs that were enqueued after a certain one. For tests: it
 * looks at each of these jobs.
 */
public final class InlineClaim {

	private static final String CLAIM = """
			with next as materialized (
				select j.ctid as tid, j.id
				from {schema}.job j
				where j.id > ? and j.type = any (?)
					and (j.state = 'queued' or (j.state = 'scheduled' and j.run_at <= clock_timestamp())
						or j.awaits_key)
					and not exists (select from {schema}.pause p
						where (p.kind, p.name) in (('queue', j.queue), ('type', j.type)) and (p.open_from is null
							or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until))
				order by j.priority desc, j.order_at, j.id
				limit 1 for no key update of j skip locked),
			noted as (
				insert into {schema}.claim (worker_id, job_ids) select ?, array_agg(id) from next having count(*) > 0)
			update {schema}.job j
			set state = 'starting', awaits_key = null, attempt = least(j.attempt, 32766) + 1, lease = j.lease + 1, worker_id = ?,
				leased_at = clock_timestamp()
			where j.ctid = any (array(select tid from next))
			returning
			"""
			+ ClaimStatement.RECORD;

	private static final String RELEASE_FOLLOW_UPS = """
			select {schema}.release_follow_up(unique_key) from {schema}.job_follow_up where id > ? order by id""";

	private static final String SETTLE_DEPENDENCIES = "select {schema}.settle_dependencies(1000, ?)";

	private static final String GO_ON_WITH_ENDS = "select {schema}.go_on_with_ends(1000)";

	private static final String ROLL_UP_BATCHES = "select {schema}.roll_up_batches(100000)";

	private final JdbcOperations jdbc;

	private final String claim;

	private final String settleDependencies;

	private final String goOnWithEnds;

	private final String rollUpBatches;

	private final String releaseFollowUps;

	/**
	 * Creates the claim.
	 * @param jdbc runs statements, in the transaction of the calling thread if there is
	 * one
	 * @param schema the schema of the tables
	 */
	public InlineClaim(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.claim = Sql.in(schema, CLAIM);
		this.rollUpBatches = Sql.in(schema, ROLL_UP_BATCHES);
		this.goOnWithEnds = Sql.in(schema, GO_ON_WITH_ENDS);
		this.settleDependencies = Sql.in(schema, SETTLE_DEPENDENCIES);
		this.releaseFollowUps = Sql.in(schema, RELEASE_FOLLOW_UPS);
	}

	/**
	 * Leases the most urgent job that is due.
	 * @param workerId who holds it then
	 * @param types the types that it may have
	 * @param after the id that its own is greater than
	 */
	public Optional<ClaimedJob> next(long workerId, Collection<String> types, long after) {
		this.jdbc.query(this.releaseFollowUps, (row) -> {
		}, after);
		this.jdbc.query(this.settleDependencies, (row) -> {
		}, after);
		this.jdbc.query(this.goOnWithEnds, (row) -> {
		});
		this.jdbc.query(this.rollUpBatches, (row) -> {
		});
		return this.jdbc.query(this.claim, (statement) -> {
			statement.setLong(1, after);
			statement.setArray(2, Sql.array(statement, "text", types, (type) -> type));
			statement.setLong(3, workerId);
			statement.setLong(4, workerId);
		}, (row, index) -> ClaimStatement.claimed(row.getBytes(1), 0)).stream().findFirst();
	}

}
