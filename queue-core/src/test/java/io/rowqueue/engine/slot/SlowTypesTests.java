package io.rowqueue.engine.slot;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobRequest;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a worker takes ahead is what it will have done in a moment. */
class SlowTypesTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void jobsOfASlowTypeAreLeftToOthersHoweverFastTheRestIs() {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger started = new AtomicInteger();
		this.engine.process().concurrency(4).prefetch(100).handle("slow", (payload, context) -> {
			started.incrementAndGet();
			release.await();
		}).handle("fast", (payload, context) -> {
		}).start();
		enqueue("fast", 0, 1000); // now the worker takes many ahead
		this.engine.awaitAllOver();
		enqueue("fast", 0, 50);
		enqueue("slow", 5, 50);
		await().until(() -> started.get() == 4);
		assertThat(this.engine.count("job where type = 'slow' and worker_id is not null")).isEqualTo(4);
		release.countDown();
		this.engine.awaitAllOver();
	}

	private void enqueue(String type, int priority, int jobs) {
		for (int job = 0; job < jobs; job++) {
			this.engine.enqueue(JobRequest.of(type).priority(priority));
		}
	}

}
