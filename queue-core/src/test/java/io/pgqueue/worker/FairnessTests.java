package io.pgqueue.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.testing.Engine;
import io.pgqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who waits for whom, among jobs that are all due. */
class FairnessTests {

	private static final int MANY = 2000;

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void aTypeWithAFewJobsDoesNotWaitForAllJobsOfAnotherTypeOfItsPriority() {
		List<String> order = new CopyOnWriteArrayList<>();
		this.engine.queue().enqueueAll(Collections.nCopies(MANY, JobRequest.of("many")));
		this.engine.enqueue("few");
		this.engine.queue().enqueueAll(Collections.nCopies(MANY, JobRequest.of("many")));
		this.engine.process().concurrency(1).prefetch(50).handle("many", (payload, context) -> {
			order.add("many");
			if (order.size() > MANY && order.size() % 100 == 0 && !order.contains("few")) {
				awaitASweep();
			}
		}).handle("few", (payload, context) -> order.add("few")).start();
		this.engine.awaitAllOver();
		assertThat(order).hasSize(2 * MANY + 1);
		assertThat(order.indexOf("few")).isLessThan(MANY + MANY / 2);
	}

	/**
	 * The worker looks at all lanes once a second, however much it has to do; on a busy
	 * machine it may miss the first chance, but not several.
	 */
	private static void awaitASweep() throws InterruptedException {
		new CountDownLatch(1).await(2, TimeUnit.SECONDS);
	}

	/** With strict priorities it would wait for ever. */
	@Test
	void withAgingAJobOfALowPriorityRunsAlthoughThereAreAlwaysOthers() {
		AtomicBoolean over = new AtomicBoolean();
		TestProcess process = this.engine.process()
			.concurrency(1)
			.aging(WorkerSettings.SHORTEST_AGING)
			.handle("urgent", (payload, context) -> {
				if (!over.get()) {
					this.engine.enqueue(JobRequest.of("urgent").priority(3));
				}
			})
			.handle("low", (payload, context) -> over.set(true))
			.start();
		this.engine.queue().enqueueAll(Collections.nCopies(50, JobRequest.of("urgent").priority(3)));
		long low = this.engine.enqueue(JobRequest.of("low").delay(Duration.ZERO));
		this.engine.awaitState(low, JobState.SUCCEEDED);
		process.stop();
	}

}
