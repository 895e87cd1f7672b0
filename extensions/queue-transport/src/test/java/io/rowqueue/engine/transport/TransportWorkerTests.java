package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.MemoryBroker;
import io.rowqueue.testing.Proxies;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.WorkerThreads;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TransportWorkerTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final MemoryBroker broker = new MemoryBroker("push");

	/** The worker is not started, so only the wake-up starts the relay. */
	@Test
	void anArrivalInTheOutboxWakesTheRelay() throws InterruptedException {
		HikariDataSource pool = this.engine.pool(2);
		QueueDatabase database = new QueueDatabase(new JdbcTemplate(pool), SchemaName.DEFAULT);
		long id = this.engine.queue(MemoryBroker.carriage(this.broker.client())).enqueue("push", "hello").id();
		try (WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps()) {
			TransportWorker worker = new TransportWorker(new TransportParts(this.broker.client(), database, pool, true),
					1, new Pools(1, Map.of(), 0), wakeUps, WorkerHooks.NONE, JobListener.NONE, new Outage());
			worker.jobsArrived(new Arrivals(Set.of(), false, true, false));
			await().until(() -> this.broker.ids().contains(id));
			worker.close();
		}
	}

	@Test
	void aWorkerThatIsStoppedWhileItStartsReceivesNothing() throws InterruptedException {
		WorkerThreads threads = new WorkerThreads();
		CountDownLatch starting = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		JobTransport client = this.broker.client();
		JobTransport slow = Proxies.of(JobTransport.class, (proxy, method, arguments) -> {
			if (method.getName().equals("types") && Thread.currentThread().getName().equals("rowqueue-worker")) {
				starting.countDown();
				Async.awaitDeaf(stopped);
			}
			return Proxies.call(client, method, arguments);
		});
		TestProcess process = this.engine.process()
			.with(MemoryBroker.carriedBy(slow))
			.handle("push", (payload, context) -> {
			})
			.start();
		starting.await();
		Thread stop = new Thread(process::stop);
		stop.start();
		// it waits for the start, or has ended it already
		await().until(() -> stop.getState() == Thread.State.BLOCKED || !stop.isAlive());
		stopped.countDown();
		stop.join();
		threads.awaitEnd();
		assertThat(this.broker.consumers()).isZero();
	}

	/** What it had claimed by then would have to be released. */
	@Test
	void aWorkerWhoseTransportCannotBeStartedHasClaimedNothing() {
		WorkerThreads threads = new WorkerThreads();
		Set<String> started = ConcurrentHashMap.newKeySet();
		AtomicBoolean refused = new AtomicBoolean();
		JobTransport client = this.broker.client();
		JobTransport failing = Proxies.of(JobTransport.class, (proxy, method, arguments) -> {
			boolean starts = method.getName().equals("types")
					&& Thread.currentThread().getName().equals("rowqueue-worker");
			if (starts && refused.compareAndSet(false, true)) {
				threads.alive().forEach((thread) -> started.add(thread.getName()));
				throw new IllegalStateException("it cannot be started, says the test");
			}
			return Proxies.call(client, method, arguments);
		});
		long id = this.engine.enqueue("test");
		this.engine.process().with(MemoryBroker.carriedBy(failing)).handle("test", (payload, context) -> {
		}).handle("push", (payload, context) -> {
		}).start();
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(started).contains("rowqueue-heartbeat", "rowqueue-finisher").doesNotContain("rowqueue-claimer");
		assertThat(this.engine.workers()).as("the first one has left nothing behind").isOne();
	}

	/** The slot has released it, and the worker has not forgotten it yet. */
	@Test
	void aJobThatIsDeliveredAgainWhileItIsReleasedRuns() {
		Set<Long> runs = ConcurrentHashMap.newKeySet();
		this.broker.doubtOnce();
		this.broker.whileReleasing(() -> await().until(() -> !runs.isEmpty() || this.broker.size() == 0));
		this.engine.process()
			.with(MemoryBroker.carriedBy(this.broker.client()))
			.handle("push", (payload, context) -> runs.add(context.id()))
			.start();
		long id = this.engine.queue(MemoryBroker.carriage(this.broker.client())).enqueue("push", "hello").id();
		await().until(() -> this.broker.published() == 1 && this.broker.size() == 0);
		assertThat(runs).containsExactly(id);
	}

	/** Which pool the jobs of the type need is not known before the first one. */
	@Test
	void aPoolWithoutRoomDoesNotKeepOthersFromTheirFirstJob() throws InterruptedException {
		Set<Long> runs = ConcurrentHashMap.newKeySet();
		CountDownLatch full = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.broker.away(true);
		this.engine.process()
			.with(MemoryBroker.carriedBy(this.broker.client()))
			.concurrency("slow", 1)
			.prefetch(0)
			.handle("slow", (payload, context) -> {
				full.countDown();
				release.await();
			})
			.handle("push", (payload, context) -> runs.add(context.id()))
			.start();
		this.engine.enqueue(JobRequest.of("slow").queue("slow"));
		full.await();
		long id = this.engine.queue(MemoryBroker.carriage(this.broker.client())).enqueue("push", "hello").id();
		this.broker.away(false);
		try {
			await().until(() -> runs.contains(id));
		}
		finally {
			release.countDown();
		}
	}

	/** The broker delivers in its own order: their jobs are behind those of that pool. */
	@Test
	void aFullPoolDoesNotHoldUpOthersOfItsType() throws InterruptedException {
		MemoryBroker impatient = new MemoryBroker(new Random(1), new TransportSettings(true, false,
				Duration.ofMillis(200), DataSize.ofKilobytes(256), false, Duration.ZERO, 1000), "push");
		List<Long> runs = new CopyOnWriteArrayList<>();
		CountDownLatch full = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.engine.process()
			.with(MemoryBroker.carriedBy(impatient.client()))
			.concurrency("slow", 1)
			.prefetch(0)
			.withMaintenance()
			.handle("push", (payload, context) -> {
				if (context.queue().equals("slow")) {
					full.countDown();
					release.await();
				}
				runs.add(context.id());
			})
			.start();
		JobQueue queue = this.engine.queue(MemoryBroker.carriage(impatient.client()));
		JobRequest slow = JobRequest.of("push").queue("slow");
		long first = queue.enqueue(slow).id();
		full.await();
		List<Long> behind = ids(queue.enqueueAll(Collections.nCopies(20, slow)));
		List<Long> others = ids(queue.enqueueAll(Collections.nCopies(20, JobRequest.of("push"))));
		try {
			await().until(() -> runs.containsAll(others));
		}
		finally {
			release.countDown();
		}
		await().until(() -> runs.size() == 41 && impatient.size() == 0);
		this.engine.awaitAllOver();
		assertThat(runs).doesNotHaveDuplicates().contains(first).containsAll(behind);
	}

	private static List<Long> ids(List<EnqueueResult> results) {
		return results.stream().map(EnqueueResult::id).toList();
	}

	/** In a consumer group, no other process would receive from its partitions. */
	@Test
	void aQuietWorkerLeavesTheGroupUntilItIsResumed() {
		this.engine.process().with(MemoryBroker.carriedBy(this.broker.client())).handle("push", (payload, context) -> {
		}).start();
		await("with that of dead letters").until(() -> this.broker.consumers() == 2);
		long worker = this.engine.number("select id from rowqueue.worker");
		quiet(worker, true);
		await().until(() -> this.broker.consumers() == 1);
		quiet(worker, false);
		await().until(() -> this.broker.consumers() == 2);
	}

	private void quiet(long worker, boolean quiet) {
		this.engine.jdbc().update("update rowqueue.worker set quiet = ? where id = ?", quiet, worker);
	}

	/** Such as when the broker is away. */
	@Test
	void aWorkerEndsAlthoughItsConsumersDoNotLeaveInAnOrderlyWay() {
		WorkerThreads threads = new WorkerThreads();
		this.broker.refuseToClose();
		TestProcess process = this.engine.process()
			.with(MemoryBroker.carriedBy(this.broker.client()))
			.handle("push", (payload, context) -> {
			})
			.start();
		await("the worker receives").until(() -> this.broker.consumers() == 2);
		process.stop();
		threads.awaitEnd();
		assertThat(this.broker.consumers()).as("with that of dead letters").isZero();
		assertThat(this.engine.workers()).as("registered").isZero();
	}

	/** Such as by an application that is stopped twice. */
	@Test
	void consumersAreClosedAlthoughTheStopIsInterrupted() throws InterruptedException {
		CountDownLatch connecting = new CountDownLatch(2);
		CompletableFuture<Void> connected = new CompletableFuture<>();
		this.broker.beforeConnecting(() -> {
			connecting.countDown();
			connected.join();
		});
		HikariDataSource pool = this.engine.pool(2);
		QueueDatabase database = new QueueDatabase(new JdbcTemplate(pool), SchemaName.DEFAULT);
		WorkerThreads threads = new WorkerThreads();
		try (WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps()) {
			TransportWorker worker = new TransportWorker(new TransportParts(this.broker.client(), database, pool, true),
					1, new Pools(1, Map.of(), 0), wakeUps, WorkerHooks.NONE, JobListener.NONE, new Outage());
			worker.start(Set.of("push"), new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3),
					new Finisher(null, () -> {
					}));
			connecting.await();
			AtomicBoolean interrupted = new AtomicBoolean();
			Thread stop = new Thread(() -> {
				try {
					worker.close();
				}
				catch (InterruptedException ex) {
					interrupted.set(true);
				}
			});
			stop.start();
			await("it waits for the thread of a consumer").until(() -> Stream.of(stop.getStackTrace())
				.anyMatch((frame) -> frame.getClassName().equals(Thread.class.getName())
						&& frame.getMethodName().equals("join")));
			stop.interrupt();
			stop.join();
			assertThat(interrupted).isTrue();
			connected.complete(null);
			threads.awaitEnd();
			assertThat(this.broker.consumers()).isZero();
		}
	}

	@Test
	void aConsumerThatIsCreatedWhenItsWorkerHasEndedIsClosed() throws InterruptedException {
		MemoryBroker slow = new MemoryBroker("slow");
		CountDownLatch connecting = new CountDownLatch(2);
		CompletableFuture<Void> connected = new CompletableFuture<>();
		slow.beforeConnecting(() -> {
			connecting.countDown();
			connected.join();
		});
		TestProcess process = this.engine.process()
			.with(MemoryBroker.carriedBy(slow.client()))
			.handle("slow", (payload, context) -> {
			})
			.start();
		connecting.await();
		process.stop();
		connected.complete(null);
		await("its threads have ended").until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.noneMatch(Set.of("rowqueue-receiver-slow", "rowqueue-dead-slow")::contains));
		assertThat(slow.consumers()).isZero();
	}

}
