package io.rowqueue.shard.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.shard.Shards;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** One process serves two shards with three slots. */
class SharedSlotsOfShardsTests {

	/** More jobs than those that a busy machine runs before it knows of the others. */
	private static final int FLOOD = 200;

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase us = new TestDatabase();

	private final Semaphore gate = new Semaphore(0);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger maxRunning = new AtomicInteger();

	private final AtomicInteger flood = new AtomicInteger();

	private final AtomicInteger quiet = new AtomicInteger();

	private final ApplicationContextRunner application = Applications.on(this.home)
		.withPropertyValues(this.us.address().properties("rowqueue.shards.us"))
		.withInitializer(Applications.awaitingShards("us"))
		.withPropertyValues("rowqueue.worker.concurrency=3")
		.withBean(JobHandlers.Registrar.class,
				() -> (handlers) -> handlers.add("flood", Integer.class, (number, job) -> {
					run(this.flood);
					this.gate.acquire();
					this.running.decrementAndGet();
				}).add("quiet", Integer.class, (number, job) -> {
					run(this.quiet);
					this.running.decrementAndGet();
				}));

	private void run(AtomicInteger begun) {
		this.maxRunning.accumulateAndGet(this.running.incrementAndGet(), Math::max);
		begun.incrementAndGet();
	}

	@Test
	void aFloodedShardLeavesTheNextSlotToAQuietOne() {
		this.application.run((context) -> {
			JobQueue flooded = context.getBean(Shards.class).queue("home");
			flooded.enqueueAll(IntStream.range(0, FLOOD).mapToObj((i) -> JobRequest.of("flood", i)).toList());
			Awaitility.await().until(() -> this.flood.get() == 3);
			JobQueue other = context.getBean(Shards.class).queue("us");
			other.enqueue("quiet", 1);
			other.enqueue("quiet", 2);
			Awaitility.await().pollInterval(Duration.ofMillis(500)).until(() -> {
				if (this.running.get() == 3) {
					// again: before the other shard knew of its jobs
					this.gate.release();
				}
				return this.quiet.get() == 2;
			});
			assertThat(this.flood).as("jobs of the flooded shard that began before").hasValueLessThan(FLOOD);
			this.gate.release(FLOOD);
			Awaitility.await().until(() -> this.flood.get() == FLOOD);
			assertThat(this.maxRunning).hasValue(3);
		});
	}

}
