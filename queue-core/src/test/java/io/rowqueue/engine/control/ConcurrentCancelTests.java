package io.rowqueue.engine.control;

import java.util.List;
import java.util.concurrent.Future;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs are cancelled at the same time, while a running job of their flow makes one wait
 * for another one, which may be older.
 */
class ConcurrentCancelTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobControl control = database.jobs().control(database.jobs().wakeUps());

	private final long worker = database.worker();

	private final long added = database.enqueue(JobRequest.of("type"));

	private final long before = database.enqueue(JobRequest.of("type"));

	private final long job = database.enqueue(JobRequest.of("type").after(this.before));

	@Test
	void twoCancellationsOfAJobDoNotWaitForEachOther() throws Exception {
		try (OpenTransaction other = database.begin()) {
			lock(other, this.job);
			Future<CancelResult> first = database.async(() -> this.control.cancel(this.job));
			awaitBlockedStatements(1);
			add(this.added, this.job);
			Future<CancelResult> second = database.async(() -> this.control.cancel(this.job));
			awaitBlockedStatements(2);
			other.rollback();
			assertThat(StoreDatabase.result(first)).isEqualTo(CancelResult.CANCELLED);
			assertThat(StoreDatabase.result(second)).isEqualTo(CancelResult.NOT_FOUND);
		}
		assertThat(database.state(this.job)).isEqualTo(JobState.CANCELLED);
		assertThat(database.count("job_dependency")).isZero();
	}

	@Test
	void aCancellationAndTheEndOfAnAddedPredecessorDoNotWaitForEachOther() throws Exception {
		database.update("update {schema}.job set tracked = true where id = ?", this.added);
		database.claim(this.worker, 10);
		try (OpenTransaction other = database.begin()) {
			lock(other, this.job);
			Future<CancelResult> cancel = database.async(() -> this.control.cancel(this.job));
			awaitBlockedStatements(1);
			add(this.added, this.job);
			Future<List<Long>> end = database
				.async(() -> database.jobs().succeed(this.worker, List.of(new Lease(this.added, 1))));
			awaitBlockedStatements(2);
			other.rollback();
			assertThat(StoreDatabase.result(cancel)).isEqualTo(CancelResult.CANCELLED);
			assertThat(StoreDatabase.result(end)).containsExactly(this.added);
		}
		assertThat(database.state(this.job)).isEqualTo(JobState.CANCELLED);
		assertThat(database.state(this.added)).isEqualTo(JobState.SUCCEEDED);
		assertThat(database.count("job_dependency")).isZero();
	}

	/** What fails with the one directly fails with the other through a third job. */
	@Test
	void twoCancellationsThatFailTheSameJobsInAnotherOrderDoNotWaitForEachOther() throws Exception {
		long one = database.enqueue(JobRequest.of("type"));
		long two = database.enqueue(JobRequest.of("type"));
		List<Long> failing = database.enqueue(JobRequest.of("type").after(one), JobRequest.of("type").after(two));
		List<Long> between = database.enqueue(JobRequest.of("type").after(one), JobRequest.of("type").after(two));
		add(between.get(0), failing.get(1));
		add(between.get(1), failing.get(0));
		try (OpenTransaction other = database.begin()) {
			between.forEach((id) -> lock(other, id));
			Future<CancelResult> first = database.async(() -> this.control.cancel(one));
			Future<CancelResult> second = database.async(() -> this.control.cancel(two));
			awaitBlockedStatements(2);
			other.rollback();
			assertThat(StoreDatabase.result(first)).isEqualTo(CancelResult.CANCELLED);
			assertThat(StoreDatabase.result(second)).isEqualTo(CancelResult.CANCELLED);
		}
		database.maintenance().continueEnds(100);
		assertThat(failing).extracting(database::state).containsOnly(JobState.FAILED);
		assertThat(between).extracting(database::state).containsOnly(JobState.FAILED);
		assertThat(database.count("job_end")).isZero();
	}

	/** Whichever of them fail, and whichever can run. */
	@Test
	void theSuccessorsOfAJobAreLockedInTheOrderOfTheirIds() throws Exception {
		long predecessor = database.enqueue(JobRequest.of("type"));
		long fails = database.enqueue(JobRequest.of("type").after(predecessor));
		long runs = database.enqueue(JobRequest.of("type").after(predecessor).whenFailed(WhenFailed.RUN));
		try (OpenTransaction other = database.begin()) {
			lock(other, fails);
			Future<CancelResult> cancel = database.async(() -> this.control.cancel(predecessor));
			awaitBlockedStatements(1);
			assertThat(
					database.list("select id from {schema}.job where id = ? for update skip locked", Long.class, runs))
				.hasSize(1);
			other.rollback();
			assertThat(StoreDatabase.result(cancel)).isEqualTo(CancelResult.CANCELLED);
		}
		assertThat(database.state(fails)).isEqualTo(JobState.FAILED);
		assertThat(database.state(runs)).isEqualTo(JobState.QUEUED);
	}

	private static void lock(OpenTransaction transaction, long id) {
		transaction.execute("select from {schema}.job where id = " + id + " for update");
	}

	/** As an addition to a flow does. */
	private static void add(long predecessor, long successor) {
		database.update("insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed)"
				+ " values (?, ?, 'fail')", predecessor, successor);
	}

	private static void awaitBlockedStatements(int statements) {
		Awaitility.await().until(() -> database.blockedStatements() == statements);
	}

}
