package io.pgqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

import io.pgqueue.handler.HandlerRegistry;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.LeaseStore;
import io.pgqueue.store.WorkerIdentity;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.testing.Engine;
import io.pgqueue.wakeup.JobEndings;

/** A worker for the type {@code test} whose claimer does what a test tells it to. */
final class ClaimingWorker implements AutoCloseable {

	static final Duration FOREVER = Duration.ofDays(1);

	final Engine engine = new Engine();

	final long id = new WorkerStore(this.engine.jdbc(), SchemaName.DEFAULT)
		.register(new WorkerIdentity("test", List.of("*"), List.of("test")));

	final Pools pools;

	final Pool pool;

	final Lanes lanes;

	final LeaseStore leases;

	final Finisher finisher;

	final Claimer claimer;

	/**
	 * Registers the worker.
	 * @param asides do what is done beside the claims
	 */
	ClaimingWorker(int concurrency, Executor asides) {
		JobStore store = new JobStore(this.engine.jdbc(), this.engine.jdbc(), SchemaName.DEFAULT, true);
		this.pools = new Pools(
				new WorkerSettings(concurrency, Map.of(), 0, 3, FOREVER, Duration.ofSeconds(30), Duration.ZERO));
		this.pool = this.pools.of("default").orElseThrow();
		this.leases = store.leases();
		this.lanes = new Lanes(store, Set.of("test"), Duration.ZERO);
		this.finisher = new Finisher(new OutcomeWriter(store, this.id, (queues) -> {
		}, new JobEndings()), () -> {
		});
		this.claimer = new Claimer(store, this.id, this.pools, this.lanes, new TypeLimits(Map.of()),
				new Dispatcher(this.finisher, new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3)),
				FOREVER, Map.of(), asides);
	}

	@Override
	public void close() throws Exception {
		this.engine.close();
	}

}
