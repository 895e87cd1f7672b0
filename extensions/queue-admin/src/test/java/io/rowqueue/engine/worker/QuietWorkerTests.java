package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.Verdict;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Workers that claim no more jobs until they are resumed. */
@Execution(ExecutionMode.CONCURRENT)
class QuietWorkerTests {

	private static final Duration LONG = Duration.ofHours(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch runs = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void whatRunsGoesOnAndWhatHasNotStartedIsReleased() throws InterruptedException {
		TestProcess process = process();
		long running = this.engine.enqueue(JobRequest.of("work", "block"));
		this.runs.await();
		List<Long> waiting = List.of(this.engine.enqueue("work"), this.engine.enqueue("work"));
		await().until(() -> this.engine.leased() == 3);
		long worker = worker();
		assertThat(Administration.of(this.engine).quietWorker(worker)).isEqualTo(WorkerResult.REQUESTED);
		assertThat(Administration.of(this.engine).quietWorker(worker)).isEqualTo(WorkerResult.UNCHANGED);
		await().until(() -> this.engine.leased() == 1);
		assertThat(this.engine.job(waiting.get(0)).attempt()).isZero();
		this.release.countDown();
		this.engine.awaitState(running, JobState.SUCCEEDED);
		Explanation explanation = Administration.of(this.engine).explain(waiting.get(0));
		assertThat(explanation.verdict()).isEqualTo(Verdict.NO_WORKER_FOR_QUEUE);
		assertThat(explanation.summary()).contains("or those that have are quiet");
		assertThat(this.engine.count("workers where quiet")).isEqualTo(1);
		assertThat(process.prefetched()).isZero();
		assertThat(Administration.of(this.engine).resumeWorker(worker)).isEqualTo(WorkerResult.REQUESTED);
		assertThat(Administration.of(this.engine).resumeWorker(worker)).isEqualTo(WorkerResult.UNCHANGED);
		waiting.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
	}

	@Test
	void anotherWorkerRunsTheJobs() throws InterruptedException {
		process();
		this.engine.enqueue(JobRequest.of("work", "block"));
		this.runs.await();
		long waiting = this.engine.enqueue("work");
		await().until(() -> this.engine.leased() == 2);
		Administration.of(this.engine).quietWorker(worker());
		this.engine.process().handle("work", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(waiting, JobState.SUCCEEDED);
		this.release.countDown();
	}

	@Test
	void aJobThatIsEnqueuedByItsProcessDoesNotStartDirectly() {
		TestProcess process = this.engine.process().directStart().handle("other", (payload, context) -> {
		}).startAndListen();
		process.awaitIdleSlot("default", "other");
		Administration.of(this.engine).quietWorker(worker());
		awaitAnsweredHeartbeat();
		long id = process.queue().enqueue(JobRequest.of("other")).id();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		Administration.of(this.engine).resumeWorker(worker());
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	/** Its host is about to be maintained, whatever the network does. */
	@Test
	void theWorkerThatReplacesAQuietOneWhichWasDeclaredDeadIsQuiet() {
		TestProcess process = this.engine.process().directStart().handle("work", (payload, context) -> {
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("work"), JobState.SUCCEEDED);
		long before = worker();
		Administration.of(this.engine).quietWorker(before);
		awaitAnsweredHeartbeat();
		this.engine.jdbc().update("update rowqueue.worker set dead_at = clock_timestamp() where id = ?", before);
		await().until(() -> this.engine.count("worker where dead_at is null and session_locked") == 1);
		assertThat(this.engine.count("workers where alive and quiet")).isEqualTo(1);
		long id = process.queue().enqueue(JobRequest.of("work")).id();
		awaitAnsweredHeartbeat();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		Administration.of(this.engine).resumeWorker(worker());
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aWorkerThatIsRestartedIsNotQuiet() {
		this.engine.process().handle("work", (payload, context) -> {
		}).startAndListen();
		long before = worker();
		Administration.of(this.engine).quietWorker(before);
		Administration.of(this.engine).restartWorker(before);
		await().until(() -> this.engine.count("worker where id <> ?", before) == 1);
		this.engine.awaitState(this.engine.enqueue("work"), JobState.SUCCEEDED);
	}

	/** A worker sends a heartbeat only after it has done what the last answer said. */
	private void awaitAnsweredHeartbeat() {
		long beats = heartbeats();
		await().until(() -> heartbeats() > beats + 1);
	}

	private long heartbeats() {
		return this.engine.number("select max(heartbeats) from rowqueue.worker where dead_at is null");
	}

	@Test
	void aWorkerThatNoLongerLivesIsNotFound() {
		TestProcess process = this.engine.process().handle("work", (payload, context) -> {
		}).startAndListen();
		JobAdmin admin = Administration.of(this.engine);
		long dead = worker();
		this.engine.jdbc().update("update rowqueue.worker set dead_at = clock_timestamp()");
		assertThat(admin.quietWorker(dead)).as("it was declared dead").isEqualTo(WorkerResult.NOT_FOUND);
		assertThat(admin.resumeWorker(dead)).isEqualTo(WorkerResult.NOT_FOUND);
		assertThat(admin.restartWorker(dead)).isEqualTo(WorkerResult.NOT_FOUND);
		assertThat(admin.changeSlots(dead, "*", 2)).isEqualTo(WorkerResult.NOT_FOUND);
		await("its process has another one")
			.until(() -> this.engine.number("select count(*) from rowqueue.worker where dead_at is null") == 1);
		long stopped = worker();
		process.stop();
		assertThat(admin.quietWorker(stopped)).as("its process has ended").isEqualTo(WorkerResult.NOT_FOUND);
		assertThat(admin.resumeWorker(stopped)).isEqualTo(WorkerResult.NOT_FOUND);
		assertThat(admin.restartWorker(stopped)).isEqualTo(WorkerResult.NOT_FOUND);
	}

	private long worker() {
		return this.engine.number("select id from rowqueue.worker where dead_at is null");
	}

	/**
	 * Has learned that its jobs are short, so that it prefetches some. It releases them
	 * only because it is quiet, and not because their slot does not become free.
	 */
	private TestProcess process() {
		TestProcess process = this.engine.process()
			.concurrency(1)
			.prefetch(5)
			.prefetchWait(LONG)
			.handle("work", (payload, context) -> {
				if ("block".equals(payload)) {
					this.runs.countDown();
					this.release.await();
				}
			})
			.startAndListen();
		this.engine.queue().enqueueAll(Collections.nCopies(200, JobRequest.of("work")));
		this.engine.awaitAllOver();
		return process;
	}

}
