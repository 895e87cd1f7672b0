package io.pgqueue.lab.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.pgqueue.JobHandlers;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application as its users write them, with default settings. It is started before
 * anything is measured, and its worker is stopped until {@link #startWorker()}.
 */
final class QueueUnderTest {

	private static final String TYPE = "mail";

	/** Settings of a tuning run: {@code TUNE_WORKER_CONCURRENCY=20}. */
	private static final String TUNE = "TUNE_";

	private final ConfigurableApplicationContext application;

	private final JobQueue queue;

	private final JdbcTemplate jdbc;

	private QueueUnderTest(ConfigurableApplicationContext application) {
		this.application = application;
		this.queue = application.getBean(JobQueue.class);
		this.jdbc = application.getBean(JdbcTemplate.class);
	}

	static QueueUnderTest create(Ledger ledger) {
		Map<String, Object> properties = tuned();
		properties.put("spring.datasource.url", System.getenv("JDBC_URL"));
		properties.put("spring.main.banner-mode", "off");
		properties.put("logging.level.root", "warn");
		ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("ledger", ledger))
			.properties(properties)
			.run();
		application.stop();
		return new QueueUnderTest(application);
	}

	private static Map<String, Object> tuned() {
		return System.getenv()
			.entrySet()
			.stream()
			.filter((variable) -> variable.getKey().startsWith(TUNE))
			.collect(Collectors.toMap(QueueUnderTest::property, Map.Entry::getValue));
	}

	private static String property(Map.Entry<String, String> variable) {
		return "queue." + variable.getKey().substring(TUNE.length()).toLowerCase(Locale.ROOT).replace('_', '.');
	}

	String settings() {
		Map<String, Object> tuned = tuned();
		return (tuned.isEmpty() ? "defaults" : tuned.toString()) + "; java " + Runtime.version().feature();
	}

	void startWorker() {
		this.application.start();
	}

	void stopWorker() {
		this.application.stop();
	}

	void enqueue(int job) {
		this.queue.enqueue(TYPE, Payload.of(job));
	}

	void enqueueAll(int from, int to) {
		List<JobRequest> jobs = new ArrayList<>(to - from);
		IntStream.range(from, to).forEach((job) -> jobs.add(JobRequest.of(TYPE, Payload.of(job))));
		this.queue.enqueueAll(jobs);
	}

	/** Makes jobs by SQL: millions of them take minutes in any other way. */
	void fill(int jobs) {
		this.jdbc.update("""
				insert into queue.job (queue, type, state, run_at, order_at, payload)
				select 'default', ?, 'queued', now(), now() + i * interval '1 microsecond',
					json_build_object('n', i, 'to', 'user' || i || '@example.org', 'kind', 'welcome')
				from generate_series(0, ? - 1) i""", TYPE, jobs);
	}

	void execute(String sql) {
		this.jdbc.execute(sql);
	}

	boolean isDrained() {
		return Boolean.TRUE
			.equals(this.jdbc.queryForObject("select not exists (select from queue.job)", Boolean.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		JobHandlers.Registrar handler(Ledger ledger) {
			return (handlers) -> handlers.add(TYPE, Payload.class, (payload, context) -> {
				if (payload == null) {
					throw new IllegalStateException("a job without a payload");
				}
				ledger.begin(payload.n());
			});
		}

	}

}
