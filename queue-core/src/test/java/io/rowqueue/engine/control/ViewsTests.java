package io.rowqueue.engine.control;

import java.time.Duration;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What people see who look at the queue with SQL. */
class ViewsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void theViewsCountAWorkerAsLiveForAsLongAsExplanationsAndMetersDo() {
		assertThat(database.list("select pg_get_viewdef('{schema}.workers'::regclass)", String.class)).singleElement()
			.asString()
			.contains("'00:00:" + WorkerStore.LIVING_SECONDS + "'::interval");
	}

	@Test
	void theViewsShowJobsByState() {
		Lease running = database.lease(this.worker, "type");
		database.jobs().leases().running(this.worker, List.of(running));
		long dead = database.worker();
		Lease stuck = database.lease(dead, "type");
		database.kill(dead);
		Lease failed = database.lease(this.worker, "type");
		database.jobs()
			.outcomes()
			.fail(this.worker, List.of(new Failure(failed, "java.io.IOException: gone\n\tat x", null)));
		Lease done = database.lease(this.worker, "type");
		database.jobs().succeed(this.worker, List.of(done));
		database.enqueue(JobRequest.of("type").delay(Duration.ofHours(1)));
		assertThat(database.list("select state from {schema}.jobs_by_state order by state", String.class))
			.containsExactly("failed", "running", "scheduled", "stuck");
		assertThat(database.list("select id from {schema}.running_jobs where held_for > interval '0'", Long.class))
			.containsExactly(running.jobId());
		assertThat(database.list("select id from {schema}.stuck_jobs", Long.class)).containsExactly(stuck.jobId());
		assertThat(
				database.list("select error from {schema}.recent_failures where state = 'failed' and queue = 'default'",
						String.class))
			.containsExactly("java.io.IOException: gone");
		assertThat(database.list("select id from {schema}.workers where alive and held = 1", Long.class))
			.containsExactly(this.worker);
		assertThat(database.query("select sum(succeeded)::integer from {schema}.throughput_by_minute", Integer.class))
			.isEqualTo(1);
	}

}
