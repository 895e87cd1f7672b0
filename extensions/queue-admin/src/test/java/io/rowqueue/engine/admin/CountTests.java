package io.rowqueue.engine.admin;

import java.time.Duration;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobCount;
import io.rowqueue.engine.job.QueueRanking;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** How many jobs there are in which state. */
class CountTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void anEmptyQueueHasNoCounts() {
		assertThat(count()).isEmpty();
	}

	@Test
	void jobsAreCountedByQueueAndState() {
		long dead = database.worker();
		long gone = database.worker();
		database.lease(dead, "stuck");
		database.lease(gone, "stuck");
		database.jobs().leases().running(gone, List.of(database.lease(gone, "stuck")));
		database.jobs().leases().running(this.worker, List.of(database.lease(this.worker, "running")));
		database.lease(this.worker, "starting");
		database.jobs()
			.outcomes()
			.fail(this.worker, List.of(new Failure(database.lease(this.worker, "failed"), "error", null)));
		database.jobs().succeed(this.worker, List.of(database.lease(this.worker, "succeeded")));
		database.enqueue(JobRequest.of("a").queue("mail"), JobRequest.of("b").queue("mail").priority(3),
				JobRequest.of("a").queue("zzz"), JobRequest.of("a").delay(Duration.ofDays(1)),
				JobRequest.of("a").queue("mail").delay(Duration.ofDays(1)));
		database.enqueue(JobRequest.of("after").queue("zzz").after(database.enqueue(JobRequest.of("b").queue("zzz"))));
		database.kill(dead);
		database.delete(gone);
		assertThat(count()).containsExactlyInAnyOrder(new JobCount("default", "stuck", 3),
				new JobCount("default", "running", 1), new JobCount("default", "starting", 1),
				new JobCount("default", "failed", 1), new JobCount("default", "scheduled", 1),
				new JobCount("mail", "queued", 2), new JobCount("mail", "scheduled", 1),
				new JobCount("zzz", "queued", 2), new JobCount("zzz", "blocked", 1));
	}

	@Test
	void countingStopsAtTheMaximumCount() {
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now(), now(), 'queued', 'default', 'type' from generate_series(1, ?)""",
				JobCount.MAX_COUNT + 10);
		assertThat(count()).containsExactly(new JobCount("default", "queued", JobCount.MAX_COUNT));
	}

	@Test
	void inventedQueuesHideNoneThatAWorkerNames() {
		database.workers().register(WorkerIdentities.of("test", List.of("mail", "*"), List.of("type")));
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now(), now(), 'queued', 'invented-' || i, 'type' from generate_series(1, 3000) i""");
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now(), now(), 'queued', 'mail', 'type' from generate_series(1, 50)""");
		assertThat(count()).hasSize(QueueRanking.MAX_QUEUES + 1).contains(new JobCount("mail", "queued", 50));
		assertThat(count().stream().mapToLong(JobCount::jobs).sum()).isEqualTo(3050);
	}

	private static List<JobCount> count() {
		return new OverviewStore(database.queueDatabase()).count();
	}

}
