package io.rowqueue.lab.verify.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.lab.verify.ledger.LedgerFile;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application that only enqueues, from a few threads at a steady rate, whatever the
 * database does meanwhile.
 */
public final class Producer implements AutoCloseable {

	private static final int THREADS = 3;

	/**
	 * Held while an application starts or closes: rounds take place at the same time, and
	 * each application sets up the one log of this JVM, or takes it down.
	 */
	private static final Object LOG = new Object();

	private final ConfigurableApplicationContext application;

	private final Path ledgers;

	private final LedgerFile ledger;

	private final ErrorFile errors;

	private final List<Thread> threads = new ArrayList<>();

	private final AtomicInteger numbers = new AtomicInteger(1);

	private final int rate;

	private final Traffic traffic;

	private volatile List<String> types;

	private volatile boolean silent;

	private long begin;

	private long end;

	private volatile boolean over;

	private volatile @Nullable Throwable broken;

	private Producer(ConfigurableApplicationContext application, Path ledgers, int rate, List<String> types,
			Traffic traffic) {
		this.application = application;
		this.ledgers = ledgers;
		this.ledger = LedgerFile.open(ledgers, "producer");
		this.errors = ErrorFile.open(ledgers, "producer");
		this.rate = rate;
		this.types = types;
		this.traffic = traffic;
	}

	/**
	 * Where all producers of this JVM log: it has one log, whatever each of them says.
	 * @param directory of the whole run
	 */
	public static Path log(Path directory) {
		return directory.resolve("producers.log");
	}

	/**
	 * Starts the application, which creates the tables, and enqueues nothing yet.
	 * @param ledgers the directory of the round, in that of the whole run
	 * @param rate jobs a second
	 * @param types the types of the jobs at first
	 * @param traffic what they are like
	 */
	public static Producer create(Map<String, String> properties, Path ledgers, int rate, List<String> types,
			Traffic traffic) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("rowqueue.worker.enabled", "false");
		all.put("spring.main.banner-mode", "off");
		all.put("spring.datasource.hikari.connection-timeout", "2000");
		all.put("spring.datasource.hikari.maximum-pool-size", THREADS);
		// errors of the database are what this is about
		all.put("logging.threshold.console", "off");
		all.put("logging.file.name", log(ledgers.resolve("..").normalize()).toString());
		ConfigurableApplicationContext application = start(all);
		return new Producer(application, ledgers, rate, types, traffic);
	}

	private static ConfigurableApplicationContext start(Map<String, Object> properties) {
		synchronized (LOG) {
			return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.properties(properties)
				.registerShutdownHook(false)
				.run();
		}
	}

	/** Begins to enqueue. */
	public void start(SplittableRandom random) {
		this.begin = System.nanoTime();
		WorkerLoad.begin(this.ledgers);
		for (int i = 0; i < THREADS; i++) {
			SplittableRandom own = random.split();
			Thread thread = new Thread(() -> produce(own), "producer-" + i);
			thread.setUncaughtExceptionHandler((dead, reason) -> this.broken = reason);
			this.threads.add(thread);
			thread.start();
		}
	}

	/** A bean of the application. */
	public <T> T bean(Class<T> type) {
		return this.application.getBean(type);
	}

	/** From now on jobs are of these types. */
	public void types(List<String> types) {
		this.types = List.copyOf(types);
	}

	/** From now on jobs are enqueued with, or without, a notification for the workers. */
	public void silent(boolean silent) {
		this.silent = silent;
	}

	private void produce(SplittableRandom random) {
		Enqueue enqueue = new Enqueue(this.application, this.ledger, this.errors, this.numbers, this.traffic, random);
		long pause = TimeUnit.SECONDS.toNanos(1) * THREADS / this.rate;
		long next = System.nanoTime();
		try {
			while (!this.over) {
				next = Math.max(next + enqueue.some(this.types, this.silent) * pause, System.nanoTime() - pause);
				TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** What it was to do. */
	public Load load() {
		return new Load(this.rate, this.begin, this.end);
	}

	/**
	 * Stops enqueueing, here and in the workers, and returns when the last enqueue of
	 * this process has ended.
	 * @throws IllegalStateException if one of its threads did not live to see it
	 */
	public void stop() throws InterruptedException {
		this.over = true;
		this.end = System.nanoTime();
		WorkerLoad.end(this.ledgers);
		for (Thread thread : this.threads) {
			thread.join();
		}
		Throwable reason = this.broken;
		if (reason != null) {
			throw new IllegalStateException("A thread of the producer died: " + reason, reason);
		}
	}

	@Override
	public void close() {
		this.over = true;
		synchronized (LOG) {
			this.application.close();
		}
		this.ledger.close();
		this.errors.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
