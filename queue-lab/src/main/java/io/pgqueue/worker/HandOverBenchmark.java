package io.pgqueue.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.pgqueue.JobListener;
import io.pgqueue.codec.JacksonPayloadCodec;
import io.pgqueue.handler.HandlerRegistry;
import io.pgqueue.store.ClaimedJob;
import io.pgqueue.store.KeptJobs;
import io.pgqueue.store.Lease;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.StoreListener;
import io.pgqueue.wakeup.JobEndings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The way of a claimed batch through the dispatcher and the local queue: jobs are made of
 * rows, wait in the order of urgency, and slots take them. The time of one job, threads
 * included.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HandOverBenchmark {

	private static final int BATCH = 500;

	/** How many threads take jobs; 0: the one that adds them. */
	@Param({ "0", "1", "10" })
	public int slots;

	private final List<ClaimedJob> claimed = new ArrayList<>();

	private final Pool pool = new Pool("*", 10, 1000);

	private final LocalQueue queue = this.pool.jobs();

	/** Its store is never asked: no job is handed back. */
	private final Dispatcher dispatcher = new Dispatcher(new Finisher(new OutcomeWriter(
			new LeaseDatabase(new QueueDatabase(new JdbcTemplate(), SchemaName.DEFAULT), KeptJobs.ALL), 1, (queues) -> {
			}, new JobEndings(), StoreListener.NONE, JobListener.NONE, (outcomes) -> {
			}), () -> {
			}), new TypeOptions(HandlerRegistry.builder(new JacksonPayloadCodec(JsonMapper.builder().build())).build(),
					10));

	private volatile CountDownLatch left = new CountDownLatch(0);

	/** Makes the rows and starts the slots. */
	@Setup(Level.Trial)
	public void start() {
		for (int i = 0; i < BATCH; i++) {
			this.claimed.add(new ClaimedJob(new Lease(i, 1), "mail", "default", 0, 1, null, 0, i, 0, 0, false,
					"{\"n\":1}", false, null));
		}
		for (int i = 0; i < this.slots; i++) {
			Thread slot = new Thread(this::take, "slot-" + i);
			slot.setDaemon(true);
			slot.start();
		}
	}

	private void take() {
		ActiveJob job = this.queue.next();
		while (job != null) {
			ActiveJob next = this.queue.nextAfter(job);
			this.left.countDown();
			job = (next != null) ? next : this.queue.next();
		}
	}

	/** Ends the slots. */
	@TearDown(Level.Trial)
	public void end() {
		this.queue.close();
	}

	/** Hands over one batch. */
	@Benchmark
	@OperationsPerInvocation(BATCH)
	public void batch() throws InterruptedException {
		this.left = new CountDownLatch(BATCH);
		this.dispatcher.dispatch(this.pool, this.claimed, (job) -> 0);
		if (this.slots > 0) {
			this.left.await();
			return;
		}
		for (int i = 0; i < BATCH; i++) {
			this.queue.done(Objects.requireNonNull(this.queue.next()));
		}
	}

}
