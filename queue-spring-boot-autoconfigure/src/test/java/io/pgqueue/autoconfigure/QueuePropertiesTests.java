package io.pgqueue.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.pgqueue.JobHandler;
import io.pgqueue.JobQueue;
import io.pgqueue.JobState;
import io.pgqueue.RetryPolicy;
import io.pgqueue.engine.history.Retention;
import io.pgqueue.engine.worker.WorkerSettings;
import io.pgqueue.schema.SchemaMode;
import io.pgqueue.schema.SchemaName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What can be set, what it is if nobody sets it, and what is refused. */
class QueuePropertiesTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withUserConfiguration(Properties.class);

	@Test
	void bindsEveryProperty() {
		this.application
			.withPropertyValues("queue.enabled=false", "queue.schema.name=jobs", "queue.schema.mode=validate",
					"queue.worker.enabled=false", "queue.worker.concurrency=3",
					"queue.worker.queues.mail.concurrency=4", "queue.worker.queues[a.b c].concurrency=5",
					"queue.worker.prefetch=6", "queue.worker.max-attempts=7", "queue.worker.poll-interval=8s",
					"queue.worker.lease=9s", "queue.worker.shutdown-timeout=10s", "queue.notifications.enabled=false",
					"queue.notifications.url=jdbc:postgresql:direct", "queue.notifications.username=me",
					"queue.notifications.password=secret", "queue.retry.initial-delay=11s",
					"queue.retry.multiplier=1.2", "queue.retry.max-delay=13s", "queue.retry.jitter=0.14",
					"queue.retention.succeeded=15d", "queue.retention.cancelled=16d", "queue.retention.failed=17d",
					"queue.retention.queues.mail.succeeded=0", "queue.retention.queues[a.b c].failed=18d",
					"queue.max-payload-size=17KB", "queue.worker.aging=19s", "queue.worker.max-payload-size=20KB")
			.run((context) -> {
				QueueProperties properties = context.getBean(QueueProperties.class);
				assertThat(properties).isEqualTo(new QueueProperties(false, DataSize.ofKilobytes(17),
						new QueueProperties.Schema("jobs", SchemaMode.VALIDATE),
						new QueueProperties.Worker(false, 3,
								Map.of("mail", new QueueProperties.Queue(4), "a.b c", new QueueProperties.Queue(5)), 6,
								7, Duration.ofSeconds(8), Duration.ofSeconds(9), Duration.ofSeconds(10),
								Duration.ofSeconds(19), DataSize.ofKilobytes(20)),
						new QueueProperties.Notifications(false, "jdbc:postgresql:direct", "me", "secret"),
						new QueueProperties.Retry(Duration.ofSeconds(11), 1.2, Duration.ofSeconds(13), 0.14),
						new QueueProperties.Retain(Duration.ofDays(15), Duration.ofDays(16), Duration.ofDays(17),
								Map.of("mail", new QueueProperties.RetainQueue(Duration.ZERO, null, null), "a.b c",
										new QueueProperties.RetainQueue(null, null, Duration.ofDays(18))))));
				assertThat(properties.retention().retention().queues()).isEqualTo(Map.of("mail",
						new Retention.Times(Duration.ZERO, Duration.ofDays(16), Duration.ofDays(17)), "a.b c",
						new Retention.Times(Duration.ofDays(15), Duration.ofDays(16), Duration.ofDays(18))));
				assertThat(properties.worker().settings().queues()).isEqualTo(Map.of("mail", 4, "a.b c", 5));
			});
	}

	@Test
	void countsTimesWithoutAUnitInSecondsAndRetentionInDays() {
		this.application
			.withPropertyValues("queue.worker.poll-interval=2", "queue.worker.lease=60",
					"queue.worker.shutdown-timeout=15", "queue.retry.initial-delay=3", "queue.retry.max-delay=600",
					"queue.retention.succeeded=3", "queue.retention.cancelled=4", "queue.retention.failed=90",
					"queue.retention.queues.mail.failed=91")
			.run((context) -> {
				QueueProperties properties = context.getBean(QueueProperties.class);
				assertThat(properties.worker().pollInterval()).isEqualTo(Duration.ofSeconds(2));
				assertThat(properties.worker().lease()).isEqualTo(Duration.ofMinutes(1));
				assertThat(properties.worker().shutdownTimeout()).isEqualTo(Duration.ofSeconds(15));
				assertThat(properties.retry().initialDelay()).isEqualTo(Duration.ofSeconds(3));
				assertThat(properties.retry().maxDelay()).isEqualTo(Duration.ofMinutes(10));
				assertThat(properties.retention())
					.isEqualTo(new QueueProperties.Retain(Duration.ofDays(3), Duration.ofDays(4), Duration.ofDays(90),
							Map.of("mail", new QueueProperties.RetainQueue(null, null, Duration.ofDays(91)))));
			});
	}

	@Test
	void anEmptyValueIsTheDefault() {
		this.application.withPropertyValues("queue.worker.poll-interval=", "queue.retention.succeeded=")
			.run((context) -> {
				assertThat(context.getBean(QueueProperties.class).worker().pollInterval())
					.isEqualTo(Duration.ofSeconds(1));
				assertThat(context.getBean(QueueProperties.class).retention().succeeded())
					.isEqualTo(Duration.ofDays(7));
			});
	}

	@Test
	void theDefaultsAreThoseOfTheEngine() {
		this.application.run((context) -> {
			QueueProperties properties = context.getBean(QueueProperties.class);
			assertThat(properties.worker().settings()).isEqualTo(WorkerSettings.DEFAULT);
			assertThat(properties.retention().retention()).isEqualTo(Retention.DEFAULT);
			assertThat(properties.retry().policy()).isEqualTo(RetryPolicy.DEFAULT);
			assertThat(properties.schema().schemaName()).isEqualTo(SchemaName.DEFAULT);
		});
	}

	@Test
	void theDocumentedDefaultsAreTheRealOnes() throws IOException {
		Map<String, Object> documented = new HashMap<>();
		metadata().forEach((property) -> {
			if (property.has("defaultValue")) {
				documented.put(property.get("name").asString(), property.get("defaultValue").asString());
			}
		});
		QueueProperties bound = new Binder(new MapConfigurationPropertySource(documented))
			.bind("queue", QueueProperties.class)
			.get();
		this.application.run((context) -> assertThat(bound).isEqualTo(context.getBean(QueueProperties.class)));
	}

	@Test
	void everyPropertyIsDocumented() throws IOException {
		Map<String, String> lacking = new TreeMap<>();
		for (JsonNode property : metadata()) {
			String name = property.get("name").asString();
			String description = property.path("description").asString("");
			if (!description.matches("(?s)(?!(A|An|The) )[A-Z].*\\.") || description.contains("\n")) {
				lacking.put(name, "description: " + description);
			}
			if (!property.has("type")) {
				lacking.put(name, "type");
			}
			if (property.path("type").asString().equals("java.lang.Boolean") && !description.startsWith("Whether ")) {
				lacking.put(name, "does not start with Whether: " + description);
			}
			if (name.startsWith("management.")) {
				continue; // as Boot has them for its own endpoints
			}
			if (property.path("type").asString().equals("java.time.Duration")
					&& !description.contains("If a duration suffix is not specified, ")) {
				lacking.put(name, "unit: " + description);
			}
			// the maps are empty unless somebody fills it
			if (!property.has("defaultValue") && !List
				.of("queue.worker.queues", "queue.types", "queue.retention.queues", "queue.limits.queues",
						"queue.limits.types", "queue.limits.keys", "queue.recurring", "queue.windows",
						"queue.notifications.url", "queue.notifications.username", "queue.notifications.password",
						"queue.worker.aging")
				.contains(name)) {
				lacking.put(name, "default");
			}
		}
		assertThat(lacking).isEmpty();
		assertThat(metadata()).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					queue.worker.concurrency=-1               | queue.worker.concurrency must not be negative: -1
					queue.worker.queues.mail.concurrency=0    | queue.worker.queues.mail.concurrency must be positive, not 0
					queue.worker.queues[Mail.eu].concurrency=0 | queue.worker.queues[Mail.eu].concurrency must be positive, not 0
					queue.worker.queues[Big Mail].concurrency=-2 | queue.worker.queues[Big Mail].concurrency must be positive, not -2
					queue.worker.prefetch=-1                  | queue.worker.prefetch must not be negative: -1
					queue.worker.max-attempts=0               | queue.worker.max-attempts must be from 1 to 32767, not 0
					queue.worker.max-attempts=32768           | queue.worker.max-attempts must be from 1 to 32767, not 32768
					queue.worker.poll-interval=0              | queue.worker.poll-interval must be a millisecond or longer, not PT0S
					queue.worker.poll-interval=-1s            | queue.worker.poll-interval must be a millisecond or longer, not PT-1S
					queue.worker.lease=4s                     | queue.worker.lease must be 5 seconds or longer, not PT4S
					queue.worker.shutdown-timeout=-1s         | queue.worker.shutdown-timeout must not be negative: PT-1S
					queue.worker.max-payload-size=0           | queue.worker.max-payload-size must be positive, not 0B
					queue.max-payload-size=17MB               | queue.max-payload-size must be at most queue.worker.max-payload-size (16777216B), not 17825792B
					queue.retry.initial-delay=-1s             | queue.retry.initial-delay must not be negative: PT-1S
					queue.retry.multiplier=0.5                | queue.retry.multiplier must be at least 1, not 0.5
					queue.retry.max-delay=1s                  | queue.retry.max-delay (PT1S) must not be shorter than queue.retry.initial-delay (PT2S)
					queue.retry.jitter=1.1                    | queue.retry.jitter must be from 0 to 1, not 1.1
					queue.notifications.url=jdbc:mysql:x      | queue.notifications.url must have the form jdbc:postgresql://host:port/database
					queue.retention.succeeded=-1s             | queue.retention.succeeded must not be negative: PT-1S
					queue.retention.cancelled=-1s             | queue.retention.cancelled must not be negative: PT-1S
					queue.retention.failed=-1m                | queue.retention.failed must not be negative: PT-1M
					queue.retention.queues.mail.failed=-1m    | queue.retention.queues.mail.failed must not be negative: PT-1M
					queue.retention.queues[a b].succeeded=-1m | queue.retention.queues[a b].succeeded must not be negative: PT-1M
					queue.worker.lease=soon                   | queue.worker.lease
					queue.enabled=perhaps                     | queue.enabled
					queue.schema.mode=no                      | queue.schema.mode
					""")
	void refusesAWrongValueByItsName(String property, String message) {
		this.application.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
	}

	@ParameterizedTest
	@ValueSource(strings = { "postgresql://u:topsecret@h/db", "jdbc:postgresql://u:topsecret@h/db",
			"jdbc:postgresql://h?user=u&password=topsecret", "jdbc:postgresql://h:port/db?password=topsecret",
			"jdbc:postgresql://h:99999/db?password=topsecret", "jdbc:postgresql://h/db/x?password=topsecret" })
	@ExtendWith(OutputCaptureExtension.class)
	void aWrongUrlIsNotPrintedSinceItMayHaveAPassword(String url, CapturedOutput output) {
		Applications.on(new TestDatabase())
			.withBean(Failing.class)
			.withPropertyValues("queue.notifications.url=" + url)
			.run((context) -> {
				assertThat(context.getStartupFailure()).hasStackTraceContaining("queue.notifications.url");
				StringWriter trace = new StringWriter();
				context.getStartupFailure().printStackTrace(new PrintWriter(trace));
				assertThat(trace + output.getAll()).doesNotContain("topsecret");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:postgresql://h/db", "jdbc:postgresql://h:5432/db?sslmode=require",
			"jdbc:postgresql:db", "jdbc:postgresql://a:1,b:2/db?targetServerType=primary",
			"jdbc:postgresql://[::1]:5432/db", "jdbc:postgresql:///db" })
	void takesEveryUrlThatTheDriverTakes(String url) {
		assertThat(Driver.parseURL(url, null)).isNotNull();
		this.application.withPropertyValues("queue.notifications.url=" + url)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theApplicationsRetryPolicyWins() {
		TestDatabase database = new TestDatabase();
		List<Integer> asked = new ArrayList<>();
		Applications.on(database).withBean(Failing.class).withBean(RetryPolicy.class, () -> (job, error) -> {
			asked.add(job.attempt());
			return (job.attempt() < 3) ? Duration.ZERO : null;
		}).withPropertyValues("queue.retry.initial-delay=1d", "queue.retry.max-delay=1d").run((context) -> {
			long id = context.getBean(JobQueue.class).enqueue("failing", null).id();
			FirstJobTests.awaitState(context.getBean(JobQueue.class), id, JobState.FAILED);
			assertThat(asked).containsExactly(1, 2, 3);
		});
	}

	@Test
	void thePropertiesDecideWithoutARetryPolicy() {
		TestDatabase database = new TestDatabase();
		Applications.on(database)
			.withBean(Failing.class)
			.withPropertyValues("queue.retry.initial-delay=1h", "queue.retry.max-delay=2h", "queue.retry.jitter=0")
			.run((context) -> {
				long id = context.getBean(JobQueue.class).enqueue("failing", null).id();
				FirstJobTests.awaitState(context.getBean(JobQueue.class), id, JobState.SCHEDULED);
				assertThat(database.query("select extract(epoch from run_at - clock_timestamp()) from queue.job",
						Double.class))
					.isCloseTo(3600, within(60.0));
			});
	}

	private static JsonNode metadata() throws IOException {
		String resource = "/META-INF/spring-configuration-metadata.json";
		try (InputStream metadata = QueueProperties.class.getResourceAsStream(resource)) {
			return JsonMapper.shared().readTree(metadata).get("properties");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(QueueProperties.class)
	static class Properties {

	}

	static class Failing {

		@JobHandler("failing")
		void fail() {
			throw new IllegalStateException("always");
		}

	}

}
