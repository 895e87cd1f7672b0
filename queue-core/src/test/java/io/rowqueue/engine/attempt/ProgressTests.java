package io.rowqueue.engine.attempt;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.JobState;
import io.rowqueue.StopReason;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What handlers tell of their progress. */
class ProgressTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch goOn = new CountDownLatch(1);

	@Test
	void progressCanBeReadWhileTheJobRuns() {
		this.engine.process().handle("test", (payload, context) -> {
			context.progress(1, 10, "reading");
			context.progress(2, 10, "writing");
			this.goOn.await();
		}).start();
		long id = this.engine.enqueue("test");
		await().until(() -> awaitProgress(id).done() == 2);
		JobProgress progress = awaitProgress(id);
		assertThat(progress.total()).isEqualTo(10);
		assertThat(progress.message()).isEqualTo("writing");
		this.goOn.countDown();
	}

	@Test
	void changedProgressIsStoredAgain() {
		CountDownLatch seen = new CountDownLatch(1);
		this.engine.process().handle("test", (payload, context) -> {
			context.progress(1, 2, null);
			this.goOn.await();
			context.progress(2, 2, null);
			seen.await();
		}).start();
		long id = this.engine.enqueue("test");
		awaitProgress(id);
		this.goOn.countDown();
		await().until(() -> awaitProgress(id).done() == 2);
		seen.countDown();
	}

	@Test
	void theLastOneIsKeptWithTheFinishedJob() {
		this.engine.process().handle("test", (payload, context) -> context.progress(10, 10, "done")).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(job.progress()).isNotNull().extracting(JobProgress::message).isEqualTo("done");
	}

	@Test
	void theLastOneIsKeptWithTheFailedJob() {
		this.engine.process().maxAttempts(1).handle("test", (payload, context) -> {
			context.progress(3, 10, null);
			throw new IllegalStateException("as planned");
		}).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED);
		assertThat(job.progress()).isNotNull().extracting(JobProgress::done).isEqualTo(3L);
	}

	@Test
	void progressOfATransactionalJobIsVisibleBeforeAndAfterItsCommit() {
		this.engine.process().application(this.engine.pool(4)).handleInTransaction("test", (payload, context) -> {
			context.progress(1, 2, null);
			this.goOn.await();
			context.progress(2, 2, null);
		}).start();
		long id = this.engine.enqueue("test");
		awaitProgress(id);
		this.goOn.countDown();
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).progress()).isNotNull()
			.extracting(JobProgress::done)
			.isEqualTo(2L);
	}

	@Test
	void aHandlerThatReportsNothingHasNoProgress() {
		this.engine.process().handle("test", (payload, context) -> {
		}).start();
		assertThat(this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED).progress()).isNull();
		assertThat(this.engine.count("job_progress")).isZero();
	}

	@Test
	void aMessageIsCutAndMadeStorable() {
		this.engine.process()
			.handle("test", (payload, context) -> context.progress(0, 0, "\0" + "x".repeat(1000)))
			.start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(job.progress()).isNotNull();
		assertThat(job.progress().message()).isEqualTo("\uFFFD" + "x".repeat(499) + " ...");
	}

	@Test
	void negativeNumbersAreRefused() {
		this.engine.process()
			.maxAttempts(1)
			.handle("test", (payload, context) -> context.progress(-1, 0, null))
			.start();
		assertThat(this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED).lastError())
			.contains("done must not be negative: -1");
	}

	@Test
	void progressOfAStaleWorkerIsRejected() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		this.engine.process().maxAttempts(3).handle("test", (payload, context) -> {
			if (context.leaseToken() == 1) {
				running.countDown();
				Async.awaitDeaf(second);
				context.progress(99, 99, "stale");
				this.goOn.countDown();
				return;
			}
			context.progress(1, 2, "current");
			second.countDown();
			this.goOn.await();
		}).start();
		long id = this.engine.enqueue("test");
		running.await();
		this.engine.recoverUntil(() -> second.getCount() == 0);
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).progress()).isNotNull()
			.extracting(JobProgress::message)
			.isEqualTo("current");
	}

	@Test
	void aHandlerWhoseReportIsRefusedIsToldThatItsLeaseWasLost() {
		CompletableFuture<StopReason> reason = new CompletableFuture<>();
		this.engine.process().handle("test", (payload, context) -> {
			for (int done = 0; !context.stopRequested(); done++) {
				context.progress(done, 0, null);
			}
			reason.complete(context.stopReason());
		}).start();
		long id = this.engine.enqueue("test");
		awaitProgress(id);
		this.engine.jdbc().update("update rowqueue.job set lease = lease + 1 where id = ?", id);
		assertThat(reason).succeedsWithin(Engine.PATIENCE).isEqualTo(StopReason.LEASE_LOST);
	}

	private JobProgress awaitProgress(long id) {
		return await().until(() -> this.engine.job(id).progress(), (progress) -> progress != null);
	}

}
