package io.rowqueue.engine.measure;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.job.QueueRanking;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What is measured of the queue, and how often. */
class MeasurementTests {

	private static final Duration OVERDUE = Duration.ofMinutes(1);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final MeasurementStore store = new MeasurementStore(database.queueDatabase());

	@BeforeEach
	void forget() {
		database.execute("truncate {schema}.measurement");
	}

	@Test
	void nothingIsKnownBeforeTheFirstMeasurement() {
		assertThat(this.store.read()).isEmpty();
	}

	@Test
	void aMeasurementCountsJobsByQueueAndState() {
		long worker = database.worker();
		long dead = database.worker();
		database.lease(worker, "type");
		Lease running = database.lease(worker, "type");
		database.jobs().leases().running(worker, List.of(running));
		database.lease(dead, "type");
		database.kill(dead);
		Lease failed = database.lease(worker, "type");
		database.jobs().outcomes().fail(worker, List.of(new Failure(failed, "error", null)));
		database.enqueue(JobRequest.of("a").queue("mail"), JobRequest.of("b").queue("mail").priority(3),
				JobRequest.of("a").queue("mail").delay(Duration.ofHours(1)));
		Measurement measurement = measure();
		assertThat(jobs(measurement, "default", "starting")).isEqualTo(1);
		assertThat(jobs(measurement, "default", "running")).isEqualTo(1);
		assertThat(jobs(measurement, "default", "stuck")).isEqualTo(1);
		assertThat(jobs(measurement, "default", "failed")).isEqualTo(1);
		assertThat(jobs(measurement, "mail", "queued")).isEqualTo(2);
		assertThat(jobs(measurement, "mail", "scheduled")).isEqualTo(1);
		assertThat(jobs(measurement, "mail", "overdue")).isZero();
		assertThat(figure(measurement, Figure.WORKERS, null, null)).as("the dead one is none").isEqualTo(1);
	}

	@Test
	void aMeasurementShowsHowLongTheFirstJobOfAQueueHasBeenDueAndWhatIsOverdue() {
		database.enqueue(JobRequest.of("a"), JobRequest.of("a"), JobRequest.of("b").tolerance(Duration.ofHours(1)));
		database.update("update {schema}.job set run_at = run_at - interval '10 minutes',"
				+ " order_at = order_at - interval '10 minutes'");
		Measurement measurement = measure();
		assertThat(figure(measurement, Figure.OLDEST_AGE, "default", null)).isCloseTo(600, within(60.0));
		assertThat(jobs(measurement, "default", "overdue")).as("one may wait for an hour").isEqualTo(2);
	}

	@Test
	void aMeasurementCountsSomeAndEstimatesTheRest() {
		database.execute("alter table {schema}.job set (autovacuum_enabled = false)");
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now() + s.due, now() + s.due, s.state::{schema}.job_state, 'queue-' || i % 2, 'type-' || i % 5
				from generate_series(1, 40000) i,
					(values ('queued', interval '-1 hour'), ('scheduled', '1 hour')) s (state, due)""");
		Measurement before = measure();
		assertThat(jobs(before, "queue-0", "queued")).as("nothing to estimate from").isGreaterThan(10_000);
		database.execute("vacuum analyze {schema}.job");
		Measurement measurement = measure();
		assertThat(jobs(measurement, "queue-0", "queued")).isCloseTo(20_000, within(2_000.0));
		assertThat(jobs(measurement, "queue-1", "scheduled")).isCloseTo(20_000, within(2_000.0));
		assertThat(jobs(measurement, "queue-1", "overdue")).as("five types").isEqualTo(5_000);
	}

	@Test
	void aMeasurementHasTheTypesOfWaitingAndFailedJobs() {
		long worker = database.worker();
		for (int i = 0; i < 3; i++) {
			Lease failed = database.lease(worker, "invoice");
			database.jobs().outcomes().fail(worker, List.of(new Failure(failed, "error", null)));
		}
		Lease other = database.lease(worker, "mail");
		database.jobs().outcomes().fail(worker, List.of(new Failure(other, "error", null)));
		database.lease(worker, "report");
		database.enqueue(JobRequest.of("invoice"), JobRequest.of("invoice").priority(3), JobRequest.of("mail"),
				JobRequest.of("invoice").queue("slow"));
		database.update("update {schema}.job set run_at = run_at - interval '10 minutes',"
				+ " order_at = order_at - interval '10 minutes' where state = 'queued' and type = 'invoice' and queue = 'slow'");
		Measurement measurement = measure();
		assertThat(ofType(measurement, "default", "invoice", "queued")).isEqualTo(2);
		assertThat(ofType(measurement, "default", "mail", "queued")).isEqualTo(1);
		assertThat(ofType(measurement, "slow", "invoice", "queued")).isEqualTo(1);
		assertThat(ofType(measurement, "default", "invoice", "failed")).isEqualTo(3);
		assertThat(ofType(measurement, "default", "mail", "failed")).isEqualTo(1);
		assertThat(ofType(measurement, "default", "report", "starting")).isEqualTo(1);
		assertThat(oldestOfType(measurement, "slow", "invoice")).isCloseTo(600, within(60.0));
		assertThat(oldestOfType(measurement, "default", "invoice")).isLessThan(600);
		assertThat(measurement.total(Figure.JOBS, "queued")).as("no job is counted twice").isEqualTo(4);
		assertThat(measurement.total(Figure.JOBS, "failed")).isEqualTo(4);
	}

	@Test
	void jobsThatAreNotCountedAreDividedByType() {
		database.execute("alter table {schema}.job set (autovacuum_enabled = false)");
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now() - interval '1 hour', now() - interval '1 hour', s.state::{schema}.job_state, 'bulk', s.type
				from (values ('queued', 'often', 30000), ('queued', 'seldom', 10000), ('queued', 'rare', 7),
					('failed', 'often', 6000), ('failed', 'seldom', 6000)) s (state, type, jobs),
					generate_series(1, s.jobs)""");
		Measurement before = measure();
		assertThat(ofType(before, "bulk", "rare", "queued")).isEqualTo(7);
		assertThat(ofType(before, "bulk", "often", "queued")).as("nothing to estimate from").isGreaterThan(200);
		database.execute("vacuum analyze {schema}.job");
		Measurement measurement = measure();
		assertThat(ofType(measurement, "bulk", "rare", "queued")).isEqualTo(7);
		assertThat(ofType(measurement, "bulk", "often", "queued")).isCloseTo(27_000, within(4_000.0));
		assertThat(ofType(measurement, "bulk", "seldom", "queued")).isCloseTo(12_000, within(4_000.0));
		assertThat(ofType(measurement, "bulk", "often", "failed") + ofType(measurement, "bulk", "seldom", "failed"))
			.isCloseTo(jobs(measurement, "bulk", "failed"), within(1.0));
	}

	@Test
	void inventedTypesHideNoneThatAWorkerRuns() {
		database.workers().register(WorkerIdentities.of("test", List.of("*"), List.of("invoice")));
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now() - interval '10 days', now() - interval '10 days', state::{schema}.job_state, 'default',
					'invented-' || i
				from generate_series(1, 1500) i, unnest(array['queued', 'failed']) state""");
		database.enqueue(JobRequest.of("invoice"));
		Measurement measurement = measure();
		assertThat(ofType(measurement, "default", "invoice", "queued")).isEqualTo(1);
		assertThat(measurement.figures().stream().filter((each) -> each.name().startsWith("type.")))
			.hasSizeLessThanOrEqualTo(5 * MeasurementStore.MAX_TYPES)
			.first()
			.matches((each) -> "invoice".equals(each.text()));
		assertThat(jobs(measurement, "default", "queued")).isEqualTo(1501);
	}

	/** Each enqueue can use a new name of a queue. */
	@Test
	void inventedQueuesHideNoneThatAWorkerNames() {
		database.workers().register(WorkerIdentities.of("test", List.of("mail", "*"), List.of("type")));
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now() - interval '10 days', now() - interval '10 days', 'queued', 'invented-' || i, 'type'
				from generate_series(1, 3000) i""");
		database.update("""
				insert into {schema}.job (run_at, order_at, state, queue, type)
				select now() - interval '1 hour', now() - interval '1 hour', 'queued', queue, 'type'
				from generate_series(1, 50), unnest(array['mail', 'of a pool for all']) as queue""");
		Measurement measurement = measure();
		assertThat(jobs(measurement, "mail", "queued")).isEqualTo(50);
		assertThat(figure(measurement, Figure.OLDEST_AGE, "mail", null)).isCloseTo(3600, within(600.0));
		assertThat(measurement.figures().stream().map(Figure::queue).filter(Objects::nonNull).distinct())
			.hasSize(QueueRanking.MAX_QUEUES + 1)
			.startsWith("mail");
		assertThat(ofType(measurement, "mail", "type", "queued")).isEqualTo(50);
		assertThat(measurement.total(Figure.JOBS, "queued")).as("nothing is left out of the sum").isEqualTo(3100);
		assertThat(jobs(measurement, Figure.OTHER_QUEUES, "queued"))
			.isEqualTo(3000 - (QueueRanking.MAX_QUEUES - 1) + 50);
		assertThat(figure(measurement, Figure.OLDEST_AGE, Figure.OTHER_QUEUES, null)).isGreaterThan(800_000);
	}

	@Test
	void aMeasurementNamesTheSessionThatPreventsTheRemovalOfDeadRows() throws Exception {
		try (Connection connection = database.direct().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			connection.setAutoCommit(false);
			statement.execute("set application_name = 'the nightly report'");
			statement.execute("select from rowqueue.job");
			database.enqueue(JobRequest.of("type"));
			database.enqueue(JobRequest.of("type"));
			Figure horizon = horizon(measure()).orElseThrow();
			assertThat(horizon.text()).contains("the nightly report");
			assertThat(horizon.state()).isEqualTo("session");
			assertThat(horizon.value()).isGreaterThanOrEqualTo(2);
		}
	}

	@Test
	void aWriterThatForgetsToCommitIsNamedAsWell() throws Exception {
		try (Connection connection = database.direct().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("set application_name = 'forgetful'");
			statement.execute("insert into rowqueue.pause values ('queue', 'x')");
			assertThat(horizon(measure()).orElseThrow().text()).contains("forgetful");
			connection.rollback();
		}
	}

	@Test
	void oneProcessMeasuresAndTheOthersRead() {
		database.enqueue(JobRequest.of("type"));
		Measurements first = measurements(Duration.ofHours(1));
		Measurements second = measurements(Duration.ofHours(1));
		first.refresh();
		database.enqueue(JobRequest.of("type"));
		second.refresh();
		assertThat(jobs(second.latest().orElseThrow(), "default", "queued")).as("not measured again").isEqualTo(1);
		database.update("update {schema}.measurement set measured_at = measured_at - interval '2 hours'");
		database.update("update {schema}.maintenance_task set next_run_at = now() where name = 'measure'");
		second.refresh();
		assertThat(jobs(second.latest().orElseThrow(), "default", "queued")).isEqualTo(2);
		assertThat(second.latest().orElseThrow().age()).isLessThan(Duration.ofMinutes(10));
	}

	@Test
	void aServerWhoseClockWentBackIsMeasuredAgain() {
		Measurements measurements = measurements(Duration.ofHours(1));
		measurements.refresh();
		database.enqueue(JobRequest.of("type"));
		database.update("update {schema}.measurement set measured_at = measured_at + interval '2 hours'");
		database.update("update {schema}.maintenance_task set next_run_at = next_run_at + interval '2 hours',"
				+ " taken_at = taken_at + interval '2 hours' where name = 'measure'");
		measurements.refresh();
		assertThat(jobs(measurements.latest().orElseThrow(), "default", "queued")).isEqualTo(1);
	}

	@Test
	void aProcessThatDoesNotMeasureReadsTheMeasurementOfAnother() {
		measurements(Duration.ofHours(1)).refresh();
		database.update("update {schema}.measurement set measured_at = measured_at - interval '2 hours'");
		Measurements other = measurements(Duration.ofHours(1));
		other.refresh();
		assertThat(other.latest().orElseThrow().age()).isGreaterThan(Duration.ofHours(1));
	}

	@Test
	void oneThatHadToWaitForALockIsNotFollowedByALongPause() throws Exception {
		Duration interval = Duration.ofSeconds(10);
		Measurements measurements = measurements(interval);
		long begin = System.nanoTime();
		measurements.refresh();
		Duration usual = Duration.ofNanos(System.nanoTime() - begin);
		// by far more than a fiftieth of the interval
		Duration locked = usual.multipliedBy(3).plusMillis(500);
		makeOld();
		try (OpenTransaction other = database.begin()) {
			other.execute("lock table {schema}.job in access exclusive mode");
			Future<?> refresh = database.async(() -> {
				measurements.refresh();
				return null;
			});
			database.awaitBlockedStatement();
			other.execute("select pg_sleep(" + locked.toMillis() / 1000.0 + ")");
			other.commit();
			StoreDatabase.result(refresh);
		}
		makeOld();
		measurements.refresh();
		assertThat(database.query("select count(*) from {schema}.maintenance_task"
				+ " where name = 'measure' and next_run_at > now() + interval '11 seconds' + interval '"
				+ usual.multipliedBy(50).toMillis() + " ms'", Integer.class))
			.isZero();
		assertThat(measurements.latest().orElseThrow().age()).as("measured again").isLessThan(Duration.ofHours(1));
	}

	/** Otherwise alerts and health would say that no process measures. */
	@Test
	void thePauseAfterASlowMeasurementIsShorterThanFiguresMayBeOld() {
		Duration interval = Duration.ofSeconds(10);
		assertThat(Measurements.pause(Duration.ofMillis(70), interval)).isEqualTo(interval);
		assertThat(Measurements.pause(Duration.ofSeconds(1), interval)).isEqualTo(Duration.ofSeconds(50));
		assertThat(Measurements.pause(Duration.ofSeconds(15), interval)).isEqualTo(Measurements.LONGEST_REST)
			.isLessThan(Duration.ofMinutes(2).minus(interval));
		assertThat(Measurements.pause(Duration.ofSeconds(15), Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(5));
	}

	private static void makeOld() {
		database.update("update {schema}.measurement set measured_at = measured_at - interval '2 hours'");
		database.update("update {schema}.maintenance_task set next_run_at = now() where name = 'measure'");
	}

	private Measurements measurements(Duration interval) {
		return new Measurements(this.store, database.maintenance(), interval, OVERDUE);
	}

	private Measurement measure() {
		this.store.measure(OVERDUE);
		return this.store.read().orElseThrow();
	}

	private static double jobs(Measurement measurement, String queue, String state) {
		return figure(measurement, Figure.JOBS, queue, state);
	}

	private static double ofType(Measurement measurement, String queue, String type, String state) {
		return ofType(measurement, Figure.JOBS_OF_TYPE, queue, type, state);
	}

	private static double oldestOfType(Measurement measurement, String queue, String type) {
		return ofType(measurement, Figure.OLDEST_AGE_OF_TYPE, queue, type, null);
	}

	private static double ofType(Measurement measurement, String name, String queue, String type, String state) {
		return measurement.figures()
			.stream()
			.filter((each) -> each.name().equals(name) && queue.equals(each.queue()) && type.equals(each.text())
					&& Objects.equals(each.state(), state))
			.mapToDouble(Figure::value)
			.sum();
	}

	private static double figure(Measurement measurement, String name, String queue, String state) {
		return measurement.figures()
			.stream()
			.filter((each) -> each.name().equals(name) && java.util.Objects.equals(each.queue(), queue)
					&& (state == null || state.equals(each.state())))
			.mapToDouble(Figure::value)
			.findFirst()
			.orElse(0);
	}

	private static Optional<Figure> horizon(Measurement measurement) {
		return measurement.figures().stream().filter((each) -> each.name().equals(Figure.HORIZON_AGE)).findFirst();
	}

}
