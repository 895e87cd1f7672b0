package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class RunningJobsTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void aWorkerRunsAJobWithItsPayloadAndKeepsItAsSucceeded() {
		AtomicReference<String> seen = new AtomicReference<>();
		AtomicReference<JobContext> reported = new AtomicReference<>();
		this.engine.process().maxAttempts(7).handle("mail", (payload, context) -> {
			seen.set(payload);
			reported.set(context);
		}).start();
		long id = this.engine.enqueue(JobRequest.of("mail", "hello").queue("mails"));
		Job job = this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(seen).hasValue("hello");
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.lastError()).isNull();
		assertThat(job.finishedAt()).isAfterOrEqualTo(job.startedAt());
		assertThat(reported.get().id()).isEqualTo(id);
		assertThat(reported.get().type()).isEqualTo("mail");
		assertThat(reported.get().queue()).isEqualTo("mails");
		assertThat(reported.get().attempt()).isEqualTo(1);
		assertThat(reported.get().maxAttempts()).isEqualTo(7);
		assertThat(reported.get().leaseToken()).isEqualTo(1);
		assertThat(reported.get().createdAt()).isEqualTo(job.createdAt());
		assertThat(reported.get().runAt()).isEqualTo(job.runAt());
		assertThat(reported.get().stopRequested()).isFalse();
	}

	@Test
	void aWorkerRunsAJobWithoutAPayload() {
		AtomicReference<String> seen = new AtomicReference<>("something");
		this.engine.process().handle("test", (payload, context) -> seen.set(payload)).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(seen).hasNullValue();
	}

	@Test
	void aWorkerRunsTheMostUrgentFirst() {
		List<String> order = new CopyOnWriteArrayList<>();
		enqueue("normal 1", 0, Duration.ZERO);
		enqueue("tolerant", 0, Duration.ofHours(1));
		enqueue("normal 2", 0, Duration.ZERO);
		enqueue("low", -1, Duration.ZERO);
		enqueue("urgent and tolerant", 9, Duration.ofHours(2));
		enqueue("urgent", 9, Duration.ZERO);
		this.engine.process().concurrency(1).handle("test", (payload, context) -> order.add(payload)).start();
		this.engine.awaitAllOver();
		assertThat(order).containsExactly("urgent", "urgent and tolerant", "normal 1", "normal 2", "tolerant", "low");
	}

	private void enqueue(String name, int priority, Duration tolerance) {
		this.engine.enqueue(JobRequest.of("test", name).priority(priority).tolerance(tolerance));
	}

	@Test
	void neverRunsMoreJobsOfAQueueAtOnceThanItsConcurrency() {
		Map<String, Integer> limits = Map.of("narrow", 1, "wide", 3, "other", 2, "another", 2);
		Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
		Map<String, AtomicInteger> maxRunning = new ConcurrentHashMap<>();
		for (int i = 0; i < 60; i++) {
			for (String queue : limits.keySet()) {
				this.engine.enqueue(JobRequest.of("test").queue(queue));
			}
		}
		this.engine.process()
			.concurrency(2)
			.concurrency("narrow", 1)
			.concurrency("wide", 3)
			.handle("test", (payload, context) -> {
				String pool = context.queue().endsWith("other") ? "others" : context.queue();
				AtomicInteger now = running.computeIfAbsent(pool, (key) -> new AtomicInteger());
				maxRunning.computeIfAbsent(pool, (key) -> new AtomicInteger())
					.accumulateAndGet(now.incrementAndGet(), Math::max);
				Thread.yield();
				now.decrementAndGet();
			})
			.start();
		this.engine.awaitAllOver();
		assertThat(maxRunning.get("narrow")).hasValue(1);
		assertThat(maxRunning.get("wide")).hasValueLessThanOrEqualTo(3);
		assertThat(maxRunning.get("others")).hasValueLessThanOrEqualTo(2);
	}

	@Test
	void aWorkerUsesAllSlotsOfAQueueAtOnce() throws InterruptedException {
		CountDownLatch together = new CountDownLatch(5);
		this.engine.process().concurrency(2).concurrency("wide", 3).handle("test", (payload, context) -> {
			together.countDown();
			together.await();
		}).start();
		for (int i = 0; i < 3; i++) {
			this.engine.enqueue(JobRequest.of("test").queue("wide"));
			this.engine.enqueue(JobRequest.of("test").queue("default"));
		}
		together.await();
		this.engine.awaitAllOver();
	}

	@Test
	void aWorkerLeavesQueuesWithoutSlotsToOthers() {
		this.engine.process().concurrency(0).concurrency("mine", 2).handle("test", (payload, context) -> {
		}).start();
		List<Long> others = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			others.add(this.engine.enqueue(JobRequest.of("test").queue("other").priority(5)));
			this.engine.awaitState(this.engine.enqueue(JobRequest.of("test").queue("mine")), JobState.SUCCEEDED);
		}
		assertThat(others).allSatisfy((id) -> {
			assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
			assertThat(this.engine.job(id).attempt()).isZero();
		});
	}

	@Test
	void aWorkerLeavesTypesThatItDoesNotKnowQueued() {
		this.engine.process().handle("known", (payload, context) -> {
		}).start();
		long unknown = this.engine.enqueue(JobRequest.of("unknown").priority(9));
		for (int i = 0; i < 5; i++) {
			this.engine.awaitState(this.engine.enqueue("known"), JobState.SUCCEEDED);
		}
		assertThat(this.engine.job(unknown).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.engine.job(unknown).attempt()).isZero();
		this.engine.process().handle("unknown", (payload, context) -> {
		}).start();
		this.engine.awaitState(unknown, JobState.SUCCEEDED);
	}

	@Test
	void neverHoldsMoreThanItsSlotsAndThePrefetch() {
		Map<Long, Long> held = new HashMap<>();
		this.engine.queue().enqueueAll(requests(400));
		AtomicInteger fast = new AtomicInteger();
		CountDownLatch release = new CountDownLatch(1);
		this.engine.process().concurrency(3).prefetch(5).handle("test", (payload, context) -> {
			if (fast.incrementAndGet() > 300) {
				release.await();
			}
		}).start();
		await().until(() -> {
			held.merge(0L, this.engine.leased(), Math::max);
			return fast.get() >= 303;
		});
		await().until(() -> this.engine.leased() <= 8);
		release.countDown();
		this.engine.awaitAllOver();
		// jobs that have ended and are not yet written are no longer held
		assertThat(held.get(0L)).isPositive();
	}

	@Test
	void aWorkerHoldsOnlyWhatRunsWithoutPrefetch() throws InterruptedException {
		this.engine.queue().enqueueAll(requests(20));
		CountDownLatch running = new CountDownLatch(3);
		CountDownLatch release = new CountDownLatch(1);
		this.engine.process().concurrency(3).prefetch(0).handle("test", (payload, context) -> {
			running.countDown();
			release.await();
		}).start();
		running.await();
		assertThat(this.engine.leased()).isEqualTo(3);
		release.countDown();
		this.engine.awaitAllOver();
	}

	@Test
	void aWorkerShowsThatALongJobRuns() {
		CountDownLatch release = new CountDownLatch(1);
		this.engine.process().handle("test", (payload, context) -> release.await()).start();
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.RUNNING);
		release.countDown();
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aWorkerStartsHandlersWithoutAnInterruptThatAnotherLeftBehind() {
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		this.engine.process()
			.concurrency(1)
			.handle("leaves", (payload, context) -> Thread.currentThread().interrupt())
			.handle("sees", (payload, context) -> interrupted.set(Thread.currentThread().isInterrupted()))
			.start();
		this.engine.awaitState(this.engine.enqueue("leaves"), JobState.SUCCEEDED);
		this.engine.awaitState(this.engine.enqueue("sees"), JobState.SUCCEEDED);
		assertThat(interrupted).hasValue(false);
	}

	/** Such as by a helper of the handler that is to limit its time. */
	@Test
	void anInterruptThatComesAfterAJobDoesNotReachTheNextOne() {
		AtomicReference<Thread> slot = new AtomicReference<>();
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		this.engine.process()
			.concurrency(1)
			.handle("ends", (payload, context) -> slot.set(Thread.currentThread()))
			.handle("sees", (payload, context) -> interrupted.set(Thread.currentThread().isInterrupted()))
			.start();
		this.engine.awaitState(this.engine.enqueue("ends"), JobState.SUCCEEDED);
		await().until(() -> slot.get().getState() == Thread.State.TIMED_WAITING);
		slot.get().interrupt();
		this.engine.awaitState(this.engine.enqueue("sees"), JobState.SUCCEEDED);
		assertThat(interrupted).hasValue(false);
	}

	private static List<JobRequest> requests(int count) {
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			requests.add(JobRequest.of("test"));
		}
		return requests;
	}

}
