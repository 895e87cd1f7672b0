package io.rowqueue.lab.verify.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.lab.verify.ledger.LedgerFile;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Enqueues a few jobs a second from a worker process, some of which start directly, from
 * the begin of the load, when all tables exist, until it ends or the process stops.
 */
public final class WorkerLoad implements SmartLifecycle {

	private static final String BEGIN = "load.begun";

	private static final String END = "load.ended";

	private static final int PAUSE_MILLIS = 100;

	/** Numbers of the producer are below. */
	private static final int FIRST_NUMBER = 100_000_000;

	/** Numbers of one process, so that there are enough for 2,000 processes. */
	private static final int NUMBERS = 1_000_000;

	private final ApplicationContext application;

	private final LedgerFile ledger;

	private final Path directory;

	private final String process;

	private final List<String> types;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile @Nullable Thread thread;

	/**
	 * Creates it for one worker process.
	 * @param directory the directory of the round
	 * @param process the name of the process, which ends with its number
	 * @param types the types of the jobs
	 */
	public WorkerLoad(ApplicationContext application, LedgerFile ledger, Path directory, String process,
			List<String> types) {
		this.application = application;
		this.ledger = ledger;
		this.directory = directory;
		this.process = process;
		this.types = List.copyOf(types);
	}

	/** Begins the load of all processes of a round, also of later ones. */
	static void begin(Path directory) {
		note(directory.resolve(BEGIN));
	}

	/** Ends the load of all processes of a round. */
	static void end(Path directory) {
		note(directory.resolve(END));
	}

	private static void note(Path file) {
		try {
			Files.writeString(file, "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void start() {
		Thread started = new Thread(this::enqueue, "worker-load");
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	private void enqueue() {
		int first = firstNumber(this.process);
		Path begin = this.directory.resolve(BEGIN);
		Path end = this.directory.resolve(END);
		try (ErrorFile errors = ErrorFile.open(this.directory, this.process)) {
			Enqueue enqueue = new Enqueue(this.application, this.ledger, errors, new AtomicInteger(first),
					Traffic.USUAL, new SplittableRandom(first));
			while (!this.stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS) && !Files.exists(end)) {
				if (Files.exists(begin)) {
					enqueue.some(this.types, false);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns the first number of the jobs of a process.
	 * @throws ArithmeticException if there were too many processes
	 */
	static int firstNumber(String process) {
		int number = Integer.parseInt(process.substring(process.lastIndexOf('-') + 1));
		return Math.addExact(FIRST_NUMBER, Math.multiplyExact(number - 1, NUMBERS));
	}

	@Override
	public void stop() {
		this.stopped.countDown();
		Thread running = this.thread;
		try {
			if (running != null) {
				running.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		Thread running = this.thread;
		return running != null && running.isAlive();
	}

}
