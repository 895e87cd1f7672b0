package io.rowqueue.engine.job;

import java.util.List;
import java.util.Map;

import io.rowqueue.EnqueueResult;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs with unique keys whose end affects others: jobs of flows and batches. Where
 * a key is taken, the existing job is returned or the job rejected, as its policy says;
 * the existing job is not locked.
 */
public final class TrackedKeyStore {

	private static final String TRACK = """
			update {schema}.job j set tracked = true, batch_id = ?,
				state = (case when u.blocked then 'blocked' else j.state::text end)::{schema}.job_state
			from unnest(?::bigint[], ?::boolean[]) as u (id, blocked) where j.id = u.id""";

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

}
