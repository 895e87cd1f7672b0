package io.rowqueue.engine.admin;

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

	@Test
	void anIdleWorkerIsAliveBetweenItsHeartbeats() {
		database.update("update {schema}.worker set idle_interval = interval '10 minutes'");
		database.silence(this.worker, Duration.ofMinutes(10));
		assertThat(database.list("select alive from {schema}.workers", Boolean.class)).containsExactly(true);
	}

	@Test
	void theViewsShowWhatHandlersLogAndWaitFor() {
		long job = database.enqueue(JobRequest.of("type").delay(Duration.ofHours(1)));
		database.update("""
				insert into {schema}.job_wait (job_id, kind, name, lease, began_at, until)
				values (?, 'signal', 'approval', 0, now(), now())""", job);
		database.update("""
				insert into {schema}.job_log (job_id, lease, part, attempt, lines)
				values (?, 1, 1, 1, '[{"text": "first"}, {"text": "second"}]')""", job);
		assertThat(database.list("select name from {schema}.waiting_jobs where waits_for = 'signal'", String.class))
			.containsExactly("approval");
		assertThat(database.list("select text from {schema}.job_logs where job_id = " + job, String.class))
			.containsExactly("first", "second");
	}

}
