package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.finish.CommittedEnds;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.finish.OutcomeWriter;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;

/** A worker for the type {@code test} whose claim loop is driven by a test. */
public final class ClaimingWorker implements AutoCloseable {

	static final Duration FOREVER = Duration.ofDays(1);

	final Engine engine = new Engine();

	final long id = this.engine.workerStore().register(WorkerIdentities.of("test", List.of("*"), List.of("test")));

	final Pools pools;

	final Pool pool;

	final LaneMap lanes;

	final Finisher finisher;

	final ClaimLoop claims;

	/** Whether notifications reach it. */
	volatile boolean notified;

	/** How often it began to be idle. */
	final AtomicInteger idleTimes = new AtomicInteger();

	/** How many claims have returned. */
	final AtomicInteger claimed = new AtomicInteger();

	/**
	 * Registers the worker.
	 * @param executor executes what happens in the background
	 */
	ClaimingWorker(int concurrency, Executor executor) {
		this(Map.of(), concurrency, executor);
	}

	/**
	 * Registers a worker with slots of some queues.
	 * @param executor executes what happens in the background
	 */
	ClaimingWorker(Map<String, Integer> queues, int concurrency, Executor executor) {
		Stores store = new Stores(this.engine.jdbc());
		this.pools = new Pools(concurrency, queues, 0);
		this.pool = this.pools.all().findFirst().orElseThrow();
		this.lanes = new LaneMap(store.lanes(), Set.of("test"), Duration.ZERO);
		this.finisher = new Finisher(outcomeWriter(store, this.id, (arrivals) -> {
		}), () -> {
		});
		StoreListener counting = new StoreListener() {

			@Override
			public void claimed(int jobs, Duration took) {
				ClaimingWorker.this.claimed.incrementAndGet();
			}

		};
		this.claims = new ClaimLoop(this.engine.queueDatabase(), counting, this.id, this.pools, this.lanes,
				new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3), this.finisher, FOREVER,
				new IdleTime(Duration.ZERO, FOREVER, new IdleTime.Beat() {

					@Override
					public boolean send(Duration interval) {
						return ClaimingWorker.this.idleTimes.incrementAndGet() > 0;
					}

					@Override
					public void busy() {
					}

				}, () -> this.notified, this.pools, this.finisher), executor);
	}

	/**
	 * A writer without listeners.
	 * @param queuedAgain receives the queues that jobs have returned to
	 */
	public static OutcomeWriter outcomeWriter(Stores stores, long worker, Consumer<Arrivals> queuedAgain) {
		return new OutcomeWriter(stores.databases().worker(), stores.kept(), worker,
				new CommittedEnds(queuedAgain, (keys) -> {
				}, new JobEndings(), (job) -> false), StoreListener.NONE, JobListener.NONE, (outcomes) -> {
				}, UnaryOperator.identity());
	}

	@Override
	public void close() throws Exception {
		this.engine.close();
	}

}
