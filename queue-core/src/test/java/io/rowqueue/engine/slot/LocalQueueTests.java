package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

class LocalQueueTests {

	private boolean startable = true;

	private int started;

	private final LocalQueue queue = new LocalQueue(SlotShare.own(1), this::startThread);

	@Test
	void theLocalQueueReturnsTheMostUrgentJobFirst() {
		this.queue.add(List.of(TestJobs.job(2, 5), TestJobs.job(1)));
		this.queue.add(List.of(TestJobs.job(4, 9), TestJobs.job(3, 5)));
		assertThat(List.of(next(), next(), next(), next())).containsExactly(4L, 2L, 3L, 1L);
	}

	@Test
	void theLocalQueueLetsASlotWaitForAJob() {
		CompletableFuture<ActiveJob> next = Async.supply(this.queue::next);
		ActiveJob job = TestJobs.job(1);
		this.queue.add(List.of(job));
		assertThat(next).succeedsWithin(Engine.PATIENCE).isSameAs(job);
	}

	@Test
	void theLocalQueueKnowsWhatItHolds() {
		ActiveJob one = TestJobs.job(1);
		ActiveJob two = TestJobs.job(2);
		this.queue.add(List.of(one, two));
		this.queue.next();
		assertThat(this.queue.held()).containsExactlyInAnyOrder(one, two);
		assertThat(this.queue.running()).containsExactly(one);
		this.queue.done(one);
		assertThat(this.queue.held()).containsExactly(two);
		assertThat(this.queue.running()).isEmpty();
	}

	@Test
	void theLocalQueueReturnsJobsThatHaveNotStartedWhenItIsClosed() {
		ActiveJob one = TestJobs.job(1);
		ActiveJob two = TestJobs.job(2);
		this.queue.add(List.of(one, two));
		this.queue.next();
		assertThat(this.queue.close()).containsExactly(two);
		assertThat(this.queue.close()).isEmpty();
		assertThat(this.queue.held()).containsExactly(one);
		assertThat(this.queue.next()).isNull();
		assertThat(this.queue.add(List.of(TestJobs.job(3)))).isFalse();
		assertThat(this.queue.held()).containsExactly(one);
	}

	@Test
	void theLocalQueueEndsTheWaitOfAllSlotsWhenItIsClosed() {
		CompletableFuture<ActiveJob> one = Async.supply(this.queue::next);
		CompletableFuture<ActiveJob> two = Async.supply(this.queue::next);
		this.queue.close();
		assertThat(one).succeedsWithin(Engine.PATIENCE).isNull();
		assertThat(two).succeedsWithin(Engine.PATIENCE).isNull();
	}

	@Test
	void theLocalQueueIsIdleWhenNothingRuns() throws InterruptedException {
		ActiveJob job = TestJobs.job(1);
		this.queue.add(List.of(job));
		assertThat(this.queue.awaitIdle(Duration.ZERO)).isTrue();
		this.queue.next();
		assertThat(this.queue.awaitIdle(Duration.ZERO)).isFalse();
		Async.run(() -> this.queue.done(job));
		assertThat(this.queue.awaitIdle(Duration.ofDays(1))).isTrue();
	}

	@Test
	void theLocalQueueHasRoomOnceThatIsWorthAClaim() {
		assertThat(this.queue.room(10)).isEqualTo(10);
		this.queue.add(List.of(TestJobs.job(1), TestJobs.job(2), TestJobs.job(3), TestJobs.job(4)));
		assertThat(this.queue.room(10)).isEqualTo(6);
		this.queue.add(List.of(TestJobs.job(5), TestJobs.job(6)));
		assertThat(this.queue.room(10)).as("less than half is missing").isZero();
		for (int i = 0; i < 6; i++) {
			this.queue.next();
		}
		assertThat(this.queue.room(10)).as("nothing waits").isEqualTo(4);
		assertThat(this.queue.room(6)).isZero();
		assertThat(this.queue.room(5)).as("never negative").isZero();
	}

	@Test
	void theLocalQueueReservesRoomForRunningClaims() {
		this.queue.reservePlaces(4);
		assertThat(this.queue.room(10)).isEqualTo(6);
		this.queue.add(List.of(TestJobs.job(1), TestJobs.job(2)));
		assertThat(this.queue.room(10)).as("less than half is missing").isZero();
		this.queue.next();
		this.queue.next();
		assertThat(this.queue.room(10)).as("nothing waits, but some are coming").isZero();
		this.queue.releasePlaces(4);
		assertThat(this.queue.room(10)).isEqualTo(8);
	}

	@Test
	void theLocalQueueHasRoomOnceAWholeClaimIsMissing() {
		this.queue.reservePlaces(2000 - Pool.MAX_JOBS_PER_CLAIM + 1);
		assertThat(this.queue.room(2000)).isZero();
		this.queue.releasePlaces(1);
		assertThat(this.queue.room(2000)).isEqualTo(Pool.MAX_JOBS_PER_CLAIM);
	}

	@Test
	void aClaimReservesNoMorePlacesThanThereAre() {
		this.queue.add(List.of(TestJobs.job(1)));
		assertThat(this.queue.reserve(5, 3)).isEqualTo(2);
		assertThat(this.queue.reserve(5, 3)).isZero();
		this.queue.releasePlaces(2);
		assertThat(this.queue.reserve(1, 3)).isEqualTo(1);
	}

	@Test
	void aJobThatWasNotClaimedTakesNoReservedPlace() {
		this.queue.reserve(1, 2);
		assertThat(this.queue.addIfRoom(TestJobs.job(1), 2)).isTrue();
		assertThat(this.queue.addIfRoom(TestJobs.job(2), 2)).isFalse();
		this.queue.releasePlaces(1);
		assertThat(this.queue.addIfRoom(TestJobs.job(2), 2)).isTrue();
	}

	@Test
	void threadsThatAreTooManyEnd() {
		CompletableFuture<ActiveJob> idle = Async.supply(this.queue::next);
		this.queue.resize(-1);
		assertThat(idle).succeedsWithin(Engine.PATIENCE).isNull();
		ActiveJob job = TestJobs.job(1);
		this.queue.add(List.of(job, TestJobs.job(2)));
		assertThat(this.queue.next()).isSameAs(job);
		this.queue.resize(-1);
		assertThat(this.queue.nextAfter(job)).as("its thread asks whether it is to end").isNull();
		assertThat(this.queue.next()).isNull();
		assertThat(next()).as("no further thread ends").isEqualTo(2);
	}

	@Test
	void threadsThatWereToEndAreKeptIfThereAreMoreSlotsAgain() {
		this.queue.resize(-2);
		this.queue.resize(1);
		assertThat(this.queue.idleSlots()).isZero();
		this.queue.resize(3);
		assertThat(this.queue.idleSlots()).as("one was still to end").isEqualTo(2);
		this.queue.add(List.of(TestJobs.job(1)));
		assertThat(next()).isEqualTo(1);
	}

	@Test
	void aThreadIsStartedForEachJobThatWaitsWhileThereAreSlotsWithoutOne() {
		this.queue.resize(3);
		assertThat(this.started).isZero();
		assertThat(this.queue.idleSlots()).isEqualTo(3);
		this.queue.add(List.of(TestJobs.job(1)));
		assertThat(this.started).isEqualTo(1);
		assertThat(this.queue.idleSlots()).as("the thread that starts takes the job").isEqualTo(2);
		this.queue.add(List.of(TestJobs.job(2), TestJobs.job(3), TestJobs.job(4)));
		assertThat(this.started).isEqualTo(3);
		assertThat(this.queue.idleSlots()).isNegative();
	}

	@Test
	void aJobIsGivenToAnIdleThreadInsteadOfANewOne() {
		this.queue.resize(1);
		CompletableFuture<ActiveJob> idle = Async.supply(this.queue::next);
		await().until(() -> this.queue.idleSlots() == 2);
		this.queue.add(List.of(TestJobs.job(1)));
		assertThat(idle).succeedsWithin(Engine.PATIENCE).isNotNull();
		assertThat(this.started).isZero();
		this.queue.add(List.of(TestJobs.job(2)));
		assertThat(this.started).isEqualTo(1);
	}

	@Test
	void aThreadEndsThatHasBeenIdleForSomeTimeAndItsSlotStays() {
		LocalQueue queue = new LocalQueue(SlotShare.own(1), this::startThread, Duration.ofMillis(1));
		assertThat(queue.next()).isNull();
		assertThat(queue.idleSlots()).isEqualTo(1);
		queue.add(List.of(TestJobs.job(1)));
		assertThat(this.started).isEqualTo(1);
		assertThat(queue.next()).as("a job that waits is taken at any time").isNotNull();
	}

	@Test
	void anInterruptDoesNotEndAThread() {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		CompletableFuture<ActiveJob> idle = Async.supply(() -> {
			thread.complete(Thread.currentThread());
			return this.queue.next();
		});
		await().until(() -> this.queue.idleSlots() == 1);
		thread.join().interrupt();
		ActiveJob job = TestJobs.job(1);
		this.queue.add(List.of(job));
		assertThat(idle).succeedsWithin(Engine.PATIENCE).isSameAs(job);
	}

	@Test
	void aJobWaitsForAThreadThatCannotBeStarted() {
		this.queue.resize(1);
		this.startable = false;
		this.queue.add(List.of(TestJobs.job(1)));
		assertThat(this.started).isZero();
		this.startable = true;
		this.queue.startThreads();
		this.queue.startThreads();
		assertThat(this.started).isEqualTo(1);
		assertThat(next()).isEqualTo(1);
	}

	private boolean startThread() {
		this.started += this.startable ? 1 : 0;
		return this.startable;
	}

	@Test
	void someOfTheJobsThatWaitAreTaken() {
		ActiveJob one = TestJobs.job(1);
		ActiveJob two = TestJobs.job(2);
		this.queue.add(List.of(one, two));
		assertThat(this.queue.drain((job) -> job == two)).containsExactly(two);
		assertThat(this.queue.waitingCount()).isEqualTo(1);
		assertThat(next()).isEqualTo(1);
	}

	/** As when there is no memory: no slot runs it, and so nobody would end it. */
	@Test
	void aJobThatCouldNotBeStartedIsNotHeld() {
		AtomicInteger slots = new AtomicInteger(1);
		LocalQueue queue = new LocalQueue(new CountedSlots(slots), () -> false);
		ActiveJob first = new ActiveJob(TestJobs.job(1).job(), HandlerOptions.NONE.coalesce(10).maxAttempts(3), 0);
		ActiveJob withoutType = new ActiveJob(new ClaimedJob(new Lease(2, 1), null, "default", 0, 1, null, 0, 0, 0, 0,
				false, null, false, null, null, 0), HandlerOptions.NONE.maxAttempts(3), 0);
		queue.add(List.of(first, withoutType));
		assertThatNullPointerException().isThrownBy(queue::next);
		assertThat(queue.running()).isEmpty();
		assertThat(queue.heldCount()).isEqualTo(1);
		assertThat(slots).as("the slot is free again").hasValue(1);
		assertThat(queue.next()).isSameAs(withoutType);
	}

	private record CountedSlots(AtomicInteger free) implements SlotShare {

		@Override
		public boolean take() {
			return this.free.getAndDecrement() > 0;
		}

		@Override
		public void release() {
			this.free.incrementAndGet();
		}

		@Override
		public int slots() {
			return this.free.get();
		}

		@Override
		public void changed() {
		}

		@Override
		public void resize(int slots) {
		}

	}

	private long next() {
		ActiveJob job = this.queue.next();
		return (job != null) ? job.id() : -1;
	}

}
