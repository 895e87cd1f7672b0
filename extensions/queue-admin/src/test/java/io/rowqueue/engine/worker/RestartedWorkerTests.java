package io.rowqueue.engine.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobState;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Workers that are restarted within their process. */
class RestartedWorkerTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch runs = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	private final AtomicInteger attempts = new AtomicInteger();

	@Test
	void runningJobsFinishBeforeANewWorkerTakesItsPlace() throws InterruptedException {
		process();
		long before = worker();
		long running = this.engine.enqueue("work");
		this.runs.await();
		assertThat(Administration.of(this.engine).restartWorker(before)).isEqualTo(WorkerResult.REQUESTED);
		assertThat(Administration.of(this.engine).restartWorker(before)).as("it is about to restart")
			.isEqualTo(WorkerResult.UNCHANGED);
		this.release.countDown();
		this.engine.awaitState(running, JobState.SUCCEEDED);
		await().until(() -> this.engine.workers() == 1 && worker() != before);
		this.engine.awaitState(this.engine.enqueue("work"), JobState.SUCCEEDED);
		assertThat(this.attempts).hasValue(2);
	}

	@Test
	void theApplicationCanStopMeanwhile() throws InterruptedException {
		TestProcess process = process();
		long running = this.engine.enqueue("work");
		this.runs.await();
		Administration.of(this.engine).restartWorker(worker());
		Thread stop = new Thread(process::stop);
		stop.start();
		this.release.countDown();
		stop.join();
		assertThat(this.engine.job(running).state()).isEqualTo(JobState.SUCCEEDED);
		await("no worker is left").until(() -> this.engine.workers() == 0);
	}

	private long worker() {
		return this.engine.number("select coalesce(min(id), 0) from rowqueue.worker where dead_at is null");
	}

	private TestProcess process() {
		return this.engine.process().handle("work", (payload, context) -> {
			this.attempts.incrementAndGet();
			this.runs.countDown();
			this.release.await();
		}).startAndListen();
	}

}
