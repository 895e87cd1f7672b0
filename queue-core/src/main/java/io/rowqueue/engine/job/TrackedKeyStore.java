package io.rowqueue.engine.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs with unique keys whose end affects others: jobs of flows and batches. Where
 * a key is taken, the existing job is returned, and not locked.
 */
public final class TrackedKeyStore {

	private static final String TRACK = """
			update {schema}.job j set tracked = true, batch_id = ?,
				state = (case when u.blocked then 'blocked' else j.state::text end)::{schema}.job_state
			from unnest(?::bigint[], ?::boolean[]) as u (id, blocked) where j.id = u.id""";

	/**
	 * A key can be kept for longer than the history keeps its job: the row of the key
	 * then contains whether the job did not succeed.
	 */
	private static final String STATES = """
			select u.id, case when not exists (select from {schema}.job j where j.id = u.id)
				and not exists (select from {schema}.job_follow_up f where f.id = u.id)
				then coalesce((select f.state::text from {schema}.job_finished f where f.id = u.id limit 1),
					(select 'cancelled' from {schema}.taken_key t where t.unique_key = u.unique_key and t.unsuccessful_id = u.id),
					'succeeded') end as state
			from unnest(?::bigint[], ?::text[]) as u (id, unique_key)""";

	private final QueueDatabase database;

	private final KeyedStatement keyed;

	/**
	 * Creates the statements.
	 * @param database the database as the application sees it
	 */
	public TrackedKeyStore(QueueDatabase database) {
		this.database = database;
		this.keyed = new KeyedStatement(database);
	}

	/** Stores jobs, and returns one result for each in the same order. */
	public List<EnqueueResult> store(List<NewJob> jobs) {
		return this.keyed.execute(jobs);
	}

	/**
	 * Makes new jobs notify others of their end.
	 * @param blocked the ids of the jobs, and whether they wait for others
	 * @param batchId the batch that they are counted in, or {@code null}
	 */
	public void track(Map<Long, Boolean> blocked, @Nullable Long batchId) {
		if (!blocked.isEmpty()) {
			this.database.update(TRACK,
					(statement) -> new Parameters(statement).numberOrNull(batchId)
						.numbers(blocked.keySet())
						.array("boolean", blocked.values(), (each) -> each));
		}
	}

	/**
	 * Returns the existing jobs as members of a flow, by their ids.
	 * @param jobs the jobs that were to be stored
	 * @param results their results, in the same order
	 */
	Map<Long, FlowMember> existing(List<NewJob> jobs, List<EnqueueResult> results) {
		Map<Long, String> keys = new LinkedHashMap<>();
		for (int i = 0; i < jobs.size(); i++) {
			if (results.get(i).outcome() != Outcome.CREATED) {
				keys.put(results.get(i).id(), key(jobs.get(i)));
			}
		}
		Map<Long, FlowMember> members = new LinkedHashMap<>();
		if (!keys.isEmpty()) {
			this.database.query(STATES,
					(statement) -> new Parameters(statement).numbers(keys.keySet()).texts(keys.values()),
					(row) -> members.put(row.getLong("id"),
							new FlowMember(row.getLong("id"), row.getString("state"), null)));
		}
		return members;
	}

	private static String key(NewJob job) {
		return Objects.requireNonNull(job.request().unique()).value();
	}

}
