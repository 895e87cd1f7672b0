package io.rowqueue.engine.history;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.history.Retention.Ages;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.TransientDataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The days of the history, and what is deleted when it is old. */
class HistoryStoreTests {

	private static final Duration DAY = Duration.ofDays(1);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final HistoryStore history = new HistoryStore(database.queueDatabase());

	private final CleanupStore cleanup = new CleanupStore(database.queueDatabase());

	@Test
	void todayIsTheDatabasesDayByUtc() {
		assertThat(this.history.today().toString())
			.isIn(List.of(database.query("select (now() at time zone 'UTC')::date::text", String.class),
					database.query("select (now() at time zone 'UTC')::date - 1 || ''", String.class)));
	}

	@Test
	void todayAndThreeMoreDaysHaveAPartitionFromTheStart() {
		LocalDate today = LocalDate.parse(database
			.query("""
					select (installed_at at time zone 'UTC')::date::text from {schema}.schema_version where part = 'core' and version = 1""",
					String.class));
		assertThat(this.history.partitions()).extracting(HistoryPartition::day)
			.contains(today, today.plusDays(1), today.plusDays(2), today.plusDays(3));
	}

	@Test
	void aDaysPartitionComesAndGoesWithItsJobs() {
		HistoryPartition day = new HistoryPartition(LocalDate.of(2031, 12, 31));
		this.history.createPartition(day);
		this.history.createPartition(day);
		assertThat(this.history.partitions()).contains(day);
		finish("2031-12-31 00:00:00+00");
		finish("2031-12-31 23:59:59.999999+00");
		finish("2032-01-01 00:00:00+00");
		assertThat(database.count("job_finished_20311231")).isEqualTo(2);
		this.history.dropPartition(day);
		this.history.dropPartition(day);
		assertThat(this.history.partitions()).doesNotContain(day);
		assertThat(database.count("job_finished")).isEqualTo(1);
	}

	@Test
	void jobsThatEndedBeforeTheirDayHadAPartitionMoveThere() {
		HistoryPartition day = new HistoryPartition(LocalDate.of(2034, 12, 31));
		finish("2034-12-31 12:00:00+00");
		finish("2035-01-01 00:00:00+00");
		this.history.createPartition(day);
		assertThat(database.count("job_finished_20341231")).isEqualTo(1);
		assertThat(database.count("job_finished_default")).isEqualTo(1);
		this.history.dropPartition(day);
	}

	@Test
	void otherTablesAreNoPartitions() {
		HistoryPartition day = new HistoryPartition(LocalDate.of(2032, 12, 31));
		this.history.createPartition(day);
		database.execute("alter table {schema}.job_finished_20321231 rename to job_finished_99999999");
		assertThat(this.history.partitions()).hasSizeGreaterThanOrEqualTo(4).doesNotContain(day);
		database.execute("drop table {schema}.job_finished_99999999");
	}

	@Test
	void aReaderOfTheHistoryDelaysPartitionsAndNotJobs() throws Exception {
		HistoryPartition day = new HistoryPartition(LocalDate.of(2033, 12, 31));
		try (OpenTransaction reader = database.begin()) {
			reader.execute("select * from {schema}.job_finished");
			assertThatExceptionOfType(TransientDataAccessException.class)
				.isThrownBy(() -> this.history.createPartition(day));
			long worker = database.worker();
			Lease lease = database.lease(worker, "type");
			assertThat(database.jobs().succeed(worker, List.of(lease))).hasSize(1);
		}
		this.history.createPartition(day);
		try (OpenTransaction reader = database.begin()) {
			reader.execute("select * from {schema}.job_finished");
			assertThatExceptionOfType(TransientDataAccessException.class)
				.isThrownBy(() -> this.history.dropPartition(day));
		}
		this.history.dropPartition(day);
		assertThat(database.query("show lock_timeout", String.class)).isEqualTo("0");
	}

	@Test
	void oldFinishedJobsAreDeletedByStretchOfTimeAndQueueAndOutcome() {
		finish("2001-01-01 00:00:00+00");
		finish("2001-01-02 00:00:00+00");
		finish("2001-01-03 00:00:00+00");
		finish("2001-01-02 00:00:00+00", "cancelled", "default");
		finish("2001-01-02 00:00:00+00", "succeeded", "mail");
		Ages others = new Ages(DAY, DAY.multipliedBy(2), DAY);
		Retention ages = new Retention(others, Map.of("mail", new Ages(DAY.multipliedBy(3), others.cancelled(), DAY)),
				Map.of());
		Instant from = Instant.parse("2001-01-02T00:00:00Z");
		Instant to = Instant.parse("2001-01-03T00:00:00Z");
		assertThat(this.history.deleteFinished(ages, DAY.minusNanos(1000), from, to)).isZero();
		assertThat(this.history.deleteFinished(ages, DAY, from, to)).isEqualTo(1);
		assertThat(this.history.deleteFinished(ages, DAY.multipliedBy(2), from, to)).isEqualTo(1);
		assertThat(this.history.deleteFinished(ages, DAY.multipliedBy(3), from, to)).isEqualTo(1);
		assertThat(database.count("job_finished")).isEqualTo(2);
		assertThat(this.history.oldestWithoutDay()).contains(Instant.parse("2001-01-01T00:00:00Z"));
	}

	@Test
	void failedJobsOfAQueueMayHaveAnAgeOfTheirOwn() {
		long worker = database.worker();
		fail(worker, null);
		failedTwoDaysAgo();
		assertThat(this.cleanup.deleteFailed(DAY, Map.of("default", DAY.multipliedBy(3)), 2)).isZero();
		assertThat(this.cleanup.deleteFailed(DAY.multipliedBy(3), Map.of("default", DAY), 2)).isOne();
	}

	private static void failedTwoDaysAgo() {
		database.update("update {schema}.job set leased_at = now() - interval '2 days'");
		database.update("update {schema}.job_failure set failed_at = now() - interval '2 days'");
	}

	@Test
	void oldFailedJobsAreDeletedInBatchesAndNoOthers() {
		long worker = database.worker();
		for (int i = 0; i < 3; i++) {
			fail(worker, null);
		}
		fail(worker, DAY);
		fail(worker, Duration.ZERO);
		failedTwoDaysAgo();
		long recent = fail(worker, null);
		assertThat(this.cleanup.deleteFailed(DAY, Map.of(), 2)).isEqualTo(2);
		assertThat(this.cleanup.deleteFailed(DAY, Map.of(), 2)).isEqualTo(1);
		assertThat(this.cleanup.deleteFailed(DAY, Map.of(), 2)).isZero();
		assertThat(database.list("select id from {schema}.job where state = 'failed'", Long.class))
			.containsExactly(recent);
		assertThat(database.count("job")).isEqualTo(3);
	}

	@Test
	void oldRecordsOfFailuresAreDeletedInBatches() {
		long worker = database.worker();
		for (int i = 0; i < 3; i++) {
			fail(worker, null);
		}
		database.update("update {schema}.job_failure set failed_at = now() - interval '2 days'");
		fail(worker, null);
		assertThat(this.cleanup.deleteFailures(DAY, 2)).isEqualTo(2);
		assertThat(this.cleanup.deleteFailures(DAY, 2)).isEqualTo(1);
		assertThat(this.cleanup.deleteFailures(DAY, 2)).isZero();
		assertThat(database.count("job_failure")).isEqualTo(1);
	}

	private static long fail(long worker, Duration retryAfter) {
		Lease lease = database.lease(worker, "type");
		database.jobs().outcomes().fail(worker, List.of(new Failure(lease, "error", retryAfter)));
		return lease.jobId();
	}

	@Test
	void aDayGetsNoPartitionWhileTheDefaultOneIsTooBigToBeReadWhileJobsEnd() {
		HistoryPartition day = new HistoryPartition(LocalDate.of(2001, 1, 2));
		finish("2001-01-02 00:00:00+00", "succeeded", "default");
		assertThatThrownBy(() -> this.history.createPartition(day, 8191))
			.isInstanceOf(NonTransientDataAccessException.class)
			.hasMessageContaining("8192 bytes are in job_finished_default");
		assertThat(this.history.partitions()).doesNotContain(day);
		this.history.createPartition(day, 8192);
		assertThat(this.history.partitions()).contains(day);
		this.history.dropPartition(day);
	}

	private static void finish(String time) {
		finish(time, "succeeded", "default");
	}

	private static void finish(String time, String state, String queue) {
		database.update("insert into {schema}.job_finished"
				+ " (id, run_at, created_at, finished_at, state, priority, attempt, queue, type)"
				+ " values (nextval('{schema}.job_id_seq'), now(), now(), ?::timestamptz, ?::{schema}.job_state, 0, 1, ?, 'type')",
				time, state, queue);
	}

}
