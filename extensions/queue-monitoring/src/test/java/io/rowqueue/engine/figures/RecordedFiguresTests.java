package io.rowqueue.engine.figures;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.figures.FiguresTask.KeptFigures;
import io.rowqueue.listen.AttemptEnd.Outcome;
import io.rowqueue.observation.BoundedNames;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What processes counted and measured, by minute and by hour. */
class RecordedFiguresTests {

	private static final Duration NOW = Duration.ZERO;

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final TallyStore tallies = new TallyStore(database.queueDatabase());

	private final GaugeStore gauges = new GaugeStore(database.queueDatabase());

	private final ProcessStore processes = new ProcessStore(database.queueDatabase());

	private final AtomicLong clock = new AtomicLong();

	@BeforeEach
	void clear() {
		database.execute("truncate {schema}.tally, {schema}.gauge, {schema}.process");
		database.execute("update {schema}.maintenance_task set next_run_at = now(), taken_at = null");
	}

	@Test
	void whatSeveralProcessesCountIsAdded() {
		List<Future<?>> processes = new ArrayList<>();
		for (int process = 0; process < 8; process++) {
			processes.add(database.async(() -> {
				for (int minute = 0; minute < 10; minute++) {
					this.tallies.add(counts("mail", 3, Histogram.of(1, 2)), NOW);
				}
				return null;
			}));
		}
		processes.forEach(StoreDatabase::result);
		assertThat(all().succeeded()).isEqualTo(240);
		assertThat(all().waits()).hasToString("{80,160}");
	}

	@Test
	void eachJobIsCountedForAllItsQueueAndItsType() {
		JobCounters counters = new JobCounters();
		counters.enqueued();
		counters.started(1500);
		counters.ended(Outcome.RETRIED, 20);
		counters.ended(Outcome.SUCCEEDED, 20);
		counters.ended(Outcome.RELEASED, 20);
		Counts counts = counters.take();
		assertThat(counts.enqueued()).isEqualTo(1);
		assertThat(counts.succeeded()).isEqualTo(1);
		assertThat(counts.retried()).isEqualTo(1);
		assertThat(counts.attempts()).isEqualTo(2);
		assertThat(counts.runs().percentile(0.5)).isBetween(14.0, 24.0);
		assertThat(counts.waits().percentile(0.5)).isBetween(1024.0, 2049.0);
		assertThat(counters.take().isEmpty()).isTrue();
	}

	@Test
	void anHourIsTheSumOfItsMinutesAndIsReadOnce() {
		Instant hour = hoursAgo(3);
		minute(hour, "1.0", 5);
		minute(hour.plus(Duration.ofMinutes(59)), "1.0", 7);
		minute(hour.plus(Duration.ofMinutes(30)), "1.1", 1);
		minute(hoursAgo(0), "1.1", 100);
		assertThat(fold()).isEqualTo(1);
		assertThat(
				database.list("select succeeded from {schema}.tally where seconds = 3600 order by version", Long.class))
			.containsExactly(12L, 1L);
		assertThat(succeeded(FigureRange.WEEK)).isEqualTo(113);
		assertThat(succeeded(FigureRange.DAY)).isEqualTo(113);
		assertThat(fold()).isZero();
	}

	@Test
	void aLongPauseIsFoldedHourByHour() {
		minute(hoursAgo(40), "", 1);
		minute(hoursAgo(7), "", 1);
		minute(hoursAgo(6), "", 1);
		assertThat(fold()).isEqualTo(3);
	}

	/**
	 * One of them was about to sum it up, and was suspended until it was another's turn.
	 */
	@Test
	void anHourThatTwoProcessesSumUpIsCountedOnce() throws Exception {
		minute(hoursAgo(3), "", 5);
		try (OpenTransaction other = database.begin()) {
			other.execute("lock table {schema}.tally in share mode");
			Future<Boolean> first = database.async(this.tallies::foldHour);
			Future<Boolean> second = database.async(this.tallies::foldHour);
			database.awaitBlockedStatements(2);
			other.rollback();
			assertThat(List.of(StoreDatabase.result(first), StoreDatabase.result(second))).contains(true);
		}
		assertThat(database.list("select succeeded from {schema}.tally where seconds = 3600", Long.class))
			.containsExactly(5L);
	}

	@Test
	void oldFiguresAreDeletedInBatches() {
		for (int day = 1; day <= 4; day++) {
			minute(hoursAgo(24 * day), "", 1);
		}
		assertThat(this.tallies.deleteMinutes(Duration.ofDays(2), 1)).isEqualTo(1);
		assertThat(this.tallies.deleteMinutes(Duration.ofDays(2), 10)).isEqualTo(2);
		assertThat(database.query("select count(*) from {schema}.tally", Long.class)).isEqualTo(1);
	}

	@Test
	void theMeasurementIsKeptByMinuteAndHour() {
		database.execute("""
				insert into {schema}.measurement (measured_at, figures) values (clock_timestamp(), '[
					{"name": "jobs", "queue": "mail", "state": "queued", "value": 12},
					{"name": "jobs", "queue": "web", "state": "queued", "value": 30},
					{"name": "oldest.age", "queue": "mail", "value": 5},
					{"name": "oldest.age", "queue": "web", "value": 9},
					{"name": "type.oldest.age", "queue": "mail", "value": 5, "text": "welcome"},
					{"name": "workers", "value": 2}]')
				on conflict (only_row) do update set measured_at = excluded.measured_at, figures = excluded.figures""");
		assertThat(this.gauges.sample()).isTrue();
		this.gauges.sample();
		assertThat(this.gauges.read(GaugeStore.JOBS, "", FigureRange.HOUR, hoursAgo(1))).singleElement()
			.satisfies((gauge) -> assertThat(gauge.value()).isEqualTo(42));
		assertThat(this.gauges.read(GaugeStore.OLDEST_AGE, "", FigureRange.HOUR, hoursAgo(1))).singleElement()
			.satisfies((gauge) -> assertThat(gauge.value()).isEqualTo(9));
		assertThat(this.gauges.agesOfTypes(hoursAgo(1), 10)).singleElement()
			.satisfies((gauge) -> assertThat(gauge.state()).isEqualTo("welcome"));
		database.execute("update {schema}.gauge set at = at - interval '2 hours'");
		database.execute(
				"""
						insert into {schema}.gauge select seconds, name, queue, state, date_trunc('hour', at) + case extract(minute from at)
							when 0 then interval '1 minute' else interval '0' end, value, highest
						from {schema}.gauge where name = 'workers'""");
		assertThat(this.gauges.foldHour()).isTrue();
		assertThat(this.gauges.foldHour()).isFalse();
		assertThat(database.query(
				"select value || '/' || highest from {schema}.gauge where seconds = 3600 and name = 'jobs' and queue = ''",
				String.class))
			.as("the average of two measurements, one of which found none")
			.isEqualTo("21/42");
	}

	@Test
	void anOldMeasurementIsNotKeptAgain() {
		database.execute("update {schema}.measurement set measured_at = clock_timestamp() - interval '5 minutes'");
		assertThat(this.gauges.sample()).isFalse();
		assertThat(database.query("select count(*) from {schema}.gauge", Long.class)).isZero();
	}

	@Test
	void aProcessIsRecordedFromItsStartToItsEnd() {
		JobTallies counted = new JobTallies(new BoundedNames(10), new BoundedNames(10), "1.42");
		FiguresRecorder recorder = new FiguresRecorder(database.queueDatabase(), new FigureRights(), counted,
				new ProcessInfo("web-1:17", "1.42", "17", "web-1"), () -> 34L, this.clock::get);
		recorder.turn();
		assertThat(this.processes.find(List.of(34L))).singleElement().satisfies((process) -> {
			assertThat(process.info().version()).isEqualTo("1.42");
			assertThat(process.load().heapUsed()).isPositive();
			assertThat(process.endedAt()).isNull();
		});
		assertThat(recorder.pause()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(65));
		this.clock.addAndGet(Duration.ofSeconds(70).toNanos());
		recorder.turn();
		recorder.end();
		assertThat(this.processes.find(List.of(34L))).singleElement().satisfies((process) -> {
			assertThat(process.how()).isEqualTo("stopped");
			assertThat(process.endedAt()).isAfterOrEqualTo(process.startedAt());
		});
	}

	@Test
	void aWorkerThatItsProcessHasReplacedHasStoppedUnlessItWasDeclaredDead() {
		long dead = database.worker();
		List<Long> workers = new ArrayList<>(List.of(34L, dead, 35L));
		FiguresRecorder recorder = new FiguresRecorder(database.queueDatabase(), new FigureRights(),
				new JobTallies(new BoundedNames(10), new BoundedNames(10), ""),
				new ProcessInfo("web-1:17", "", "17", "web-1"), () -> workers.get(0), this.clock::get);
		recorder.turn();
		workers.remove(0);
		recorder.turn();
		database.kill(dead);
		workers.remove(0);
		recorder.turn();
		assertThat(
				database.list("select coalesce(how, 'runs') from {schema}.process order by started_at", String.class))
			.containsExactly("stopped", "lost", "runs");
	}

	@Test
	void aProcessThatIsNoLongerHeardOfIsLostUnlessItsWorkerLives() {
		long living = database.worker();
		this.processes.report(living, new ProcessInfo("a", "", "", ""), Counts.NONE, NOW, ProcessLoad.UNKNOWN);
		this.processes.report(7, new ProcessInfo("b", "", "", ""), Counts.NONE, NOW, ProcessLoad.UNKNOWN);
		database.execute("update {schema}.process set seen_at = seen_at - interval '10 minutes'");
		this.processes.markLost();
		assertThat(this.processes.find(List.of(7L, living))).extracting(ProcessRecord::how)
			.containsExactlyInAnyOrder("lost", null);
	}

	/** Nothing that runs jobs needs these tables. */
	@Test
	void aRoleThatMayNotWriteFiguresIsNoProblem() throws SQLException {
		// its name must be new on the server
		String role = "without_figures_" + Long.toHexString(System.nanoTime());
		database.execute("create role " + role);
		database.execute("grant usage on schema {schema} to " + role);
		FigureRights rights = new FigureRights();
		try (Connection connection = database.direct().getConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			jdbc.execute("set role " + role);
			QueueDatabase limited = new QueueDatabase(jdbc, SchemaName.DEFAULT);
			FiguresTask task = new FiguresTask(limited, rights,
					new KeptFigures(Duration.ofDays(2), Duration.ofDays(90)));
			task.run();
			assertThat(rights.areMissing()).isTrue();
			assertThat(task.isUnfinished()).isFalse();
		}
		finally {
			database.execute("drop owned by " + role);
			database.execute("drop role " + role);
		}
	}

	private int fold() {
		int hours = 0;
		while (this.tallies.foldHour()) {
			hours++;
		}
		return hours;
	}

	private Counts all() {
		return this.tallies.ofAll(FigureRange.HOUR, hoursAgo(1))
			.stream()
			.map(Tally::counts)
			.reduce(Counts.NONE, Counts::plus);
	}

	private long succeeded(FigureRange range) {
		return this.tallies.ofAll(range, hoursAgo(24 * 3))
			.stream()
			.mapToLong((each) -> each.counts().succeeded())
			.sum();
	}

	private static Instant hoursAgo(int hours) {
		return database.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(hours));
	}

	private static void minute(Instant at, String version, long succeeded) {
		database.update("""
				insert into {schema}.tally (seconds, kind, name, at, version, succeeded, runs)
				values (60, 'all', '', ?::timestamptz, ?, ?, '{0,1}')""", at.toString(), version, succeeded);
	}

	private static Map<TallyKey, Counts> counts(String queue, long succeeded, Histogram waits) {
		Counts counts = new Counts(0, succeeded, 0, 0, 0, 0, waits, Histogram.of(succeeded));
		return Map.of(new TallyKey(TallyKey.ALL, "", ""), counts, new TallyKey(TallyKey.QUEUE, queue, ""), counts);
	}

}
