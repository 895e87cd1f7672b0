package io.rowqueue.lab.contestant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application as its users write them, with default settings. It is there before
 * anything is measured, but like those of all others its worker has never run until
 * {@link #startWorker()}.
 */
public final class Rowqueue implements Contestant {

	static final String TYPE = "mail";

	/** With these settings it is a web application, whose dashboard has open pages. */
	static final Map<String, Object> WITH_OPEN_PAGES = Map.of("server.port", "0", "server.address", "127.0.0.1",
			"rowqueue.dashboard.token", OpenPages.TOKEN);

	/** Settings of a tuning run: {@code TUNE_WORKER_CONCURRENCY=20}. */
	private static final String TUNE = "TUNE_";

	static final String DRAINED = """
			select not exists (select from rowqueue.job where indexed_state = 'queued')
				and not exists (select from rowqueue.leased_jobs)
				and not exists (select from rowqueue.job where indexed_state = 'scheduled' and run_at < now() + interval '1 day')""";

	/** Creates ready jobs of a type. */
	static final String FILL = """
			insert into rowqueue.job (queue, type, state, run_at, order_at, payload)
			select 'default', ?, 'queued', now(), now() + i * interval '1 microsecond',
				json_build_object('n', i, 'to', 'user' || i || '@example.org', 'kind', 'welcome')
			from generate_series(0, ? - 1) i""";

	private final ConfigurableApplicationContext application;

	private final JobQueue queue;

	private final JdbcTemplate jdbc;

	private final Map<String, Object> settings;

	private @Nullable OpenPages pages;

	private Rowqueue(ConfigurableApplicationContext application, Map<String, Object> settings) {
		this.application = application;
		this.settings = settings;
		this.queue = application.getBean(JobQueue.class);
		this.jdbc = application.getBean(JdbcTemplate.class);
	}

	static Rowqueue create(String url, Ledger ledger, Map<String, Object> own) {
		Map<String, Object> settings = new TreeMap<>(own);
		settings.putAll(tuned());
		Map<String, Object> properties = new HashMap<>(settings);
		properties.put("spring.datasource.url", url);
		properties.put("spring.main.banner-mode", "off");
		properties.put("logging.level.root", "warn");
		ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(own.equals(WITH_OPEN_PAGES) ? WebApplicationType.SERVLET : WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("ledger", ledger))
			.properties(properties)
			.run();
		return new Rowqueue(application, settings);
	}

	private static Map<String, Object> tuned() {
		return System.getenv()
			.entrySet()
			.stream()
			.filter((variable) -> variable.getKey().startsWith(TUNE))
			.collect(Collectors.toMap(Rowqueue::property, Map.Entry::getValue));
	}

	private static String property(Map.Entry<String, String> variable) {
		return "rowqueue." + variable.getKey().substring(TUNE.length()).toLowerCase(Locale.ROOT).replace('_', '.');
	}

	@Override
	public String version() {
		return "0.1.0";
	}

	@Override
	public String settings() {
		return this.settings.isEmpty() ? "defaults" : this.settings.toString();
	}

	@Override
	public void fillScheduled(int jobs) {
		this.jdbc.update("""
				insert into rowqueue.job (queue, type, state, run_at, order_at, priority, payload)
				select 'default', ?, 'scheduled', now() + interval '1 year' + i * interval '1 second',
					now() + interval '1 year' + i * interval '1 second', 10, json_build_object('n', i)
				from generate_series(0, ? - 1) i""", TYPE, jobs);
	}

	@Override
	public void enqueueMixed(int from, int to) {
		this.queue.enqueueAll(IntStream.range(from, to).mapToObj(Mix::request).toList());
	}

	@Override
	public String table() {
		return "rowqueue.job";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("payload->>'n'");
	}

	@Override
	public void startWorker() {
		this.application.start();
		String port = this.application.getEnvironment().getProperty("local.server.port");
		if (port != null) {
			this.pages = new OpenPages(Integer.parseInt(port));
		}
	}

	@Override
	public void stopWorker() {
		if (this.pages != null) {
			this.pages.close();
		}
		this.application.stop();
	}

	@Override
	public void enqueue(int job) {
		this.queue.enqueue(TYPE, Payload.of(job));
	}

	@Override
	public void enqueueAll(int from, int to) {
		List<JobRequest> jobs = new ArrayList<>(to - from);
		IntStream.range(from, to).forEach((job) -> jobs.add(JobRequest.of(TYPE, Payload.of(job))));
		this.queue.enqueueAll(jobs);
	}

	@Override
	public void fill(int jobs) {
		this.jdbc.update(FILL, TYPE, jobs);
	}

	@Override
	public boolean isDrained() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(DRAINED, Boolean.class));
	}

	/** Ends the application. */
	void close() {
		this.application.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME)
		static LifecycleProcessor lifecycleProcessor() {
			return new StartedLater();
		}

		@Bean
		JobHandlers.Registrar handler(Ledger ledger) {
			return (handlers) -> {
				handlers.add(TYPE, Payload.class, (payload, context) -> ledger.begin(number(payload)));
				Mix.types().forEach((type) -> handlers.add(type, Payload.class, (payload, context) -> {
					ledger.begin(number(payload));
					Mix.failSometimes(number(payload), context.attempt());
				}));
			};
		}

		private static int number(@Nullable Payload payload) {
			return Objects.requireNonNull(payload, "a job without a payload").n();
		}

	}

}
