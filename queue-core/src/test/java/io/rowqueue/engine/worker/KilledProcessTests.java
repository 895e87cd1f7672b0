package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnseenRuns;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What it costs the jobs that a process held when it was killed. */
@Execution(ExecutionMode.CONCURRENT)
class KilledProcessTests {

	private static final Duration LONG = Duration.ofHours(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final RecoveryStore others = this.engine.recovery();

	@Test
	void jobsThatWaitedForASlotLoseNoAttemptAndTheOneThatRanDoes() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch killed = new CountDownLatch(1);
		TestProcess mortal = this.engine.process()
			.concurrency(1)
			.prefetchWait(LONG)
			.handle("test", (payload, context) -> {
				if (runs.incrementAndGet() == 50) {
					killed.await();
				}
			})
			.start();
		List<Long> ids = IntStream.range(0, 100)
			.mapToObj((i) -> this.engine.enqueue(JobRequest.of("test").maxAttempts(1)))
			.toList();
		await("one is seen to run, and others wait for its slot")
			.until(() -> this.engine.jobs(JobState.RUNNING) == 1 && this.engine.jobs(JobState.STARTING) > 0);
		mortal.loseDatabase();
		recover();
		assertThat(this.engine.jobs(JobState.FAILED)).as("that one had one attempt").isEqualTo(1);
		assertThat(this.engine.jobs(JobState.STARTING) + this.engine.jobs(JobState.RUNNING)).isZero();
		this.engine.process().handle("test", (payload, context) -> assertThat(context.attempt()).isEqualTo(1)).start();
		this.engine.awaitAllOver();
		assertThat(ids.stream().map(this.engine::job).map(Job::state)).containsOnlyOnce(JobState.FAILED)
			.allMatch((state) -> state == JobState.FAILED || state == JobState.SUCCEEDED);
		killed.countDown();
	}

	@Test
	void aJobThatKillsItsProcessAtOnceEndsAfterOneMoreThanItsAttempts() {
		long poison = this.engine.enqueue(JobRequest.of("poison").maxAttempts(1).priority(1));
		long beside = this.engine.enqueue(JobRequest.of("test").maxAttempts(1));
		AtomicInteger kills = new AtomicInteger();
		CountDownLatch end = new CountDownLatch(1);
		try (UnseenRuns unseen = UnseenRuns.ofFirstLeases(this.engine)) {
			while (this.engine.job(poison).state() != JobState.FAILED) {
				CountDownLatch killed = new CountDownLatch(1);
				TestProcess mortal = this.engine.process().concurrency(1).handle("test", (payload, context) -> {
				}).handle("poison", (payload, context) -> {
					kills.incrementAndGet();
					killed.countDown();
					end.await();
				}).start();
				await().until(() -> killed.getCount() == 0);
				mortal.loseDatabase();
				recover();
				assertThat(kills.get()).isLessThan(10);
			}
		}
		assertThat(kills).hasValue(2);
		assertThat(this.engine.failures(poison)).hasSize(1);
		this.engine.process().handle("test", (payload, context) -> {
		}).start();
		this.engine.awaitState(beside, JobState.SUCCEEDED);
		end.countDown();
	}

	/**
	 * Both come back at the same time, each time: the one that kills has to be told from
	 * the one beside it.
	 */
	@Test
	void aJobThatRanBesideOneThatKillsItsProcessDoesNotFailWithIt() {
		long poison = this.engine.enqueue(JobRequest.of("poison").maxAttempts(3).priority(1));
		long beside = this.engine.enqueue(JobRequest.of("test").maxAttempts(3));
		CountDownLatch end = new CountDownLatch(1);
		while (this.engine.job(poison).state() != JobState.FAILED) {
			CountDownLatch killed = new CountDownLatch(1);
			boolean first = this.engine.job(poison).attempt() == 0;
			TestProcess mortal = this.engine.process().concurrency(2).handle("test", (payload, context) -> {
				if (first || killed.getCount() == 0) {
					end.await();
				}
			}).handle("poison", (payload, context) -> {
				killed.countDown();
				end.await();
			}).start();
			await().until(() -> killed.getCount() == 0);
			await("they are seen to run").until(() -> this.engine.jobs(JobState.RUNNING) >= (first ? 2 : 1));
			mortal.loseDatabase();
			recover();
		}
		assertThat(this.engine.failures(beside)).as("the death of the process in which both began").hasSize(1);
		this.engine.process().handle("test", (payload, context) -> {
		}).start();
		this.engine.awaitState(beside, JobState.SUCCEEDED);
		end.countDown();
	}

	@Test
	void aJobThatCameBackIsNotRunByAWorkerThatHasLostItAgain() {
		this.engine.enqueue("test");
		AtomicInteger runs = new AtomicInteger();
		this.engine.jdbc().execute("update rowqueue.job set lease = 1");
		try (UnseenRuns lost = UnseenRuns.ofAll(this.engine)) {
			this.engine.process().withoutPolling().handle("test", (payload, context) -> runs.incrementAndGet()).start();
			await("it is handed back").until(() -> this.engine.number("select max(lease) from rowqueue.job") > 2);
			assertThat(runs).hasValue(0);
		}
	}

	/**
	 * The first hand-back of such a handler costs no attempt, and each further one does.
	 */
	@Test
	void aProcessThatDiesBeforeItHandsBackADeafHandlerAgainCostsTheAttempt() {
		long id = this.engine.enqueue(JobRequest.of("deaf").maxAttempts(2));
		AtomicInteger runs = new AtomicInteger();
		CountDownLatch end = new CountDownLatch(1);
		runDeaf(runs, end).stop();
		assertThat(this.engine.job(id)).satisfies((job) -> {
			assertThat(job.state()).isEqualTo(JobState.QUEUED);
			assertThat(job.attempt()).as("it was handed back at no cost").isZero();
		});
		TestProcess mortal = runDeaf(runs, end);
		mortal.loseDatabase();
		mortal.stop();
		assertThat(this.engine.jobs(JobState.RUNNING)).as("the hand-back did not arrive").isEqualTo(1);
		recover();
		assertThat(this.engine.job(id)).satisfies((job) -> {
			assertThat(job.state()).isEqualTo(JobState.QUEUED);
			assertThat(job.attempt()).isEqualTo(1);
		});
		runDeaf(runs, end).stop();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.FAILED);
		assertThat(this.engine.failures(id)).extracting((failure) -> failure.get("attempt")).containsExactly(1, 2);
		assertThat(runs).as("one more than its attempts").hasValue(3);
		end.countDown();
	}

	/** Returns when the job runs. */
	private TestProcess runDeaf(AtomicInteger runs, CountDownLatch end) {
		int before = runs.get();
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.handle("deaf", (payload, context) -> {
				runs.incrementAndGet();
				while (end.getCount() > 0) {
					try {
						end.await();
					}
					catch (InterruptedException ex) {
						// deaf
					}
				}
			})
			.start();
		await().until(() -> runs.get() == before + 1);
		return process;
	}

	/** What maintenance does when the server has ended the sessions. */
	private void recover() {
		this.engine.declareWorkersDead();
		await().until(() -> {
			this.others.recover(10, 1000);
			return this.engine.leased() == 0;
		});
	}

}
