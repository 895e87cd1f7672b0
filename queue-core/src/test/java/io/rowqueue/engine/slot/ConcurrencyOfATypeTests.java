package io.rowqueue.engine.slot;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobRequest;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A type that may have only so many slots of its worker. */
class ConcurrencyOfATypeTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> maxRunning = new ConcurrentHashMap<>();

	@Test
	void noMoreJobsOfTheTypeRunAtOnceAndAllRunInTheEnd() {
		CountDownLatch two = new CountDownLatch(2);
		Handler<String> watched = watched();
		this.engine.process().concurrency(8).handle("heavy", HandlerOptions.NONE.concurrency(2), (payload, context) -> {
			two.countDown();
			two.await();
			watched.run(payload, context);
		}).start();
		for (int job = 0; job < 300; job++) { // over several lanes and queues
			this.engine.enqueue(JobRequest.of("heavy").priority(job % 3).queue("queue " + job % 2));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("heavy")).hasValue(2);
	}

	@Test
	void theLimitHoldsForThePoolsTogether() {
		this.engine.process()
			.concurrency(4)
			.concurrency("reports", 4)
			.handle("heavy", HandlerOptions.NONE.concurrency(3), watched())
			.start();
		for (int job = 0; job < 300; job++) {
			this.engine.enqueue(JobRequest.of("heavy").queue((job % 2 == 0) ? "default" : "reports"));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("heavy").get()).isBetween(1, 3);
	}

	@Test
	void otherTypesHaveTheRestOfTheSlots() {
		CountDownLatch release = new CountDownLatch(1);
		this.engine.process()
			.concurrency(4)
			.handle("heavy", HandlerOptions.NONE.concurrency(1), (payload, context) -> release.await())
			.handle("light", (payload, context) -> {
			})
			.start();
		for (int job = 0; job < 20; job++) {
			this.engine.enqueue(JobRequest.of("heavy").priority(10));
		}
		for (int job = 0; job < 20; job++) {
			this.engine.enqueue("light");
		}
		await("the light jobs do not wait behind the heavy ones")
			.until(() -> this.engine.count("job where type = 'light'"), (jobs) -> jobs == 0);
		assertThat(this.engine.leased()).as("only what may run is held").isEqualTo(1);
		release.countDown();
		this.engine.awaitAllOver();
	}

	@Test
	void aSlotOfTheTypeIsUsedAgainWithoutAPoll() {
		Semaphore turns = new Semaphore(0);
		this.engine.process()
			.concurrency(2)
			.withoutPolling()
			.handle("heavy", HandlerOptions.NONE.concurrency(1), (payload, context) -> turns.acquire())
			.start();
		for (int job = 0; job < 10; job++) {
			this.engine.enqueue("heavy");
		}
		turns.release(10);
		this.engine.awaitAllOver();
	}

	private Handler<String> watched() {
		return (payload, context) -> {
			int now = this.running.computeIfAbsent(context.type(), (type) -> new AtomicInteger()).incrementAndGet();
			this.maxRunning.computeIfAbsent(context.type(), (type) -> new AtomicInteger())
				.accumulateAndGet(now, Math::max);
			Thread.yield();
			this.running.get(context.type()).decrementAndGet();
		};
	}

}
