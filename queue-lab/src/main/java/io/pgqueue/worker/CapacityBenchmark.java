package io.pgqueue.worker;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The capacity model: every job adds its time, and every freed slot asks how many jobs to
 * claim. Both happen once for each job, from all slots at once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CapacityBenchmark {

	private final Pool pool = new Pool("*", 10, 1000);

	private final RunTimes times = new RunTimes();

	/** Lets the pool know how long a job takes. */
	@Setup
	public void learn() {
		for (int i = 0; i < 1000; i++) {
			this.pool.learn("mail", 50_000);
		}
	}

	/** One slot, undisturbed. */
	@Benchmark
	@Threads(1)
	public long learnAlone() {
		this.times.add(50_000);
		return this.times.jobsIn(100_000_000, 10);
	}

	/** As many slots as there are cores. */
	@Benchmark
	@Threads(Threads.MAX)
	public long learnTogether() {
		this.times.add(50_000);
		return this.times.jobsIn(100_000_000, 10);
	}

	/** What a freed slot asks. */
	@Benchmark
	@Threads(Threads.MAX)
	public int wanted() {
		return this.pool.wanted();
	}

}
