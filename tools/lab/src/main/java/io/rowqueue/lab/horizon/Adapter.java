package io.rowqueue.lab.horizon;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * An application that enqueues and runs jobs of the harness, with the default settings
 * but for the number of slots. It lives until it is terminated, whatever happens to its
 * database.
 */
public final class Adapter {

	private static final String TYPE = "work";

	private static final String TOKEN = "ENQUEUE ";

	/** What a payload has besides its padding. */
	private static final int FRAME_BYTES = 40;

	private static final int MILLIS_AFTER_FAILURE = 50;

	private final AdapterSettings settings;

	private final JobQueue queue;

	private final Samples samples;

	private final String padding;

	private Adapter(AdapterSettings settings, JobQueue queue, Samples samples) {
		this.settings = settings;
		this.queue = queue;
		this.samples = samples;
		this.padding = "x".repeat(Math.max(0, settings.payloadBytes() - FRAME_BYTES));
	}

	/**
	 * Runs until it is terminated.
	 * @param arguments none: the environment has everything
	 * @throws Exception if it cannot start
	 */
	public static void main(String[] arguments) throws Exception {
		AdapterSettings settings = AdapterSettings.from(System.getenv());
		Samples samples = new Samples(System.out);
		ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.initializers((context) -> {
				context.getBeanFactory().registerSingleton("samples", samples);
				context.getBeanFactory().registerSingleton("settings", settings);
			})
			.properties("spring.main.banner-mode=off", "logging.level.root=warn",
					"spring.datasource.url=" + settings.url(), "rowqueue.worker.concurrency=" + settings.workers())
			// the standard output is for samples
			.properties("logging.threshold.console=off", "logging.file.name=" + System.getProperty("adapter.log", ""))
			.run();
		samples.descriptor(settings.url());
		JobQueue queue = application.getBean(JobQueue.class);
		Thread sampler = new Thread(new Sampler(settings, samples, Depth.of(application)), "sampler");
		sampler.setDaemon(true);
		sampler.start();
		Adapter adapter = new Adapter(settings, queue, samples);
		Thread producer = new Thread(settings.paced() ? adapter::followTokens : adapter::produce, "producer");
		producer.setDaemon(true);
		producer.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> end(application), "end"));
		Thread.currentThread().join();
	}

	/** The harness terminates the process and expects that as its good end. */
	private static void end(ConfigurableApplicationContext application) {
		application.close();
		Runtime.getRuntime().halt(0);
	}

	/** Enqueues what the harness asks for, line by line. */
	private void followTokens() {
		try {
			BufferedReader tokens = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
			for (String line = tokens.readLine(); line != null; line = tokens.readLine()) {
				if (line.startsWith(TOKEN)) {
					enqueue(Integer.parseInt(line.substring(TOKEN.length()).strip()));
				}
			}
		}
		catch (IOException | InterruptedException ex) {
			System.err.println("The adapter enqueues no more: " + ex);
		}
	}

	/** Enqueues as many jobs as the elapsed time allows, or as the depth lacks. */
	private void produce() {
		double credit = 0;
		long last = System.nanoTime();
		try {
			while (true) {
				TimeUnit.MILLISECONDS.sleep(this.settings.batchMillis());
				long now = System.nanoTime();
				double rate = this.settings.currentRate();
				this.samples.target(rate);
				credit = (this.settings.depth() > 0) ? this.settings.depth() - this.samples.depth()
						: credit + rate * (now - last) / 1e9;
				last = now;
				while (credit >= 1) {
					int jobs = (int) Math.min(credit, this.settings.batch());
					enqueue(jobs);
					credit -= jobs;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** What fails while the database is away is not enqueued, as in a real producer. */
	private void enqueue(int jobs) throws InterruptedException {
		Instant now = Instant.now();
		long at = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
		List<JobRequest> requests = IntStream.range(0, jobs)
			.mapToObj((job) -> JobRequest.of(TYPE, new Work(at, this.padding)))
			.toList();
		try {
			this.queue.enqueueAll(requests);
			this.samples.enqueued(jobs);
		}
		catch (DataAccessException | TransactionException ex) {
			System.err.println("An enqueue failed: " + ex.getMessage());
			TimeUnit.MILLISECONDS.sleep(MILLIS_AFTER_FAILURE);
		}
	}

	/**
	 * The payload.
	 *
	 * @param at when it was enqueued, in microseconds since 1970
	 * @param padding fills it up
	 */
	record Work(long at, String padding) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		JobHandlers.Registrar handler(Samples samples, AdapterSettings settings) {
			return (handlers) -> handlers.add(TYPE, Work.class, (work, job) -> run(work, samples, settings));
		}

		private static void run(@Nullable Work work, Samples samples, AdapterSettings settings)
				throws InterruptedException {
			if (work != null) {
				samples.started(work.at());
			}
			TimeUnit.MILLISECONDS.sleep(settings.workMillis());
			samples.completed();
		}

	}

}
