package io.rowqueue.test;

import java.util.Collection;
import java.util.Optional;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.ClaimedJob;

/**
 * Claims due jobs one by one, in the order of workers, among the jobs that were enqueued
 * after a given one. All limits of keys are met. It reads each of these jobs.
 */
final class InlineClaimStore {

	private static final String CLAIM = """
			with next as materialized (
				select j.ctid as tid, j.id
				from {schema}.job j
				where j.id > ? and j.type = any (?)
					and (j.state = 'queued' or (j.state = 'scheduled' and j.run_at <= clock_timestamp())
						or j.awaits_key)
					and not exists (select from {schema}.pause p
						where (p.kind, p.name) in (('queue', j.queue), ('queue', {schema}.queue_class(j.queue)), ('type', j.type),
								('key', j.limit_key)) and {closed})
				order by j.priority desc, j.order_at, j.id
				limit 1 for no key update of j skip locked),
			noted as (
				insert into {schema}.claim (worker_id, job_ids) select ?, array_agg(id) from next having count(*) > 0)
			update {schema}.job j
			set awaits_key = null, {starting}
			where j.ctid = any (array(select tid from next))
			returning
			"""
			+ ClaimStore.RECORD;

	private static final String RELEASE_FOLLOW_UPS = """
			select {schema}.release_follow_up(unique_key) from {schema}.job_follow_up where id > ? order by id""";

	private static final String SETTLE_DEPENDENCIES = "select {schema}.settle_dependencies(1000, ?)";

	private static final String CONTINUE_ENDS = "select {schema}.continue_ends(1000)";

	private static final String ROLL_UP_BATCHES = "select {schema}.roll_up_batches(100000)";

	private final QueueDatabase database;

	/**
	 * Creates the claim.
	 * @param database the database, whose statements take part in the transaction of the
	 * calling thread if there is one
	 */
	InlineClaimStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Claims the most urgent job that is due.
	 * @param workerId the id of the worker that will hold the lease
	 * @param types the types to claim
	 * @param after a lower bound for the ids, exclusive
	 */
	Optional<ClaimedJob> next(long workerId, Collection<String> types, long after) {
		this.database.forEach(RELEASE_FOLLOW_UPS, (row) -> {
		}, after);
		this.database.forEach(SETTLE_DEPENDENCIES, (row) -> {
		}, after);
		this.database.forEach(CONTINUE_ENDS, (row) -> {
		});
		this.database.forEach(ROLL_UP_BATCHES, (row) -> {
		});
		return this.database.query(CLAIM,
				(statement) -> new Parameters(statement).number(after).texts(types).number(workerId).number(workerId),
				(row, index) -> ClaimStore.claimed(row.getBytes(1), 0))
			.stream()
			.findFirst();
	}

}
