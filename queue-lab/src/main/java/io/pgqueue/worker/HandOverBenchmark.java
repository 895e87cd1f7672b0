package io.pgqueue.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.pgqueue.HandlerOptions;
import io.pgqueue.store.ClaimedJob;
import io.pgqueue.store.Lease;
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

/**
 * The way of a claimed batch through the local queue: jobs are made of rows, wait in the
 * order of urgency, and slots take them. The time of one job, threads included.
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

	private final LocalQueue queue = new LocalQueue();

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
		List<ActiveJob> jobs = this.claimed.stream()
			.map((job) -> new ActiveJob(job, HandlerOptions.NONE.maxAttempts(10), 0))
			.toList();
		this.left = new CountDownLatch(BATCH);
		this.queue.add(jobs);
		if (this.slots > 0) {
			this.left.await();
			return;
		}
		for (int i = 0; i < BATCH; i++) {
			this.queue.done(Objects.requireNonNull(this.queue.next()));
		}
	}

}
