package io.rowqueue.lab.cost;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rowqueue.JobHandlers;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The application that is measured: a worker and its dashboard. It prints how long it
 * took to start, and then does what the lines of its input ask for.
 */
public final class CostApplication {

	/** What an operator who looks asks for, in the order of the pages. */
	private static final int RECENT = 50;

	/**
	 * Opens the dashboard of this application, which listens on the loopback interface.
	 */
	private static final String TOKEN = "token-of-the-measured-application";

	private final ConfigurableApplicationContext context;

	private final HttpClient client = HttpClient.newHttpClient();

	private CostApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Runs until its input ends.
	 * @param arguments properties, as of any Spring Boot application
	 * @throws Exception if a request fails
	 */
	public static void main(String[] arguments) throws Exception {
		long begin = System.nanoTime();
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn", "server.port=0",
					"server.address=127.0.0.1", "rowqueue.figures.enabled=true", "rowqueue.dashboard.token=" + TOKEN)
			.run(arguments);
		print("started", (System.nanoTime() - begin) / 1e6);
		new CostApplication(context).serve();
		context.close();
	}

	private void serve() throws Exception {
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			String[] words = line.split(" ", -1);
			switch (words[0]) {
				case "overview" -> time(words[0], () -> get("overview"));
				case "list" -> time(words[0], () -> get("jobs?limit=50"));
				case "queues" -> time(words[0], () -> get("queues"));
				case "endpoint" -> time(words[0], this::endpoint);
				case "explain" ->
					time(words[0], () -> this.context.getBean(JobAdmin.class).explain(Long.parseLong(words[1])));
				case "waits" -> waits();
				default -> throw new IllegalArgumentException(line);
			}
		}
	}

	/** What the actuator's endpoint reads for its overview. */
	private Object endpoint() {
		QueueOverview overview = this.context.getBean(QueueOverview.class);
		return overview.jobs().size() + overview.workers().size() + overview.lanes().size()
				+ overview.running(RECENT).size() + overview.failures(RECENT).size()
				+ this.context.getBean(JobAdmin.class).pauses().size()
				+ this.context.getBean(Schedules.class).list().size()
				+ this.context.getBean(JobLimits.class).list().size();
	}

	private String get(String path) throws IOException, InterruptedException {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		HttpResponse<String> response = this.client
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rowqueue/api/" + path))
				.header("Authorization", "Bearer " + TOKEN)
				.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != 200) {
			throw new IOException(path + ": " + response.statusCode() + " " + response.body());
		}
		return response.body();
	}

	private static void time(String what, Callable<?> request) throws Exception {
		long begin = System.nanoTime();
		request.call();
		print(what, (System.nanoTime() - begin) / 1e6);
	}

	private void waits() {
		Histogram waits = this.context.getBean(Histogram.class);
		synchronized (waits) {
			System.out.println("jobs=" + waits.getTotalCount());
			System.out.println("p50=" + waits.getValueAtPercentile(50) / 1e3);
			print("p99", waits.getValueAtPercentile(99) / 1e3);
			waits.reset();
		}
	}

	private static void print(String name, double value) {
		System.out.println(name + "=" + String.format(Locale.ROOT, "%.3f", value));
		System.out.flush();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Histogram waits() {
			return new ConcurrentHistogram(TimeUnit.HOURS.toMicros(10), 3);
		}

		/** Payloads are the time of the enqueue, in microseconds, or something else. */
		@Bean
		JobHandlers.Registrar handlers(Histogram waits, @Value("${cost.types}") int types,
				@Value("${cost.millis}") int millis) {
			return (handlers) -> {
				handlers.add("other", String.class, (nothing, job) -> {
				});
				IntStream.range(0, types)
					.forEach((number) -> handlers.add("type-" + number, String.class,
							(at, job) -> run(waits, at, millis)));
			};
		}

		private static void run(Histogram waits, @Nullable String at, int millis) throws InterruptedException {
			if (at != null && Character.isDigit(at.charAt(0))) {
				waits.recordValue(Math.max(0, System.currentTimeMillis() * 1000 - Long.parseLong(at)));
			}
			TimeUnit.MILLISECONDS.sleep(millis);
		}

	}

}
