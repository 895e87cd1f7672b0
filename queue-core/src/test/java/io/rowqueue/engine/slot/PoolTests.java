package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.JobRunner;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PoolTests {

	private final CompletableFuture<Integer> waiting = new CompletableFuture<>();

	private final SlotListener slots = new SlotListener() {

		@Override
		public void slotFreed(Pool pool, String type) {
		}

		@Override
		public void slotTaken(Pool pool) {
			PoolTests.this.waiting.complete(pool.jobs().waitingCount());
		}

	};

	@Test
	void aPoolReportsThatAnIdleSlotHasTakenAJob() {
		Pool pool = new Pool("*", 1, 0, SlotShare.own(1));
		pool.start(PoolTests::daemon, withoutOutcomes(), (outcome) -> {
		}, this.slots);
		pool.jobs().add(List.of(TestJobs.job(1)));
		assertThat(this.waiting).as("jobs that wait then").succeedsWithin(Engine.PATIENCE).isEqualTo(0);
		pool.jobs().close();
	}

	/** As when there is no memory for it. */
	@Test
	void aSlotContinuesAfterAJobWithoutAnOutcome() {
		Pool pool = new Pool("*", 1, 0, SlotShare.own(1));
		CountDownLatch freed = new CountDownLatch(2);
		pool.start(PoolTests::daemon, withoutOutcomes(), (outcome) -> {
		}, new SlotListener() {

			@Override
			public void slotFreed(Pool pool, String type) {
				freed.countDown();
			}

			@Override
			public void slotTaken(Pool pool) {
			}

		});
		pool.jobs().add(List.of(TestJobs.job(1), TestJobs.job(2)));
		await("both have left the slot").atMost(Engine.PATIENCE).until(() -> freed.getCount() == 0);
		assertThat(pool.jobs().held()).as("unknown to the worker, which releases them").isEmpty();
		pool.jobs().close();
	}

	/** As when there is no memory for it. */
	@Test
	void aSlotContinuesAfterAFailureBetweenTwoJobs() {
		Pool pool = new Pool("*", 1, 0, SlotShare.own(1));
		CountDownLatch freed = new CountDownLatch(2);
		AtomicInteger failures = new AtomicInteger();
		pool.start(PoolTests::daemon, withoutOutcomes(), (outcome) -> {
		}, new SlotListener() {

			@Override
			public void slotFreed(Pool pool, String type) {
				freed.countDown();
				fail();
			}

			@Override
			public void slotTaken(Pool pool) {
				fail();
			}

			private void fail() {
				if (failures.getAndIncrement() < 2) {
					throw new OutOfMemoryError("no memory, says the test");
				}
			}

		});
		pool.jobs().add(List.of(TestJobs.job(1)));
		await("the first has left the slot").atMost(Engine.PATIENCE).until(() -> freed.getCount() == 1);
		pool.jobs().add(List.of(TestJobs.job(2)));
		await("the second has left it as well").atMost(Engine.PATIENCE).until(() -> freed.getCount() == 0);
		assertThat(pool.jobs().held()).isEmpty();
		pool.jobs().close();
	}

	/** Runs no job, and does not say how they end. */
	private static JobRunner withoutOutcomes() {
		return new JobRunner(null, null, null, WorkerHooks.NONE);
	}

	private static Thread daemon(Runnable slot) {
		Thread thread = new Thread(slot);
		thread.setDaemon(true);
		return thread;
	}

	@Test
	void aPoolClaimsAheadOnlyForSlotsThatAreNotHeldByLongJobs() {
		Pool pool = new Pool("*", 4, 1000, SlotShare.own(4));
		pool.prefetch().learn("test", Duration.ofMillis(1).toNanos());
		assertThat(pool.room()).as("4 slots, and 100 jobs ahead for each").isEqualTo(404);
		List<ActiveJob> jobs = LongStream.range(0, 3).mapToObj(TestJobs::job).toList();
		pool.jobs().add(jobs);
		jobs.forEach((job) -> Objects.requireNonNull(pool.jobs().start()).begin());
		assertThat(pool.takeLate(Duration.ZERO, (job) -> true)).as("none waits").isEmpty();
		assertThat(pool.room()).as("3 of the slots count as held for longer").isEqualTo(101);
		jobs.forEach(pool.jobs()::done);
		pool.takeLate(Duration.ZERO, (job) -> true);
		assertThat(pool.room()).isEqualTo(404);
	}

	@Test
	void aLongCallOfManyJobsHoldsOneSlot() {
		Pool pool = new Pool("*", 4, 1000, SlotShare.own(4));
		pool.prefetch().learn("test", Duration.ofMillis(1).toNanos());
		List<ActiveJob> call = LongStream.range(0, 3)
			.mapToObj((id) -> new ActiveJob(TestJobs.job(id).job(), HandlerOptions.NONE.coalesce(10).maxAttempts(3), 0))
			.toList();
		pool.jobs().add(call);
		assertThat(pool.jobs().start()).isSameAs(call.get(0));
		call.forEach(ActiveJob::begin);
		assertThat(pool.takeLate(Duration.ZERO, (job) -> true)).as("none waits").isEmpty();
		assertThat(pool.room()).as("100 jobs ahead for each of the others").isEqualTo(303);
	}

	@Test
	void aJobWaitsUntilAThreadCanBeStartedForIt() {
		AtomicInteger startable = new AtomicInteger(1);
		Pool pool = start(startable);
		pool.resize(2);
		assertThat(pool.room()).isEqualTo(2);
		pool.jobs().add(List.of(TestJobs.job(1), TestJobs.job(2)));
		assertThat(pool.jobs().waitingCount()).isEqualTo(2);
		startable.set(2);
		pool.jobs().startThreads();
		pool.jobs().startThreads();
		assertThat(startable).as("one thread was started").hasValue(1);
	}

	@Test
	void aSlotThatWasGivenUpGetsAnotherThreadForTheNextJob() {
		AtomicInteger startable = new AtomicInteger(5);
		Pool pool = start(startable);
		pool.jobs().add(List.of(TestJobs.job(1)));
		assertThat(startable).hasValue(4);
		pool.jobs().threadBegins();
		assertThat(pool.abandon(Objects.requireNonNull(pool.jobs().start()))).isTrue();
		assertThat(startable).as("no job waits").hasValue(4);
		pool.jobs().add(List.of(TestJobs.job(2)));
		assertThat(startable).hasValue(3);
	}

	/** Starts a pool of one slot where no more than that many threads can be started. */
	private Pool start(AtomicInteger startable) {
		Pool pool = new Pool("*", 1, 0, SlotShare.own(1));
		pool.start((slot) -> {
			if (startable.getAndDecrement() <= 0) {
				throw new OutOfMemoryError("unable to create native thread, says the test");
			}
			return new Thread();
		}, null, (outcome) -> {
		}, this.slots);
		return pool;
	}

}
