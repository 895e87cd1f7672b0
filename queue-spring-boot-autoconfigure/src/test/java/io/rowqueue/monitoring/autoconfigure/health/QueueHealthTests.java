package io.rowqueue.monitoring.autoconfigure.health;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.JobHandlers;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.NotificationStatus;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties.Health.ProblemStatus;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schema.SchemaName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What health reports of the queue, and its effect on the application. */
class QueueHealthTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.database.dataSource());

	private final Outage outage = new Outage();

	private Optional<WorkerStatus> worker = Optional.empty();

	private boolean asleep;

	private final ApplicationContextRunner application = Applications.on(this.database)
		.withPropertyValues("rowqueue.worker.enabled=false", "rowqueue.measurement.interval=100ms",
				"management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*")
		.withConfiguration(AutoConfigurations.of(HealthContributorAutoConfiguration.class,
				HealthContributorRegistryAutoConfiguration.class, HealthEndpointAutoConfiguration.class));

	@Test
	void healthIsUpWhenNothingIsWrong() {
		Health health = health(ProblemStatus.DEGRADED, null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).doesNotContainKey("problems");
	}

	@Test
	void healthOfAQueueThatSleepsIsUpAndAsksNoDatabase() {
		this.asleep = true;
		this.outage.report("a thread", new DataAccessResourceFailureException("refused"));
		Health health = health(ProblemStatus.DOWN, null);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsOnlyKeys("asleep");
	}

	@Test
	void healthReportsThatTheDatabaseIsNotAvailable() {
		this.outage.report("a thread", new DataAccessResourceFailureException("refused"));
		assertThat(problems(measurements())).containsOnlyKeys("database")
			.hasEntrySatisfying("database",
					(text) -> assertThat(text).startsWith("The database is not available (for "));
		this.outage.report("a thread", new SQLException("cannot execute UPDATE", "25006"));
		assertThat(problems(measurements())).containsOnlyKeys("database")
			.hasEntrySatisfying("database", (text) -> assertThat(text).startsWith("The database is read-only (for "));
		this.outage.over("a thread");
		assertThat(health(ProblemStatus.DEGRADED, null).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthReportsWhatFailsAgainAndAgain() {
		this.outage.report("rowqueue-claim", new SQLException("ERROR: permission denied for table job", "42501"));
		assertThat(problems(measurements())).containsOnlyKeys("failing.rowqueue-claim")
			.hasEntrySatisfying("failing.rowqueue-claim",
					(text) -> assertThat(text).contains("permission denied for table job"));
		this.outage.over("rowqueue-claim");
		assertThat(health(ProblemStatus.DEGRADED, null).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthShowsPausesWhichAreNoProblem() {
		Measurements measurements = measurements();
		insert("queued", null);
		this.jdbc
			.update("insert into rowqueue.worker (name, queues, types, slots) values ('a', '{*}', '{type}', '{}')");
		this.jdbc.update("insert into rowqueue.pause (kind, name, paused_at, reason) values"
				+ " ('queue', 'default', now() - interval '3 hours 1 minute', 'the server moves'),"
				+ " ('type', 'fax', now() - interval '3 hours 1 minute', null)");
		measurements.refresh();
		Health health = health(ProblemStatus.DEGRADED, measurements);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("paused", Map.of("queue default",
				"For 3 h 1 min: the server moves; waiting jobs: 1", "type fax", "For 3 h 1 min"));
	}

	@Test
	void healthNamesAnIndexThatIsInvalid() {
		this.jdbc.update("update pg_index set indisvalid = false where indexrelid = 'rowqueue.job_blocked'::regclass");
		Measurements measurements = measurements();
		measurements.refresh();
		assertThat(problems(measurements)).containsOnlyKeys("index.job_blocked")
			.hasEntrySatisfying("index.job_blocked",
					(text) -> assertThat(text).startsWith("The index job_blocked is invalid"));
	}

	@Test
	void healthReportsThatTheHeartbeatIsLate() {
		this.worker = worker(Duration.ofSeconds(11), NotificationStatus.RECEIVING);
		assertThat(problems(measurements())).containsOnlyKeys("heartbeat")
			.hasEntrySatisfying("heartbeat", (text) -> assertThat(text).contains("worker 7", "11 s"));
		this.worker = worker(Duration.ofSeconds(9), NotificationStatus.RECEIVING);
		assertThat(health(ProblemStatus.DEGRADED, null).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthReportsThatNotificationsDoNotArrive() {
		this.worker = worker(Duration.ZERO, NotificationStatus.NOT_RECEIVING);
		assertThat(problems(measurements())).containsOnlyKeys("notifications")
			.hasEntrySatisfying("notifications", (text) -> assertThat(text).contains("rowqueue.notifications.url"));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOT_RECEIVING")
	void aProcessThatReceivesNotificationsOrNeedsNoneIsUp(NotificationStatus state) {
		this.worker = worker(Duration.ZERO, state);
		assertThat(health(ProblemStatus.DEGRADED, null).getStatus()).isEqualTo(Status.UP);
	}

	/** Nothing arrives at an address where the server is not. */
	@Test
	void aWorkerThatIsDeafIsReported() {
		this.application
			.withPropertyValues("rowqueue.worker.enabled=true",
					"rowqueue.notifications.url=jdbc:postgresql://127.0.0.1:1/nowhere?connectTimeout=2")
			.withBean(JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("works", String.class, (payload, job) -> {
					}))
			.run((context) -> {
				QueueHealthIndicator indicator = context.getBean(QueueHealthIndicator.class);
				Awaitility.await().until(() -> indicator.health().getStatus().equals(QueueHealthIndicator.DEGRADED));
				assertThat(problems(indicator.health())).containsKey("notifications");
				assertThat(context.getBean(HealthEndpoint.class).health().getStatus()).isEqualTo(Status.UP);
			});
	}

	@Test
	void healthReportsThatJobsWaitAndNoWorkerLives() {
		Measurements measurements = measurements();
		insert("queued", null);
		measurements.refresh();
		assertThat(problems(measurements)).containsOnlyKeys("workers");
	}

	@Test
	void healthReportsStuckJobs() {
		Measurements measurements = measurements();
		insert("running", 4711L);
		measurements.refresh();
		assertThat(problems(measurements)).containsOnlyKeys("stuck");
	}

	@Test
	void healthReportsAJobThatWaitsTooLong() {
		Measurements measurements = measurements();
		insert("queued", null);
		this.jdbc.update("insert into rowqueue.worker (name, queues, types) values ('one', '{*}', '{type}')");
		measurements.refresh();
		assertThat(health(measurements, properties(ProblemStatus.DEGRADED, Duration.ofHours(2), 100_000)).getStatus())
			.isEqualTo(Status.UP);
		Health health = health(measurements, properties(ProblemStatus.DEGRADED, Duration.ofMinutes(30), 100_000));
		long id = this.database.query("select id from rowqueue.job", Long.class);
		assertThat(problems(health)).containsOnlyKeys("oldest-age.default")
			.hasEntrySatisfying("oldest-age.default", (text) -> assertThat(text)
				.contains("default', " + id + ", has been due for ", "rowqueue/jobs/" + id));
	}

	@Test
	void healthReportsATypeThatNoLiveWorkerCanRun() {
		Measurements measurements = measurements();
		insert("queued", null);
		this.jdbc.update("insert into rowqueue.worker (name, queues, types) values ('one', '{mail}', '{type}')");
		this.jdbc.update("insert into rowqueue.worker (name, queues, types) values ('two', '{*}', '{other}')");
		measurements.refresh();
		assertThat(problems(measurements)).containsOnlyKeys("unhandled.type")
			.hasEntrySatisfying("unhandled.type",
					(text) -> assertThat(text).contains("'type'", "'default'", "has been due for "));
		this.jdbc.update("update rowqueue.job set run_at = now() - interval '30 seconds'");
		measurements = measurements();
		this.jdbc.update("update rowqueue.maintenance_task set next_run_at = now()");
		this.jdbc.update("delete from rowqueue.measurement");
		measurements.refresh();
		assertThat(health(measurements, properties(ProblemStatus.DEGRADED, Duration.ofHours(2), 100_000)).getStatus())
			.as("a deployment is under way")
			.isEqualTo(Status.UP);
	}

	@Test
	void healthNamesWhoPinsTheHorizon() throws Exception {
		Measurements measurements = measurements();
		try (var connection = this.database.dataSource().getConnection();
				var statement = connection.createStatement()) {
			connection.setTransactionIsolation(java.sql.Connection.TRANSACTION_REPEATABLE_READ);
			connection.setAutoCommit(false);
			statement.execute("set application_name = 'the nightly report'");
			statement.execute("select from rowqueue.job");
			insert("failed", null);
			measurements.refresh();
			Health health = health(measurements, properties(ProblemStatus.DEGRADED, Duration.ofHours(2), 0));
			assertThat(problems(health)).containsOnlyKeys("horizon");
			assertThat(problems(health).get("horizon")).contains("the nightly report");
		}
	}

	@Test
	void healthReportsThatNoProcessMeasures() {
		Measurements measurements = measurements();
		measurements.refresh();
		this.jdbc.update("update rowqueue.measurement set measured_at = now() - interval '1 day'");
		this.jdbc.update("update rowqueue.maintenance_task set next_run_at = now() + interval '1 day'");
		measurements.refresh();
		assertThat(problems(measurements)).containsOnlyKeys("measurement");
	}

	/** As on a server that is busy: measuring must not make it busier. */
	@Test
	void thePauseAfterASlowMeasurementIsNoProblem() {
		Measurements measurements = measurements();
		measurements.refresh();
		this.jdbc.update("update rowqueue.measurement set measured_at = now() - interval '99 seconds'");
		this.jdbc.update("update rowqueue.maintenance_task set next_run_at = now() + interval '1 second'");
		measurements.refresh();
		assertThat(health(ProblemStatus.DEGRADED, measurements).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void healthDoesNotTakeTheApplicationDownUnlessAskedTo() {
		new QueueSchema(this.database.dataSource()).initialize();
		insert("queued", null);
		this.application.run((context) -> {
			HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
			Awaitility.await()
				.until(() -> endpoint.healthForPath("rowqueue").getStatus().equals(QueueHealthIndicator.DEGRADED));
			assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
		});
		this.application.withPropertyValues("rowqueue.health.status=down").run((context) -> {
			HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
			Awaitility.await().until(() -> endpoint.health().getStatus().equals(Status.DOWN));
		});
	}

	private static Optional<WorkerStatus> worker(Duration heartbeatAge, NotificationStatus notifications) {
		return Optional.of(new WorkerStatus(7, heartbeatAge, notifications, false, List.of()));
	}

	private Measurements measurements() {
		new QueueSchema(this.database.dataSource()).initialize();
		QueueDatabase queue = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);
		return new Measurements(new MeasurementStore(queue), new MaintenanceStore(queue), Duration.ofSeconds(10),
				Duration.ofMinutes(1));
	}

	private void insert(String state, Long worker) {
		this.jdbc.update("with job as (insert into rowqueue.job (run_at, order_at, state, queue, type, worker_id)"
				+ " values (now() - interval '1 hour', now(), ?::rowqueue.job_state, 'default', 'type', ?)"
				+ " returning id, worker_id) insert into rowqueue.claim (worker_id, job_ids)"
				+ " select worker_id, array[id] from job where worker_id is not null", state, worker);
	}

	private Map<String, String> problems(Measurements measurements) {
		return problems(health(measurements, properties(ProblemStatus.DEGRADED, Duration.ofHours(2), 100_000)));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> problems(Health health) {
		assertThat(health.getStatus()).isEqualTo(QueueHealthIndicator.DEGRADED);
		return (Map<String, String>) health.getDetails().get("problems");
	}

	private Health health(ProblemStatus status, Measurements measurements) {
		return health(measurements, properties(status, Duration.ofHours(2), 100_000));
	}

	private Health health(Measurements measurements, MonitoringProperties.Health properties) {
		return new QueueHealthIndicator((measurements != null) ? measurements : measurements(), () -> this.worker,
				() -> this.asleep, this.outage, properties, true)
			.health();
	}

	private static MonitoringProperties.Health properties(ProblemStatus status, Duration oldest, long horizon) {
		return new MonitoringProperties.Health(status, Duration.ofSeconds(10), oldest, 1, horizon);
	}

}
