package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.IndependentSteps;
import io.rowqueue.engine.maintenance.PeriodicTask;

/**
 * Deletes what jobs have left behind that were handed over to other shards, or were
 * cancelled, besides what the history has: an outbox has no other maintenance.
 */
public final class OutboxCleanupTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMinutes(10);

	private static final int ROWS_PER_BATCH = 5000;

	private static final int MAX_BATCHES_PER_RUN = 20;

	/** Limits count where the jobs run. */
	private static final String KEYS = """
			delete from {schema}.job_key where ctid = any (array(
				select k.ctid from {schema}.job_key k
				where not exists (select from {schema}.job j where j.limit_key = k.limit_key) limit ? for update skip locked))""";

	private static final String POLICIES = """
			delete from {schema}.shard_policy where ctid = any (array(
				select p.ctid from {schema}.shard_policy p
				where not exists (select from {schema}.job j where j.id = p.job_id)
					and not exists (select from {schema}.job_follow_up f where f.id = p.job_id)
				limit ? for update skip locked))""";

	private final QueueDatabase database;

	/**
	 * Creates the task.
	 * @param database the database of the outbox; each statement has a transaction of its
	 * own
	 */
	public OutboxCleanupTask(QueueDatabase database) {
		super("outbox_cleanup", INTERVAL);
		this.database = database;
	}

	@Override
	public boolean isLong() {
		return true;
	}

	/** Nothing here is urgent. */
	@Override
	public Duration lookEvery() {
		return Duration.ofMinutes(1);
	}

	@Override
	public void run() {
		IndependentSteps steps = new IndependentSteps();
		List.of(KEYS, POLICIES).forEach((statement) -> steps.run(() -> delete(statement)));
		steps.end();
	}

	/** What is left is deleted by the next run. */
	private void delete(String statement) {
		int deleted = ROWS_PER_BATCH;
		for (int i = 0; i < MAX_BATCHES_PER_RUN && deleted == ROWS_PER_BATCH; i++) {
			deleted = this.database.update(statement, ROWS_PER_BATCH);
		}
	}

}
