package io.rowqueue.engine.slot;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestHooks;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Jobs that a worker has claimed ahead, and whose slots do not become free. */
class PrefetchedJobsTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Map<Long, Integer> leases = new ConcurrentHashMap<>();

	private final List<String> released = new CopyOnWriteArrayList<>();

	private final CountDownLatch runs = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void anIdleWorkerRunsJobsThatWaitBehindASlowOne() throws InterruptedException {
		process();
		List<Long> waiting = prefetchBehindASlowJob();
		this.engine.process()
			.handle("work", (payload, context) -> this.leases.put(context.id(), context.leaseToken()))
			.startAndListen();
		waiting.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
		assertThatEachWasClaimedTwice(waiting);
		this.release.countDown();
	}

	@Test
	void theirOwnWorkerLeavesThemToOthersUntilASlotIsFree() throws InterruptedException {
		TestProcess process = process();
		List<Long> waiting = prefetchBehindASlowJob();
		await().until(() -> this.engine.leased() == 1);
		assertThat(process.prefetched()).isZero();
		assertThat(this.engine.job(waiting.get(0)).attempt()).as("a release costs no attempt").isZero();
		long another = this.engine.enqueue("work");
		assertThat(this.engine.job(another).state()).isEqualTo(JobState.QUEUED);
		this.release.countDown();
		waiting.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
		assertThatEachWasClaimedTwice(waiting);
	}

	private void assertThatEachWasClaimedTwice(List<Long> waiting) {
		assertThat(waiting).as("each was claimed once before, and once after")
			.allSatisfy((id) -> assertThat(this.leases).containsEntry(id, 2));
	}

	@Test
	void jobsOfALimitedTypeAreNotReleased() throws InterruptedException {
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.concurrency(5), true);
		process();
		this.engine.enqueue(JobRequest.of("work", "block"));
		this.runs.await();
		List<Long> ids = this.engine.queue()
			.enqueueAll(List.of(JobRequest.of("limited").priority(1), JobRequest.of("work")))
			.stream()
			.map(EnqueueResult::id)
			.toList();
		long limited = ids.get(0); // for the next slot
		long plain = ids.get(1);
		await("the other job is released").until(() -> this.released.contains("work"));
		this.release.countDown();
		this.engine.awaitState(plain, JobState.SUCCEEDED);
		this.engine.awaitState(limited, JobState.SUCCEEDED);
		assertThat(this.released).containsExactly("work");
		assertThat(this.leases).containsEntry(limited, 1).containsEntry(plain, 2);
	}

	/** However many jobs of other types it may hold ahead. */
	@Test
	void jobsOfALimitedTypeAreNotClaimedForASlotThatALongJobHolds() throws InterruptedException {
		CountDownLatch started = new CountDownLatch(1);
		AtomicInteger running = new AtomicInteger();
		Handler<String> waiting = (payload, context) -> {
			running.incrementAndGet();
			started.countDown();
			this.release.await();
		};
		this.engine.limits().set(LimitKind.TYPE, "waiting", Limit.concurrency(5), true);
		process(this.engine.process()
			.concurrency(2)
			.prefetch(5)
			.handle("waiting", waiting)
			.handle("long", (payload, context) -> {
				this.runs.countDown();
				this.release.await();
			}));
		this.engine.enqueue("long");
		this.runs.await();
		this.engine.queue().enqueueAll(List.of(JobRequest.of("waiting"), JobRequest.of("waiting")));
		started.await();
		this.engine.process().handle("waiting", waiting).start();
		await("an idle worker runs the other one").until(() -> running.get() == 2);
		this.release.countDown();
		this.engine.awaitAllOver();
	}

	/** One claim brings them all, so that none comes too late to be prefetched. */
	private List<Long> prefetchBehindASlowJob() throws InterruptedException {
		List<Long> ids = this.engine.queue()
			.enqueueAll(List.of(JobRequest.of("work", "block"), JobRequest.of("work"), JobRequest.of("work"),
					JobRequest.of("work")))
			.stream()
			.map(EnqueueResult::id)
			.toList();
		this.runs.await();
		return ids.subList(1, 4);
	}

	/** Has learned that its jobs are short, so that it prefetches some. */
	private TestProcess process() {
		return process(this.engine.process().concurrency(1).prefetch(5));
	}

	private TestProcess process(TestProcess.Builder builder) {
		TestProcess process = builder.handle("work", (payload, context) -> {
			this.leases.put(context.id(), context.leaseToken());
			if ("block".equals(payload)) {
				this.runs.countDown();
				this.release.await();
			}
		})
			.handle("limited", (payload, context) -> this.leases.put(context.id(), context.leaseToken()))
			.hooks(TestHooks.of(List.of(), JobListener.NONE, new StoreListener() {

				@Override
				public void released(String queue, String type) {
					PrefetchedJobsTests.this.released.add(type);
				}

			}))
			.startAndListen();
		this.engine.queue().enqueueAll(Collections.nCopies(200, JobRequest.of("work")));
		this.engine.awaitAllOver();
		return process;
	}

}
