package io.rowqueue.lab.scale;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.postgres.Database;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a handler that only counts, or also computes for a while. */
final class Instance implements AutoCloseable {

	static final String TYPE = "mail";

	/** For how long the handler computes, in microseconds. */
	static final String WORK = "lab.work";

	private static final String PAYLOAD = "x".repeat(60);

	private static final int BATCH = 1000;

	private final ConfigurableApplicationContext context;

	private Instance(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Instance start(Database database, Map<String, Object> own) {
		Map<String, Object> properties = new HashMap<>(own);
		properties.put("spring.datasource.url", database.url());
		properties.put("spring.datasource.username", database.username());
		properties.put("spring.datasource.password", database.password());
		properties.put("spring.main.banner-mode", "off");
		properties.put("logging.level.root", "warn");
		return new Instance(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(properties)
			.registerShutdownHook(false)
			.run());
	}

	/** The properties of a further database. */
	static Map<String, Object> shard(String name, Database database) {
		String prefix = "rowqueue.shards." + name + ".";
		return Map.of(prefix + "url", database.url(), prefix + "username", database.username(), prefix + "password",
				database.password());
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	void enqueue(int jobs) {
		enqueue(bean(JobQueue.class), jobs);
	}

	/** Enqueues plain jobs, a thousand in a transaction. */
	static void enqueue(JobQueue queue, int jobs) {
		for (int left = jobs; left > 0; left -= BATCH) {
			queue.enqueueAll(Collections.nCopies(Math.min(BATCH, left), request()));
		}
	}

	static JobRequest request() {
		return JobRequest.of(TYPE, PAYLOAD);
	}

	/** Keeps a processor busy. */
	static void compute(int micros) {
		if (micros > 0) {
			long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
			while (System.nanoTime() < end) {
				Thread.onSpinWait();
			}
		}
	}

	/** How many jobs have run. */
	private long ran() {
		return bean(Runs.class).count.sum();
	}

	/** How long ago the first job ran. */
	double secondsSinceFirstRun() {
		return (System.nanoTime() - bean(Runs.class).first.get()) / 1e9;
	}

	/** Waits until that many jobs have run. */
	void awaitRan(long jobs) throws InterruptedException {
		while (ran() < jobs) {
			TimeUnit.MILLISECONDS.sleep(5);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Runs runs() {
			return new Runs();
		}

		@Bean
		JobHandlers.Registrar handlers(Runs runs, @Value("${" + WORK + ":0}") int work) {
			return (handlers) -> handlers.add(TYPE, String.class, (payload, job) -> {
				runs.began();
				compute(work);
				runs.ended();
			});
		}

	}

	/** What the handler has seen. */
	static final class Runs {

		private final LongAdder count = new LongAdder();

		/** As in {@link System#nanoTime()}; 0: none has run. */
		private final AtomicLong first = new AtomicLong();

		void began() {
			if (this.first.get() == 0) {
				this.first.compareAndSet(0, System.nanoTime());
			}
		}

		void ended() {
			this.count.increment();
		}

	}

}
