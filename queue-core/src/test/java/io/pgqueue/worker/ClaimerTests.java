package io.pgqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.pgqueue.handler.HandlerRegistry;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.WorkerIdentity;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.testing.Async;
import io.pgqueue.testing.Engine;
import io.pgqueue.wakeup.JobEndings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ClaimerTests {

	private static final Duration FOREVER = Duration.ofDays(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final JobStore store = new JobStore(this.engine.jdbc(), this.engine.jdbc(), SchemaName.DEFAULT, true);

	private final long worker = new WorkerStore(this.engine.jdbc(), SchemaName.DEFAULT)
		.register(new WorkerIdentity("test", List.of("*"), List.of("test")));

	private final Pools pools = new Pools(
			new WorkerSettings(2, Map.of(), 0, 3, FOREVER, Duration.ofSeconds(30), Duration.ZERO));

	private final Pool pool = this.pools.of("default").orElseThrow();

	private final Lanes lanes = new Lanes(this.store, Set.of("test"), Duration.ZERO);

	private final Finisher finisher = new Finisher(new OutcomeWriter(this.store, this.worker, (queues) -> {
	}, new JobEndings()), () -> {
	});

	private final Claimer claimer = new Claimer(this.store, this.worker, this.pools, this.lanes,
			new TypeLimits(Map.of()),
			new Dispatcher(this.finisher, new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3)), FOREVER,
			Map.of(), Runnable::run);

	@Test
	void claimsWhatThereIsAndThenWaits() throws InterruptedException {
		this.engine.enqueue("test");
		this.claimer.turn(FOREVER);
		assertThat(this.pool.jobs().held()).hasSize(1);
		assertThatItWaits();
	}

	@Test
	void looksAgainWhenItIsWoken() throws InterruptedException {
		this.claimer.turn(FOREVER);
		this.engine.enqueue("test");
		this.claimer.jobsArrived(List.of("default"));
		await().until(() -> {
			this.claimer.turn(FOREVER);
			return this.pool.jobs().held().size() == 1;
		});
	}

	@Test
	void isNotWokenForAQueueOfOthers() throws InterruptedException {
		Pools named = new Pools(
				new WorkerSettings(0, Map.of("mine", 1), 0, 3, FOREVER, Duration.ofSeconds(30), Duration.ZERO));
		named.expectJobs(List.of("others"));
		assertThat(named.of("others")).isEmpty();
		assertThat(named.of("mine")).isPresent();
	}

	@Test
	void waitsForASlotWhenItIsFullAndKnowsThatThereMayBeMore() throws InterruptedException {
		this.engine.enqueue("test");
		this.claimer.turn(FOREVER); // with a sweep
		this.engine.enqueue("test");
		this.claimer.jobsArrived(List.of("default"));
		this.pool.jobs().next();
		this.pool.jobs().add(List.of(TestJobs.job(-1)));
		ActiveJob taken = this.pool.jobs().next();
		assertThat(this.pool.wanted()).as("the pool is full").isZero();
		await().until(() -> this.lanes.untilSweep().isZero());
		this.claimer.reconsider();
		this.claimer.turn(FOREVER);
		CompletableFuture<Void> turn = assertThatItWaits();
		this.pool.jobs().done(taken);
		this.claimer.slotFreed(this.pool, "test");
		assertThat(turn).succeedsWithin(Engine.PATIENCE);
		this.claimer.turn(FOREVER);
		assertThat(this.engine.number("select count(*) from queue.job where worker_id is not null")).isEqualTo(2);
	}

	@Test
	void waitsNoLongerThanItMay() throws InterruptedException {
		this.claimer.turn(FOREVER);
		this.claimer.turn(Duration.ofMillis(1));
	}

	@Test
	void claimsNothingWhileTheFinisherIsBehind() throws InterruptedException {
		this.engine.enqueue("test");
		for (int i = 0; i < Finisher.BEHIND; i++) {
			this.finisher.add(new Outcome.Succeeded(TestJobs.job(-i)));
		}
		CompletableFuture<Void> turn = assertThatItWaits();
		this.finisher.turn();
		this.claimer.reconsider();
		assertThat(turn).succeedsWithin(Engine.PATIENCE);
		this.claimer.turn(FOREVER);
		assertThat(this.pool.jobs().held()).hasSize(1);
	}

	private CompletableFuture<Void> assertThatItWaits() {
		Thread[] thread = new Thread[1];
		CompletableFuture<Void> turn = Async.run(() -> {
			thread[0] = Thread.currentThread();
			try {
				this.claimer.turn(FOREVER);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		await().until(() -> thread[0] != null && (turn.isDone() || thread[0].getState() == Thread.State.TIMED_WAITING));
		assertThat(turn).isNotDone();
		return turn;
	}

}
