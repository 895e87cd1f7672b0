package io.rowqueue.engine.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;

/** Only the holder of a job's lease writes about the job. */
class LeaseTests {

	private static final String LOCK_TIMEOUT = "55P03";

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final long other = database.worker();

	@ParameterizedTest
	@EnumSource
	void theHolderEndsTheJob(Write write) {
		Lease lease = database.lease(this.worker, "type");
		assertThat(write.by(this.worker, lease)).containsExactly(lease.jobId());
	}

	@ParameterizedTest
	@EnumSource
	void aStaleLeaseCannotEndTheJob(Write write) {
		Lease stale = database.lease(this.worker, "type");
		database.jobs().outcomes().release(this.worker, List.of(stale));
		Lease lease = database.claimOne(this.worker).lease();
		assertThat(write.by(this.worker, stale)).isEmpty();
		assertThatLeaseIsHeld(lease);
	}

	@ParameterizedTest
	@EnumSource
	void anotherWorkerCannotEndTheJob(Write write) {
		Lease lease = database.lease(this.worker, "type");
		assertThat(write.by(this.other, lease)).isEmpty();
		assertThatLeaseIsHeld(lease);
	}

	@ParameterizedTest
	@EnumSource
	void aJobThatWasRecoveredAndReclaimedIsOutOfReach(Write write) {
		Lease stale = database.lease(this.worker, "type");
		database.kill(this.worker);
		database.recovery().recover(5, 10);
		assertThat(write.by(this.worker, stale)).isEmpty();
		Lease lease = database.claimOne(this.other).lease();
		assertThat(write.by(this.worker, stale)).isEmpty();
		assertThat(write.by(this.other, stale)).isEmpty();
		assertThat(database.jobs().succeed(this.other, List.of(lease))).containsExactly(lease.jobId());
	}

	@ParameterizedTest
	@EnumSource
	void aLeaseEndsOnce(Write write) {
		Lease lease = database.lease(this.worker, "type");
		write.by(this.worker, lease);
		for (Write second : Write.values()) {
			assertThat(second.by(this.worker, lease)).isEmpty();
		}
		assertThat(database.count("job_failure")).isEqualTo((write == Write.FAIL) ? 1 : 0);
	}

	@ParameterizedTest
	@EnumSource
	void aRunningJobIsEnded(Write write) {
		Lease lease = database.lease(this.worker, "type");
		database.jobs().leases().running(this.worker, List.of(lease));
		assertThat(write.by(this.worker, lease)).containsExactly(lease.jobId());
	}

	@ParameterizedTest
	@EnumSource
	void leasesWithDifferentTokensGoInOneCall(Write write) {
		Lease third = database.lease(this.worker, "a");
		for (int i = 0; i < 2; i++) {
			database.jobs().outcomes().release(this.worker, List.of(third));
			third = database.claimOne(this.worker).lease();
		}
		Lease first = database.lease(this.worker, "b");
		Lease strangers = database.lease(this.other, "c");
		Lease stale = new Lease(database.lease(this.worker, "d").jobId(), 7);
		assertThat(third.token()).isEqualTo(3);
		assertThat(write.by(this.worker, strangers, first, stale, third)).containsExactlyInAnyOrder(first.jobId(),
				third.jobId());
	}

	@ParameterizedTest
	@EnumSource
	void noLeasesAreNoWork(Write write) {
		assertThat(write.by(this.worker)).isEmpty();
		database.jobs().leases().running(this.worker, List.of());
	}

	@Test
	void theHolderShowsThatTheJobRuns() {
		Lease lease = database.lease(this.worker, "type");
		database.jobs().leases().running(this.worker, List.of(lease));
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.RUNNING);
		database.jobs().leases().running(this.worker, List.of(lease));
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.RUNNING);
	}

	@Test
	void onlyTheHolderShowsThatTheJobRuns() {
		Lease stale = database.lease(this.worker, "type");
		assertThat(database.jobs().leases().running(this.other, List.of(stale))).isEmpty();
		assertThat(database.state(stale.jobId())).isEqualTo(JobState.STARTING);
		database.jobs().outcomes().release(this.worker, List.of(stale));
		database.jobs().leases().running(this.worker, List.of(stale));
		assertThat(database.state(stale.jobId())).isEqualTo(JobState.QUEUED);
		database.claimOne(this.worker);
		database.jobs().leases().running(this.worker, List.of(stale));
		assertThat(database.state(stale.jobId())).isEqualTo(JobState.STARTING);
	}

	@Test
	void showingThatJobsRunWaitsForNoLock() throws Exception {
		Lease locked = database.lease(this.worker, "a");
		Lease free = database.lease(this.worker, "b");
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from {schema}.job where id = " + locked.jobId() + " for update");
			assertThat(StoreDatabase
				.result(database.async(() -> database.jobs().leases().running(this.worker, List.of(locked, free)))))
				.containsExactly(free.jobId());
		}
		assertThat(database.state(locked.jobId())).isEqualTo(JobState.STARTING);
		assertThat(database.state(free.jobId())).isEqualTo(JobState.RUNNING);
	}

	@Test
	void showingThatJobsRunAndEndingThemDoNotDeadlock() {
		for (int round = 0; round < 5; round++) {
			database
				.enqueue(IntStream.range(0, 1000).mapToObj((i) -> JobRequest.of("type")).toArray(JobRequest[]::new));
			List<Lease> leases = new ArrayList<>(
					database.claim(this.worker, 1000).stream().map(ClaimedJob::lease).toList());
			Collections.shuffle(leases, new Random(round));
			Future<Boolean> running = database.async(() -> {
				for (int i = 0; i < 5; i++) {
					database.jobs().leases().running(this.worker, leases);
				}
				return true;
			});
			for (int i = 0; i < 1000; i += 250) {
				succeed(leases.subList(i, i + 250));
			}
			StoreDatabase.result(running);
			assertThat(database.query("select count(*) from {schema}.job", Integer.class)).isZero();
		}
	}

	/** As the writer of outcomes does: what is locked for too long is tried again. */
	private void succeed(List<Lease> leases) {
		boolean locked;
		do {
			locked = false;
			try {
				database.jobs().succeed(this.worker, leases);
			}
			catch (UncategorizedSQLException ex) {
				if (!LOCK_TIMEOUT.equals(ex.getSQLException().getSQLState())) {
					throw ex;
				}
				locked = true;
			}
		}
		while (locked);
	}

	@Test
	void aDeadWorkerMayStillEndJobsThatWereNotRecovered() {
		Lease lease = database.lease(this.worker, "type");
		database.kill(this.worker);
		assertThat(database.jobs().succeed(this.worker, List.of(lease))).containsExactly(lease.jobId());
		assertThat(database.recovery().recover(5, 10)).isEmpty();
	}

	private void assertThatLeaseIsHeld(Lease lease) {
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.STARTING);
		assertThat(database.query("select count(*) from {schema}.job where id = ? and lease = ? and worker_id = ?",
				Integer.class, lease.jobId(), lease.token(), this.worker))
			.isEqualTo(1);
		assertThat(database.count("job_failure")).isZero();
	}

	enum Write {

		SUCCEED {
			@Override
			List<Long> by(long worker, Lease... leases) {
				return database.jobs().succeed(worker, List.of(leases));
			}
		},

		FAIL {
			@Override
			List<Long> by(long worker, Lease... leases) {
				return database.jobs()
					.outcomes()
					.fail(worker,
							List.of(leases)
								.stream()
								.map((lease) -> new Failure(lease, "error", Duration.ofMinutes(1)))
								.toList());
			}
		},

		RELEASE {
			@Override
			List<Long> by(long worker, Lease... leases) {
				return database.jobs().outcomes().release(worker, List.of(leases));
			}
		};

		abstract List<Long> by(long worker, Lease... leases);

	}

}
