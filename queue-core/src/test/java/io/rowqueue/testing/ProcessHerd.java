package io.rowqueue.testing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

import io.rowqueue.engine.recovery.RecoveryStore;

/**
 * Processes of one application, which are started, stopped, killed and given up at
 * random. Each has another number of slots, another prefetch and another patience when it
 * is stopped.
 */
public final class ProcessHerd {

	private final Engine engine;

	private final Random random;

	private final int maxAttempts;

	private final UnaryOperator<TestProcess.Builder> application;

	private final RecoveryStore others;

	private final Deque<TestProcess> processes = new ArrayDeque<>();

	private final List<TestProcess> killed = new ArrayList<>();

	/**
	 * Creates a herd without processes.
	 * @param random decides about each
	 * @param maxAttempts how often jobs are tried
	 * @param application gives a process its handlers, and what else it needs
	 */
	public ProcessHerd(Engine engine, Random random, int maxAttempts, UnaryOperator<TestProcess.Builder> application) {
		this.engine = engine;
		this.random = random;
		this.maxAttempts = maxAttempts;
		this.application = application;
		this.others = engine.recovery();
	}

	/** Starts another one. */
	public void start() {
		TestProcess.Builder process = this.engine.process()
			.failingSoon()
			.concurrency(1 + this.random.nextInt(5))
			.prefetch(this.random.nextInt(50))
			.maxAttempts(this.maxAttempts)
			.shutdownTimeout(Duration.ofMillis(this.random.nextInt(500)))
			.withMaintenance();
		this.processes.add(this.application.apply(process).start());
	}

	/** Starts a process if all have been stopped or killed. */
	public void startIfNone() {
		if (this.processes.isEmpty()) {
			start();
		}
	}

	/** Stops the oldest one, if there is any. */
	public void stop() {
		TestProcess process = this.processes.poll();
		if (process != null) {
			process.stop();
		}
	}

	/**
	 * Kills the oldest one, if there is any. Its handlers go on as if nothing had
	 * happened, as those of a frozen one do.
	 */
	public void kill() {
		TestProcess process = this.processes.poll();
		if (process != null) {
			process.loseDatabase();
			this.killed.add(process);
		}
	}

	/** Takes half of them for dead, although they live, and their jobs from them. */
	public void declareHalfDead() {
		this.engine.jdbc()
			.update("update rowqueue.worker set dead_at = now() where dead_at is null and id % 2 = ?",
					this.random.nextInt(2));
		recover();
	}

	/**
	 * Does at once what maintenance does after some seconds. A worker that lives has a
	 * heartbeat each second, and on a busy machine not quite.
	 */
	public void recover() {
		this.others.declareDead(Duration.ofSeconds(3), Duration.ZERO);
		this.others.recover(this.maxAttempts, 10_000);
	}

	/** Stops all, those that were killed included. */
	public void stopAll() {
		this.processes.forEach(TestProcess::stop);
		this.killed.forEach(TestProcess::stop);
	}

}
