package io.pgqueue.autoconfigure;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.pgqueue.JobHandler;
import io.pgqueue.JobQueue;
import io.pgqueue.JobState;
import io.pgqueue.RetryPolicy;
import io.pgqueue.autoconfigure.QueueProperties.Health.ProblemStatus;
import io.pgqueue.engine.database.StatementTimeouts;
import io.pgqueue.engine.history.Retention;
import io.pgqueue.engine.worker.WorkerSettings;
import io.pgqueue.schema.SchemaMode;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.window.Window;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Which properties exist, their defaults, and which values are refused. */
class QueuePropertiesTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withUserConfiguration(Properties.class);

	@Test
	void everyPropertyIsBound() {
		this.application.withPropertyValues("pgqueue.enabled=false", "pgqueue.schema.name=jobs",
				"pgqueue.schema.mode=validate", "pgqueue.worker.enabled=false", "pgqueue.worker.concurrency=3",
				"pgqueue.worker.queues.mail.concurrency=4", "pgqueue.worker.queues[a.b c].concurrency=5",
				"pgqueue.worker.prefetch=6", "pgqueue.worker.prefetch-wait=32s", "pgqueue.worker.max-attempts=7",
				"pgqueue.worker.max-deaths=18", "pgqueue.worker.poll-interval=8s", "pgqueue.worker.direct-start=false",
				"pgqueue.worker.lease=9s", "pgqueue.worker.shutdown-timeout=10s", "pgqueue.notifications.enabled=false",
				"pgqueue.notifications.url=jdbc:postgresql:direct", "pgqueue.notifications.username=me",
				"pgqueue.notifications.password=secret", "pgqueue.retry.initial-delay=11s",
				"pgqueue.retry.multiplier=1.2", "pgqueue.retry.max-delay=13s", "pgqueue.retry.jitter=0.14",
				"pgqueue.retention.succeeded=15d", "pgqueue.retention.cancelled=16d", "pgqueue.retention.failed=17d",
				"pgqueue.retention.queues.mail.succeeded=0", "pgqueue.retention.queues[a.b c].failed=18d",
				"pgqueue.max-payload-size=17KB", "pgqueue.worker.types.include=report-*,mail",
				"pgqueue.worker.types.exclude=import", "pgqueue.worker.aging=19s",
				"pgqueue.worker.max-payload-size=20KB", "pgqueue.measurement.interval=21s",
				"pgqueue.measurement.overdue-after=22s", "pgqueue.measurement.max-names=23",
				"pgqueue.health.status=down", "pgqueue.health.heartbeat-age=24s", "pgqueue.health.oldest-age=25s",
				"pgqueue.health.stuck-jobs=26", "pgqueue.health.horizon-age=27", "pgqueue.tracing.mode=link",
				"pgqueue.limits.queues.mail.concurrency=1", "pgqueue.types[Order.paid].timeout=28s",
				"pgqueue.recurring.report.every=29s", "pgqueue.windows.night.times=22:00-06:00",
				"pgqueue.connection.maximum-pool-size=30", "pgqueue.connection.connection-timeout=31s",
				"pgqueue.connection.statement-timeout=4s", "pgqueue.connection.lock-timeout=3s",
				"pgqueue.connection.socket-timeout=5s")
			.run((context) -> {
				QueueProperties properties = context.getBean(QueueProperties.class);
				assertThat(properties.enabled()).isFalse();
				assertThat(properties.maxPayloadSize()).isEqualTo(DataSize.ofKilobytes(17));
				assertThat(properties.schema()).isEqualTo(new QueueProperties.Schema("jobs", SchemaMode.VALIDATE));
				assertThat(properties.worker()).isEqualTo(new WorkerProperties(false, 3,
						Map.of("mail", new WorkerProperties.Queue(4), "a.b c", new WorkerProperties.Queue(5)),
						new WorkerProperties.Types(List.of("report-*", "mail"), List.of("import")), 6,
						Duration.ofSeconds(32), 7, 18, Duration.ofSeconds(8), false, Duration.ofSeconds(9),
						Duration.ofSeconds(10), Duration.ofSeconds(19), DataSize.ofKilobytes(20)));
				assertThat(properties.notifications())
					.isEqualTo(new QueueProperties.Notifications(false, "jdbc:postgresql:direct", "me", "secret"));
				assertThat(properties.retry())
					.isEqualTo(new QueueProperties.Retry(Duration.ofSeconds(11), 1.2, Duration.ofSeconds(13), 0.14));
				assertThat(properties.retention())
					.isEqualTo(new RetentionProperties(Duration.ofDays(15), Duration.ofDays(16), Duration.ofDays(17),
							Map.of("mail", new RetentionProperties.Queue(Duration.ZERO, null, null), "a.b c",
									new RetentionProperties.Queue(null, null, Duration.ofDays(18)))));
				assertThat(properties.measurement())
					.isEqualTo(new QueueProperties.Measurement(Duration.ofSeconds(21), Duration.ofSeconds(22), 23));
				assertThat(properties.health()).isEqualTo(new QueueProperties.Health(ProblemStatus.DOWN,
						Duration.ofSeconds(24), Duration.ofSeconds(25), 26, 27));
				assertThat(properties.tracing().mode()).isEqualTo(QueueProperties.Tracing.Mode.LINK);
				assertThat(properties.limits().queues()).containsOnlyKeys("mail");
				assertThat(properties.types().get("Order.paid").options().timeout()).isEqualTo(Duration.ofSeconds(28));
				assertThat(properties.recurring().get("report").every()).isEqualTo(Duration.ofSeconds(29));
				assertThat(properties.connection()).isEqualTo(new ConnectionProperties(30, Duration.ofSeconds(31),
						Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofSeconds(5)));
				assertThat(properties.windowList()).extracting(Window::name).containsExactly("night");
				assertThat(properties.retention().retention().queues()).isEqualTo(Map.of("mail",
						new Retention.Ages(Duration.ZERO, Duration.ofDays(16), Duration.ofDays(17)), "a.b c",
						new Retention.Ages(Duration.ofDays(15), Duration.ofDays(16), Duration.ofDays(18))));
				assertThat(properties.worker().settings().queues()).isEqualTo(Map.of("mail", 4, "a.b c", 5));
			});
	}

	@Test
	void durationsWithoutAUnitAreSecondsAndThoseOfRetentionDays() {
		this.application
			.withPropertyValues("pgqueue.worker.poll-interval=2", "pgqueue.worker.lease=60",
					"pgqueue.worker.shutdown-timeout=15", "pgqueue.retry.initial-delay=3",
					"pgqueue.retry.max-delay=600", "pgqueue.retention.succeeded=3", "pgqueue.retention.cancelled=4",
					"pgqueue.retention.failed=90", "pgqueue.retention.queues.mail.failed=91")
			.run((context) -> {
				QueueProperties properties = context.getBean(QueueProperties.class);
				assertThat(properties.worker().pollInterval()).isEqualTo(Duration.ofSeconds(2));
				assertThat(properties.worker().lease()).isEqualTo(Duration.ofMinutes(1));
				assertThat(properties.worker().shutdownTimeout()).isEqualTo(Duration.ofSeconds(15));
				assertThat(properties.retry().initialDelay()).isEqualTo(Duration.ofSeconds(3));
				assertThat(properties.retry().maxDelay()).isEqualTo(Duration.ofMinutes(10));
				assertThat(properties.retention())
					.isEqualTo(new RetentionProperties(Duration.ofDays(3), Duration.ofDays(4), Duration.ofDays(90),
							Map.of("mail", new RetentionProperties.Queue(null, null, Duration.ofDays(91)))));
			});
	}

	@Test
	void anEmptyValueIsTheDefault() {
		this.application.withPropertyValues("pgqueue.worker.poll-interval=", "pgqueue.retention.succeeded=")
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
			assertThat(properties.connection().timeouts()).isEqualTo(StatementTimeouts.DEFAULT);
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
			.bind("pgqueue", QueueProperties.class)
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
			// the maps are empty unless they are set
			if (!property.has("defaultValue") && !List
				.of("pgqueue.worker.queues", "pgqueue.types", "pgqueue.retention.queues", "pgqueue.limits.queues",
						"pgqueue.limits.types", "pgqueue.limits.keys", "pgqueue.recurring", "pgqueue.shards",
						"pgqueue.windows", "pgqueue.calendars", "pgqueue.worker.types.include",
						"pgqueue.worker.types.exclude", "pgqueue.notifications.url", "pgqueue.notifications.username",
						"pgqueue.notifications.password", "pgqueue.worker.aging")
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
					pgqueue.worker.concurrency=-1               | pgqueue.worker.concurrency must not be negative: -1
					pgqueue.worker.queues.mail.concurrency=0    | pgqueue.worker.queues.mail.concurrency must be positive, not 0
					pgqueue.worker.queues[Mail.eu].concurrency=0 | pgqueue.worker.queues[Mail.eu].concurrency must be positive, not 0
					pgqueue.worker.queues[Big Mail].concurrency=-2 | pgqueue.worker.queues[Big Mail].concurrency must be positive, not -2
					pgqueue.worker.prefetch-wait=500ms          | pgqueue.worker.prefetch-wait must be a second or longer, not PT0.5S
					pgqueue.worker.prefetch=-1                  | pgqueue.worker.prefetch must not be negative: -1
					pgqueue.worker.max-attempts=0               | pgqueue.worker.max-attempts must be from 1 to 32767, not 0
					pgqueue.worker.max-attempts=32768           | pgqueue.worker.max-attempts must be from 1 to 32767, not 32768
					pgqueue.worker.poll-interval=0              | pgqueue.worker.poll-interval must be a millisecond or longer, not PT0S
					pgqueue.worker.poll-interval=-1s            | pgqueue.worker.poll-interval must be a millisecond or longer, not PT-1S
					pgqueue.worker.lease=4s                     | pgqueue.worker.lease must be 5 seconds or longer, not PT4S
					pgqueue.worker.shutdown-timeout=-1s         | pgqueue.worker.shutdown-timeout must not be negative: PT-1S
					pgqueue.worker.max-payload-size=0           | pgqueue.worker.max-payload-size must be positive, not 0B
					pgqueue.max-payload-size=17MB               | pgqueue.max-payload-size must be at most pgqueue.worker.max-payload-size (16777216B), not 17825792B
					pgqueue.retry.initial-delay=-1s             | pgqueue.retry.initial-delay must not be negative: PT-1S
					pgqueue.retry.multiplier=0.5                | pgqueue.retry.multiplier must be at least 1, not 0.5
					pgqueue.retry.max-delay=1s                  | pgqueue.retry.max-delay (PT1S) must not be shorter than pgqueue.retry.initial-delay (PT2S)
					pgqueue.retry.jitter=1.1                    | pgqueue.retry.jitter must be from 0 to 1, not 1.1
					pgqueue.notifications.url=jdbc:mysql:x      | pgqueue.notifications.url must have the form jdbc:postgresql://host:port/database
					pgqueue.retention.succeeded=-1s             | pgqueue.retention.succeeded must not be negative: PT-1S
					pgqueue.retention.cancelled=-1s             | pgqueue.retention.cancelled must not be negative: PT-1S
					pgqueue.retention.failed=-1m                | pgqueue.retention.failed must not be negative: PT-1M
					pgqueue.retention.queues.mail.failed=-1m    | pgqueue.retention.queues.mail.failed must not be negative: PT-1M
					pgqueue.retention.queues[a b].succeeded=-1m | pgqueue.retention.queues[a b].succeeded must not be negative: PT-1M
					pgqueue.windows.night.times=nonsense        | pgqueue.windows.night.times
					pgqueue.windows[late.night].times=nonsense  | pgqueue.windows[late.night].times
					pgqueue.types[My.type].max-attempts=0       | pgqueue.types[My.type].max-attempts must be
					pgqueue.types.mail.no-retry-for=java.lang.String | pgqueue.types.mail.no-retry-for: java.lang.String is no exception
					pgqueue.limits.queues[a.b].burst=2          | pgqueue.limits.queues[a.b]: burst requires a rate
					pgqueue.connection.maximum-pool-size=4      | pgqueue.connection.maximum-pool-size must be at least 5, not 4: a worker keeps two connections open
					pgqueue.connection.connection-timeout=10ms  | pgqueue.connection.connection-timeout must be 250 milliseconds or longer, not PT0.01S
					pgqueue.connection.lock-timeout=0           | pgqueue.connection.lock-timeout must be a millisecond or longer, not PT0S
					pgqueue.connection.lock-timeout=21s         | pgqueue.connection.statement-timeout (PT20S) must not be shorter than pgqueue.connection.lock-timeout (PT21S)
					pgqueue.connection.statement-timeout=25s    | pgqueue.connection.socket-timeout (PT25S) must be at least a second longer than pgqueue.connection.statement-timeout (PT25S)
					pgqueue.connection.socket-timeout=30s       | pgqueue.connection.socket-timeout (PT30S) must be shorter than pgqueue.worker.lease (PT30S)
					pgqueue.worker.lease=soon                   | pgqueue.worker.lease
					pgqueue.enabled=perhaps                     | pgqueue.enabled
					pgqueue.schema.mode=no                      | pgqueue.schema.mode
					""")
	void anInvalidValueIsRejectedWithItsName(String property, String message) {
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
			.withPropertyValues("pgqueue.notifications.url=" + url)
			.run((context) -> {
				assertThat(context.getStartupFailure()).hasStackTraceContaining("pgqueue.notifications.url");
				StringWriter trace = new StringWriter();
				context.getStartupFailure().printStackTrace(new PrintWriter(trace));
				assertThat(trace + output.getAll()).doesNotContain("topsecret");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:postgresql://h/db", "jdbc:postgresql://h:5432/db?sslmode=require",
			"jdbc:postgresql:db", "jdbc:postgresql://a:1,b:2/db?targetServerType=primary",
			"jdbc:postgresql://[::1]:5432/db", "jdbc:postgresql:///db" })
	void everyUrlThatTheDriverAcceptsIsAccepted(String url) {
		assertThat(Driver.parseURL(url, null)).isNotNull();
		this.application.withPropertyValues("pgqueue.notifications.url=" + url)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theApplicationsRetryPolicyWins() {
		TestDatabase database = new TestDatabase();
		List<Integer> asked = new ArrayList<>();
		Applications.on(database).withBean(Failing.class).withBean(RetryPolicy.class, () -> (job, error) -> {
			asked.add(job.attempt());
			return (job.attempt() < 3) ? Duration.ZERO : null;
		}).withPropertyValues("pgqueue.retry.initial-delay=1d", "pgqueue.retry.max-delay=1d").run((context) -> {
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
			.withPropertyValues("pgqueue.retry.initial-delay=1h", "pgqueue.retry.max-delay=2h",
					"pgqueue.retry.jitter=0")
			.run((context) -> {
				long id = context.getBean(JobQueue.class).enqueue("failing", null).id();
				FirstJobTests.awaitState(context.getBean(JobQueue.class), id, JobState.SCHEDULED);
				assertThat(database.query("select extract(epoch from run_at - clock_timestamp()) from pgqueue.job",
						Double.class))
					.isCloseTo(3600, within(60.0));
			});
	}

	private static JsonNode metadata() throws IOException {
		return ConfigurationMetadataTests.metadata().get("properties");
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
