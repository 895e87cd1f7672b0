package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties.Health.ProblemStatus;
import io.rowqueue.schedule.autoconfigure.SchedulesProperties;
import io.rowqueue.migration.SchemaMode;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.shard.autoconfigure.ShardsProperties;
import io.rowqueue.window.autoconfigure.WindowsProperties;
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
		this.application.withPropertyValues("rowqueue.enabled=false", "rowqueue.schema.name=jobs",
				"rowqueue.schema.mode=validate", "rowqueue.worker.enabled=false", "rowqueue.worker.concurrency=3",
				"rowqueue.worker.queues.mail.concurrency=4", "rowqueue.worker.queues[a.b c].concurrency=5",
				"rowqueue.worker.prefetch=6", "rowqueue.worker.prefetch-wait=32s", "rowqueue.worker.max-attempts=7",
				"rowqueue.worker.max-deaths=18", "rowqueue.worker.poll-interval=8s",
				"rowqueue.worker.idle-interval=33s", "rowqueue.worker.sleep-after=34s",
				"rowqueue.worker.direct-start=false", "rowqueue.worker.lease=9s",
				"rowqueue.worker.shutdown-timeout=10s", "rowqueue.notifications.enabled=false",
				"rowqueue.notifications.url=jdbc:postgresql:direct", "rowqueue.notifications.username=me",
				"rowqueue.notifications.password=secret", "rowqueue.retry.initial-delay=11s",
				"rowqueue.retry.multiplier=1.2", "rowqueue.retry.max-delay=13s", "rowqueue.retry.jitter=0.14",
				"rowqueue.retention.succeeded=15d", "rowqueue.retention.cancelled=16d", "rowqueue.retention.failed=17d",
				"rowqueue.retention.queues.mail.succeeded=0", "rowqueue.retention.queues[a.b c].failed=18d",
				"rowqueue.max-payload-size=17KB", "rowqueue.worker.types.include=report-*,mail",
				"rowqueue.worker.types.exclude=import", "rowqueue.worker.aging=19s",
				"rowqueue.worker.max-payload-size=20KB", "rowqueue.measurement.interval=21s",
				"rowqueue.measurement.overdue-after=22s", "rowqueue.measurement.max-names=23",
				"rowqueue.health.status=down", "rowqueue.health.heartbeat-age=24s", "rowqueue.health.oldest-age=25s",
				"rowqueue.health.stuck-jobs=26", "rowqueue.health.horizon-age=27", "rowqueue.tracing.mode=link",
				"rowqueue.limits.queues.mail.concurrency=1", "rowqueue.types[Order.paid].timeout=28s",
				"rowqueue.recurring.report.every=29s", "rowqueue.windows.night.times=22:00-06:00",
				"rowqueue.connection.maximum-pool-size=30", "rowqueue.connection.connection-timeout=31s",
				"rowqueue.connection.statement-timeout=4s", "rowqueue.connection.lock-timeout=3s",
				"rowqueue.connection.socket-timeout=5s")
			.run((context) -> {
				QueueProperties properties = context.getBean(QueueProperties.class);
				assertThat(properties.enabled()).isFalse();
				assertThat(properties.maxPayloadSize()).isEqualTo(DataSize.ofKilobytes(17));
				assertThat(properties.schema()).isEqualTo(new QueueProperties.Schema("jobs", SchemaMode.VALIDATE));
				assertThat(properties.worker()).isEqualTo(new WorkerProperties(false, 3,
						Map.of("mail", new WorkerProperties.Queue(4), "a.b c", new WorkerProperties.Queue(5)),
						new WorkerProperties.Types(List.of("report-*", "mail"), List.of("import")), 6,
						Duration.ofSeconds(32), 7, 18, Duration.ofSeconds(8), Duration.ofSeconds(33),
						Duration.ofSeconds(34), false, Duration.ofSeconds(9), Duration.ofSeconds(10),
						Duration.ofSeconds(19), DataSize.ofKilobytes(20)));
				assertThat(properties.notifications())
					.isEqualTo(new QueueProperties.Notifications(false, "jdbc:postgresql:direct", "me", "secret"));
				assertThat(properties.retry())
					.isEqualTo(new QueueProperties.Retry(Duration.ofSeconds(11), 1.2, Duration.ofSeconds(13), 0.14));
				assertThat(properties.retention())
					.isEqualTo(new RetentionProperties(Duration.ofDays(15), Duration.ofDays(16), Duration.ofDays(17),
							Map.of("mail", new RetentionProperties.Queue(Duration.ZERO, null, null), "a.b c",
									new RetentionProperties.Queue(null, null, Duration.ofDays(18)))));
				MonitoringProperties monitoring = context.getBean(MonitoringProperties.class);
				assertThat(monitoring.measurement()).isEqualTo(
						new MonitoringProperties.Measurement(Duration.ofSeconds(21), Duration.ofSeconds(22), 23));
				assertThat(monitoring.health()).isEqualTo(new MonitoringProperties.Health(ProblemStatus.DOWN,
						Duration.ofSeconds(24), Duration.ofSeconds(25), 26, 27));
				assertThat(monitoring.tracing().mode()).isEqualTo(MonitoringProperties.Tracing.Mode.LINK);
				assertThat(properties.limits().queues()).containsOnlyKeys("mail");
				assertThat(properties.types().get("Order.paid").options().timeout()).isEqualTo(Duration.ofSeconds(28));
				assertThat(context.getBean(SchedulesProperties.class).recurring().get("report").every())
					.isEqualTo(Duration.ofSeconds(29));
				assertThat(properties.connection()).isEqualTo(new ConnectionProperties(30, Duration.ofSeconds(31),
						Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofSeconds(5)));
				assertThat(context.getBean(WindowsProperties.class).windows()).containsOnlyKeys("night");
				assertThat(properties.retention().retention().queues()).isEqualTo(Map.of("mail",
						new Retention.Ages(Duration.ZERO, Duration.ofDays(16), Duration.ofDays(17)), "a.b c",
						new Retention.Ages(Duration.ofDays(15), Duration.ofDays(16), Duration.ofDays(18))));
				assertThat(properties.worker().settings().queues()).isEqualTo(Map.of("mail", 4, "a.b c", 5));
			});
	}

	@Test
	void durationsWithoutAUnitAreSecondsAndThoseOfRetentionDays() {
		this.application
			.withPropertyValues("rowqueue.worker.poll-interval=2", "rowqueue.worker.lease=60",
					"rowqueue.worker.shutdown-timeout=15", "rowqueue.retry.initial-delay=3",
					"rowqueue.retry.max-delay=600", "rowqueue.retention.succeeded=3", "rowqueue.retention.cancelled=4",
					"rowqueue.retention.failed=90", "rowqueue.retention.queues.mail.failed=91")
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
		this.application.withPropertyValues("rowqueue.worker.poll-interval=", "rowqueue.retention.succeeded=")
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
		Binder binder = new Binder(new MapConfigurationPropertySource(documented));
		this.application.run((context) -> assertThat(KnownProperties.types()).isNotEmpty()
			.allSatisfy((type) -> assertThat((Object) binder.bindOrCreate("rowqueue", type))
				.isEqualTo(context.getBean(type))));
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
				.of("rowqueue.worker.queues", "rowqueue.types", "rowqueue.retention.queues", "rowqueue.limits.queues",
						"rowqueue.limits.types", "rowqueue.limits.keys", "rowqueue.recurring", "rowqueue.shards",
						"rowqueue.windows", "rowqueue.calendars", "rowqueue.worker.types.include",
						"rowqueue.worker.types.exclude", "rowqueue.notifications.url",
						"rowqueue.notifications.username", "rowqueue.notifications.password", "rowqueue.worker.aging",
						"rowqueue.worker.sleep-after")
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
					rowqueue.worker.concurrency=-1               | rowqueue.worker.concurrency must not be negative: -1
					rowqueue.worker.queues.mail.concurrency=0    | rowqueue.worker.queues.mail.concurrency must be positive, not 0
					rowqueue.worker.queues[Mail.eu].concurrency=0 | rowqueue.worker.queues[Mail.eu].concurrency must be positive, not 0
					rowqueue.worker.queues[Big Mail].concurrency=-2 | rowqueue.worker.queues[Big Mail].concurrency must be positive, not -2
					rowqueue.worker.prefetch-wait=500ms          | rowqueue.worker.prefetch-wait must be a second or longer, not PT0.5S
					rowqueue.worker.prefetch=-1                  | rowqueue.worker.prefetch must not be negative: -1
					rowqueue.worker.max-attempts=0               | rowqueue.worker.max-attempts must be from 1 to 32767, not 0
					rowqueue.worker.max-attempts=32768           | rowqueue.worker.max-attempts must be from 1 to 32767, not 32768
					rowqueue.worker.poll-interval=0              | rowqueue.worker.poll-interval must be a millisecond or longer, not PT0S
					rowqueue.worker.poll-interval=-1s            | rowqueue.worker.poll-interval must be a millisecond or longer, not PT-1S
					rowqueue.worker.idle-interval=500ms          | rowqueue.worker.idle-interval must be 0 or a second or longer, not PT0.5S
					rowqueue.worker.sleep-after=0                | rowqueue.worker.sleep-after must be positive: PT0S
					rowqueue.worker.lease=4s                     | rowqueue.worker.lease must be 5 seconds or longer, not PT4S
					rowqueue.worker.shutdown-timeout=-1s         | rowqueue.worker.shutdown-timeout must not be negative: PT-1S
					rowqueue.worker.max-payload-size=0           | rowqueue.worker.max-payload-size must be positive, not 0B
					rowqueue.max-payload-size=17MB               | rowqueue.max-payload-size must be at most rowqueue.worker.max-payload-size (16777216B), not 17825792B
					rowqueue.retry.initial-delay=-1s             | rowqueue.retry.initial-delay must not be negative: PT-1S
					rowqueue.retry.multiplier=0.5                | rowqueue.retry.multiplier must be at least 1, not 0.5
					rowqueue.retry.max-delay=1s                  | rowqueue.retry.max-delay (PT1S) must not be shorter than rowqueue.retry.initial-delay (PT2S)
					rowqueue.retry.jitter=1.1                    | rowqueue.retry.jitter must be from 0 to 1, not 1.1
					rowqueue.notifications.url=jdbc:mysql:x      | rowqueue.notifications.url must have the form jdbc:postgresql://host:port/database
					rowqueue.retention.succeeded=-1s             | rowqueue.retention.succeeded must not be negative: PT-1S
					rowqueue.retention.cancelled=-1s             | rowqueue.retention.cancelled must not be negative: PT-1S
					rowqueue.retention.failed=-1m                | rowqueue.retention.failed must not be negative: PT-1M
					rowqueue.retention.queues.mail.failed=-1m    | rowqueue.retention.queues.mail.failed must not be negative: PT-1M
					rowqueue.retention.queues[a b].succeeded=-1m | rowqueue.retention.queues[a b].succeeded must not be negative: PT-1M
					rowqueue.windows.night.times=nonsense        | rowqueue.windows.night.times
					rowqueue.windows[late.night].times=nonsense  | rowqueue.windows[late.night].times
					rowqueue.types[My.type].max-attempts=0       | rowqueue.types[My.type].max-attempts must be
					rowqueue.types.mail.no-retry-for=java.lang.String | rowqueue.types.mail.no-retry-for: java.lang.String is no exception
					rowqueue.limits.queues[a.b].burst=2          | rowqueue.limits.queues[a.b]: burst requires a rate
					rowqueue.connection.maximum-pool-size=4      | rowqueue.connection.maximum-pool-size must be at least 5, not 4: a worker keeps two connections open
					rowqueue.connection.connection-timeout=10ms  | rowqueue.connection.connection-timeout must be 250 milliseconds or longer, not PT0.01S
					rowqueue.connection.lock-timeout=0           | rowqueue.connection.lock-timeout must be a millisecond or longer, not PT0S
					rowqueue.connection.lock-timeout=21s         | rowqueue.connection.statement-timeout (PT20S) must not be shorter than rowqueue.connection.lock-timeout (PT21S)
					rowqueue.connection.statement-timeout=25s    | rowqueue.connection.socket-timeout (PT25S) must be at least a second longer than rowqueue.connection.statement-timeout (PT25S)
					rowqueue.connection.socket-timeout=30s       | rowqueue.connection.socket-timeout (PT30S) must be shorter than rowqueue.worker.lease (PT30S)
					rowqueue.worker.lease=soon                   | rowqueue.worker.lease
					rowqueue.enabled=perhaps                     | rowqueue.enabled
					rowqueue.schema.mode=no                      | rowqueue.schema.mode
					""")
	void anInvalidValueIsRejectedWithItsName(String property, String message) {
		this.application.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
	}

	@Test
	void aQueueThatIsNeverIdleCannotFallAsleep() {
		this.application.withPropertyValues("rowqueue.worker.sleep-after=10m", "rowqueue.worker.idle-interval=0")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("rowqueue.worker.sleep-after needs an idle-interval that is not 0"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "postgresql://u:topsecret@h/db", "jdbc:postgresql://u:topsecret@h/db",
			"jdbc:postgresql://h?user=u&password=topsecret", "jdbc:postgresql://h:port/db?password=topsecret",
			"jdbc:postgresql://h:99999/db?password=topsecret", "jdbc:postgresql://h/db/x?password=topsecret" })
	@ExtendWith(OutputCaptureExtension.class)
	void aWrongUrlIsNotPrintedSinceItMayHaveAPassword(String url, CapturedOutput output) {
		Applications.on(new TestDatabase())
			.withBean(Failing.class)
			.withPropertyValues("rowqueue.notifications.url=" + url)
			.run((context) -> {
				assertThat(context.getStartupFailure()).hasStackTraceContaining("rowqueue.notifications.url");
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
		this.application.withPropertyValues("rowqueue.notifications.url=" + url)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theApplicationsRetryPolicyWins() {
		TestDatabase database = new TestDatabase();
		List<Integer> asked = new ArrayList<>();
		Applications.on(database).withBean(Failing.class).withBean(RetryPolicy.class, () -> (job, error) -> {
			asked.add(job.attempt());
			return (job.attempt() < 3) ? Duration.ZERO : null;
		}).withPropertyValues("rowqueue.retry.initial-delay=1d", "rowqueue.retry.max-delay=1d").run((context) -> {
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
			.withPropertyValues("rowqueue.retry.initial-delay=1h", "rowqueue.retry.max-delay=2h",
					"rowqueue.retry.jitter=0")
			.run((context) -> {
				long id = context.getBean(JobQueue.class).enqueue("failing", null).id();
				FirstJobTests.awaitState(context.getBean(JobQueue.class), id, JobState.SCHEDULED);
				assertThat(database.query("select extract(epoch from run_at - clock_timestamp()) from rowqueue.job",
						Double.class))
					.isCloseTo(3600, within(60.0));
			});
	}

	private static List<JsonNode> metadata() throws IOException {
		return ConfigurationMetadataTests.metadata("properties").toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties({ QueueProperties.class, MonitoringProperties.class, SchedulesProperties.class,
			ShardsProperties.class, WindowsProperties.class })
	static class Properties {

	}

	static class Failing {

		@JobHandler("failing")
		void fail() {
			throw new IllegalStateException("always");
		}

	}

}
