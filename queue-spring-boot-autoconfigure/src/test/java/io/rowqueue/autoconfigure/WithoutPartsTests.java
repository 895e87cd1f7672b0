package io.rowqueue.autoconfigure;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Applications that have only some parts of the queue on their class path. */
class WithoutPartsTests {

	/** The parts that an application can leave out, and a class of each. */
	private static final Map<String, String> PARTS = Map.of("admin", "io.rowqueue.admin.JobAdmin", "windows",
			"io.rowqueue.window.Windows", "monitoring", "io.rowqueue.engine.measure.Measurements", "shards",
			"io.rowqueue.shard.Shards", "schedules", "io.rowqueue.schedule.Schedules", "transport",
			"io.rowqueue.engine.outbox.Relay");

	@RegisterExtension
	static final TestDatabase database = new TestDatabase();

	/** A table of each part. */
	private static final Map<String, String> TABLES = Map.of("admin", "operation", "windows", "time_window",
			"monitoring", "tally", "shards", "shard", "schedules", "schedule", "transport", "outbox");

	@Test
	void jobsRunWithoutAnyPartAndWithoutItsTables() throws Exception {
		run(PARTS.keySet(), List.of("runsAndCancelsJobs", "startsWithoutTheQueue"), "rowqueue.schema.name=small");
		assertThat(TABLES.values()).allMatch((table) -> database.hasTable("rowqueue." + table))
			.noneMatch((table) -> database.hasTable("small." + table));
		assertThat(database.hasTable("small.job")).isTrue();
	}

	/** A part that needs another has it on its class path. */
	@Tag("thorough")
	@ParameterizedTest
	@ValueSource(strings = { "transport", "monitoring", "schedules", "shards" })
	void jobsRunWithoutOnePart(String missing) throws Exception {
		run(Set.of(missing), List.of("runsAndCancelsJobs"));
	}

	private static void run(Set<String> missing, List<String> methods, String... properties) throws Exception {
		Pattern left = Pattern.compile(".*[/\\\\](row)?queue-(" + String.join("|", missing) + ")[/\\\\-].*");
		List<URL> classPath = new ArrayList<>();
		for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
			.split(File.pathSeparator)) {
			if (!left.matcher(entry).matches()) {
				classPath.add(Path.of(entry).toUri().toURL());
			}
		}
		Thread thread = Thread.currentThread();
		ClassLoader own = thread.getContextClassLoader();
		try (URLClassLoader classes = new URLClassLoader(classPath.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(classes);
			for (String part : missing) {
				assertThat(Class.forName(PARTS.get(part))).isNotNull();
				assertThatExceptionOfType(ClassNotFoundException.class)
					.isThrownBy(() -> classes.loadClass(PARTS.get(part)));
			}
			Class<?> application = classes.loadClass(Application.class.getName());
			String[] all = Stream.of(database.properties(), properties).flatMap(Arrays::stream).toArray(String[]::new);
			for (String method : methods) {
				application.getMethod(method, String[].class).invoke(null, (Object) all);
			}
		}
		finally {
			thread.setContextClassLoader(own);
		}
	}

	/** It is loaded once more for each test, with the classes that are there. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application {

		private int handled;

		@JobHandler("mail")
		synchronized void send(String address) {
			this.handled++;
		}

		synchronized int handled() {
			return this.handled;
		}

		public static void runsAndCancelsJobs(String[] properties) {
			try (ConfigurableApplicationContext beans = start(properties)) {
				JobQueue queue = beans.getBean(JobQueue.class);
				long later = queue.enqueue(JobRequest.of("mail", "ada").delay(Duration.ofHours(1))).id();
				queue.enqueue(JobRequest.of("mail", "bob"));
				await().until(() -> beans.getBean(Application.class).handled() == 1);
				assertThat(beans.getBean(JobControl.class).cancel(later)).isEqualTo(CancelResult.CANCELLED);
			}
		}

		public static void startsWithoutTheQueue(String[] properties) {
			try (ConfigurableApplicationContext beans = start(properties, "rowqueue.enabled=false")) {
				assertThat(beans.getBean(JobQueue.class)).isNotNull();
				assertThat(beans.getBean(JobControl.class)).isNotNull();
			}
		}

		private static ConfigurableApplicationContext start(String[] database, String... properties) {
			return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.properties("spring.flyway.enabled=false", "spring.liquibase.enabled=false")
				.properties(database)
				.properties(properties)
				.run();
		}

	}

}
