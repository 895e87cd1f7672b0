package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class PromoteTaskTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps();

	private final PromoteTask task = new PromoteTask(new MaintenanceStore(this.engine.queueDatabase()), this.wakeUps);

	@Test
	void promotionMakesADelayedJobRunOnAWorkerThatOnlyListens() {
		this.engine.process().withMaintenance().withoutPolling().handle("test", (payload, context) -> {
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("test").delay(Duration.ofMillis(50)));
		long later = this.engine.enqueue(JobRequest.of("test").delay(Duration.ofHours(1)));
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.engine.job(later).state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void promotionLetsAWorkerRetryAfterItsPause() {
		CountDownLatch first = new CountDownLatch(1);
		this.engine.process()
			.withMaintenance()
			.withoutPolling()
			.retry((attempt, error) -> Duration.ofMillis(10))
			.handle("test", (payload, context) -> {
				if (context.attempt() == 1) {
					first.countDown();
					throw new IllegalStateException("once");
				}
			})
			.startAndListen();
		assertThat(this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED).attempt()).isEqualTo(2);
	}

	@Test
	void promotionFindsAJobThatWasCommittedLongAfterItWasDue() {
		this.task.run();
		this.engine.jdbc()
			.update("insert into rowqueue.job (run_at, order_at, state, queue, type)"
					+ " values (now() - interval '1 hour', now() - interval '1 hour', 'scheduled', 'default', 'test')");
		await("a pass over all").until(() -> {
			this.task.run();
			return this.engine.jobs(JobState.QUEUED) == 1;
		});
	}

	@Test
	void promotionContinuesWhenTheClockOfTheServerWentBack() {
		this.engine.process().withMaintenance().handle("test", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue(JobRequest.of("test").delay(Duration.ofMillis(50))),
				JobState.SUCCEEDED);
		await("a pass over all").until(() -> this.engine.count("maintenance_task where taken_at is not null") > 0);
		this.engine.jdbc()
			.update("update rowqueue.maintenance_task set next_run_at = next_run_at + interval '1 hour',"
					+ " taken_at = taken_at + interval '1 hour', mark = mark + interval '1 hour'");
		this.engine.awaitState(this.engine.enqueue(JobRequest.of("test").delay(Duration.ofSeconds(1))),
				JobState.SUCCEEDED);
	}

	@Test
	void promotionContinuesIfOneOfItsPartsFails() {
		this.engine.jdbc().update("insert into rowqueue.batch (name, closed_at) values ('batch', now())");
		this.engine.jdbc().update("insert into rowqueue.batch_delta (batch_id) select id from rowqueue.batch");
		String settle = "alter function rowqueue.%s rename to %s";
		this.engine.jdbc().execute(settle.formatted("settle_dependencies", "settle_nothing"));
		try {
			assertThatThrownBy(this.task::run).hasMessageContaining("settle_dependencies");
		}
		finally {
			this.engine.jdbc().execute(settle.formatted("settle_nothing", "settle_dependencies"));
		}
		assertThat(this.engine.count("batch where finished_at is not null")).isEqualTo(1);
	}

	@Test
	void promotionMovesAllDueJobsAndWakesTheirQueues() {
		List<String> woken = new ArrayList<>();
		this.wakeUps.listen((arrivals) -> woken.addAll(arrivals.queues()));
		Duration delay = Duration.ofMillis(1);
		this.engine.queue().enqueueAll(Collections.nCopies(6000, JobRequest.of("test").queue("many").delay(delay)));
		this.engine.queue().enqueueAll(Collections.nCopies(10, JobRequest.of("test").queue("few").delay(delay)));
		this.engine.enqueue(JobRequest.of("test").queue("later").delay(Duration.ofHours(1)));
		await().until(() -> this.engine.count("job where state = 'scheduled' and run_at > clock_timestamp()") == 1);
		this.task.run();
		assertThat(this.engine.jobs(JobState.SCHEDULED)).isEqualTo(1);
		assertThat(woken).contains("many", "few").doesNotContain("later");
		woken.clear();
		this.task.run();
		assertThat(woken).isEmpty();
	}

}
