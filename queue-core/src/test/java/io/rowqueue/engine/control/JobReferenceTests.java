package io.rowqueue.engine.control;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.JobType;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobReference;
import io.rowqueue.engine.control.CancelRequestStore.CancelRequest;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What a transaction does to jobs that it names by their unique key or id. */
class JobReferenceTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final JobType<String> REMINDER = JobType.of("reminder", String.class);

	private static final String KEY = "reminder of order 42";

	private final JdbcTemplate application = new JdbcTemplate(database.direct());

	private final TransactionTemplate transaction = Transactions.template(database.direct());

	private final Stores stores = new Stores(this.application, database.jdbc(), SchemaName.DEFAULT, true);

	private final WakeUps wakeUps = this.stores.wakeUps();

	private final DefaultJobControl control = control();

	private final JobReference reminder = this.control.job(KEY);

	private final long worker = database.worker();

	private DefaultJobControl control() {
		QueueDatabases databases = new QueueDatabases(new QueueDatabase(this.application, SchemaName.DEFAULT),
				database.queueDatabase());
		ChangeScope changes = ChangeScope.joining(databases, new JoinedTransaction(database.direct()));
		return new DefaultJobControl(databases, changes, this.wakeUps,
				PayloadChange.of(changes, (request) -> "\"" + request.payload() + "\""));
	}

	@Test
	void aJobIsCancelledWithTheTransaction() {
		long id = enqueue();
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.reminder.cancel()).isEqualTo(CancelResult.CANCELLED);
			assertThat(this.reminder.find()).isEmpty();
			assertThat(database.state(id)).as("for others").isEqualTo(JobState.SCHEDULED);
		});
		assertThat(database.state(id)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void aRollbackUndoesAllChanges() {
		long failed = fail();
		long id = enqueue();
		Job before = database.find(id);
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.reminder.prioritize(9)).isTrue();
			assertThat(this.reminder.reschedule(Duration.ZERO)).isTrue();
			assertThat(this.reminder.replacePayload("other")).isTrue();
			assertThat(this.reminder.cancel()).isEqualTo(CancelResult.CANCELLED);
			assertThat(this.control.retry(failed).runsAgain()).isTrue();
			assertThat(this.control.pauseQueue("mail", null)).isTrue();
			status.setRollbackOnly();
		});
		assertThat(database.find(id)).isEqualTo(before);
		assertThat(database.state(failed)).isEqualTo(JobState.FAILED);
		assertThat(this.control.pauses()).isEmpty();
	}

	@Test
	void aJobThatTheTransactionHasEnqueuedIsFound() {
		this.transaction.executeWithoutResult((status) -> {
			long id = this.stores.enqueue(List.of(NewJobs.of(request(), null))).get(0).id();
			assertThat(this.reminder.find()).map(Job::id).contains(id);
			assertThat(this.reminder.cancel()).isEqualTo(CancelResult.CANCELLED);
		});
	}

	@Test
	void aWaitingJobIsChangedWithTheTransaction() {
		long id = enqueue();
		Instant tomorrow = database.now().plus(Duration.ofDays(1));
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.reminder.reschedule(tomorrow)).isTrue();
			assertThat(this.reminder.prioritize(7)).isTrue();
			assertThat(this.control.job(REMINDER, KEY).replacePayload("in a day")).isTrue();
		});
		assertThat(database.find(id)).satisfies((job) -> {
			assertThat(job.runAt()).isEqualTo(tomorrow.truncatedTo(ChronoUnit.MICROS));
			assertThat(job.priority()).isEqualTo(7);
			assertThat(job.payload()).isEqualTo("\"in a day\"");
		});
	}

	@Test
	void withoutATransactionEachChangeCommits() {
		long id = enqueue();
		assertThat(this.reminder.reschedule(Duration.ZERO)).isTrue();
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
		assertThat(this.control.job(id).cancel()).isEqualTo(CancelResult.CANCELLED);
		assertThat(database.state(id)).isEqualTo(JobState.CANCELLED);
		assertThat(this.control.job(id).cancel()).isEqualTo(CancelResult.NOT_FOUND);
		assertThat(this.control.job(id).reschedule(Duration.ZERO)).isFalse();
	}

	@Test
	void workersAreWokenAfterTheCommit() {
		enqueue();
		List<String> woken = new CopyOnWriteArrayList<>();
		this.wakeUps.listen((arrivals) -> woken.addAll(arrivals.queues()));
		this.transaction.executeWithoutResult((status) -> {
			this.reminder.reschedule(Duration.ZERO);
			assertThat(woken).isEmpty();
		});
		assertThat(woken).containsExactly("default");
		this.transaction.executeWithoutResult((status) -> {
			this.reminder.reschedule(Duration.ZERO);
			status.setRollbackOnly();
		});
		assertThat(woken).hasSize(1);
	}

	@Test
	void theEndOfARunningJobDoesNotWaitForTheTransactionThatCancelsIt() {
		long id = enqueue();
		this.control.job(id).reschedule(Duration.ZERO);
		Lease lease = database.claimOne(this.worker).lease();
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.reminder.cancel()).isEqualTo(CancelResult.REQUESTED);
			assertThat(this.reminder.reschedule(Duration.ofDays(1))).isFalse();
			assertThat(this.reminder.prioritize(1)).isFalse();
			assertThat(this.reminder.replacePayload("late")).isFalse();
			database.jobs().succeed(this.worker, List.of(lease));
		});
		task().run();
		assertThat(database.state(id)).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void aWorkerIsAskedToStopAfterTheCommitOnly() {
		Lease lease = leaseWithKey();
		this.transaction.executeWithoutResult((status) -> {
			this.reminder.cancel();
			status.setRollbackOnly();
		});
		task().run();
		assertThat(isAskedToStop(lease)).as("after a rollback").isFalse();
		this.transaction.executeWithoutResult((status) -> {
			this.reminder.cancel();
			task().run();
			assertThat(isAskedToStop(lease)).as("before the commit").isFalse();
		});
		task().run();
		assertThat(isAskedToStop(lease)).isTrue();
		assertThat(database.count("cancel_request")).isZero();
	}

	@Test
	void aJobThatWaitsAgainWhenTheWorkerIsToBeAskedIsCancelled() {
		Lease lease = leaseWithKey();
		this.transaction.executeWithoutResult((status) -> this.reminder.cancel());
		database.jobs().outcomes().release(this.worker, List.of(lease));
		task().run();
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void aJobThatIsReplacedBeforeTheWorkerIsAskedIsNotCancelled() {
		Lease lease = leaseWithKey();
		this.transaction.executeWithoutResult((status) -> this.reminder.cancel());
		database.jobs().outcomes().release(this.worker, List.of(lease));
		assertThat(database.enqueue(request().duplicates(DuplicatePolicy.replace()))).isEqualTo(lease.jobId());
		task().run();
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.SCHEDULED);
		assertThat(database.count("cancel_request")).isZero();
	}

	@Test
	void aJobThatIsReplacedWhileTheRequestIsCarriedOutIsNotCancelled() throws Exception {
		long id = enqueue();
		CancelRequest request = new CancelRequest(
				database.query("insert into {schema}.cancel_request (job_id) values (?) returning id", Long.class, id),
				id);
		CancelRequestStore requests = new CancelRequestStore(database.queueDatabase());
		Future<Boolean> carriedOut;
		try (OpenTransaction replacing = database.begin()) {
			replacing.jobs().enqueue(List.of(NewJobs.of(request().duplicates(DuplicatePolicy.replace()), null)));
			carriedOut = database.async(() -> {
				requests.carryOut(request);
				return true;
			});
			database.awaitBlockedStatement();
			replacing.commit();
		}
		StoreDatabase.result(carriedOut);
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
		assertThat(database.count("cancel_request")).isZero();
	}

	@Test
	void aJobThatIsToRunAgainRunsAlthoughTheOneBeforeItIsToBeCancelled() {
		Lease lease = leaseWithKey();
		this.transaction.executeWithoutResult((status) -> this.reminder.cancel());
		database.jobs().outcomes().release(this.worker, List.of(lease));
		long again = database.enqueue(request().duplicates(DuplicatePolicy.runAgain()));
		assertThat(again).isNotEqualTo(lease.jobId());
		task().run();
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.CANCELLED);
		assertThat(database.state(again)).isEqualTo(JobState.SCHEDULED);
	}

	/**
	 * PostgreSQL locks the row before it sees that the job is leased; the lock must not
	 * stay.
	 */
	@Test
	void aTransactionThatMeetsAClaimLeavesNoLock() throws Exception {
		long id = enqueue();
		this.control.job(id).reschedule(Duration.ZERO);
		CountDownLatch isRead = new CountDownLatch(1);
		try (OpenTransaction claim = database.begin()) {
			Lease lease = database.claim(claim.jobs(), this.worker, 1).get(0).lease();
			CountDownLatch isMet = new CountDownLatch(1);
			Future<CancelResult> cancel = database.async(() -> this.transaction.execute((status) -> {
				CancelResult result = this.reminder.cancel();
				isMet.countDown();
				await(isRead);
				return result;
			}));
			database.awaitBlockedStatement();
			claim.commit();
			await(isMet);
			assertThat(database.jobs().succeed(this.worker, List.of(lease))).containsExactly(id);
			isRead.countDown();
			assertThat(StoreDatabase.result(cancel)).isEqualTo(CancelResult.REQUESTED);
		}
		assertThat(database.state(id)).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void followUpsAreCancelledWithTheJobBeforeThem() {
		Lease lease = leaseWithKey();
		long followUp = database.enqueue(request().duplicates(DuplicatePolicy.runAgain()));
		assertThat(followUp).isNotEqualTo(lease.jobId());
		assertThat(this.reminder.find()).map(Job::id).contains(lease.jobId());
		this.transaction
			.executeWithoutResult((status) -> assertThat(this.reminder.cancel()).isEqualTo(CancelResult.REQUESTED));
		assertThat(database.state(followUp)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void theLastJobOfAKeyIsChanged() {
		leaseWithKey();
		long followUp = database.enqueue(request().duplicates(DuplicatePolicy.runAgain()));
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.reminder.prioritize(5)).isTrue();
			assertThat(this.reminder.replacePayload("again")).isTrue();
		});
		assertThat(database.find(followUp)).satisfies((job) -> {
			assertThat(job.priority()).isEqualTo(5);
			assertThat(job.payload()).isEqualTo("\"again\"");
		});
	}

	@Test
	void aJobOfAnotherTypeIsNotFound() {
		enqueue();
		JobReference other = this.control.job(JobType.of("other", String.class), KEY);
		assertThat(other.find()).isEmpty();
		assertThat(other.cancel()).isEqualTo(CancelResult.NOT_FOUND);
		assertThat(this.control.job(REMINDER, KEY).find()).isPresent();
	}

	@Test
	void aPayloadOfAnotherClassIsRejected() {
		enqueue();
		assertThatIllegalArgumentException().isThrownBy(() -> this.control.job(REMINDER, KEY).replacePayload(42))
			.withMessageContaining("java.lang.String");
	}

	@Test
	void aJobThatFailedHasNoKey() {
		fail();
		assertThat(this.reminder.find()).isEmpty();
		assertThat(this.reminder.cancel()).isEqualTo(CancelResult.NOT_FOUND);
	}

	@Test
	void aTransactionWithAnOlderSnapshotFails() {
		long id = enqueue();
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.application.queryForObject("select 1", Integer.class);
				database.update("update {schema}.job set priority = 3 where id = ?", id);
				this.reminder.cancel();
			}));
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void aRequestToStopAJobThatATransactionHasLockedKeepsNoOtherWaiting() throws Exception {
		Lease locked = database.lease(this.worker, "type");
		Lease other = database.lease(this.worker, "type");
		this.transaction.executeWithoutResult((status) -> List.of(locked, other)
			.forEach((lease) -> assertThat(this.control.cancel(lease.jobId())).isEqualTo(CancelResult.REQUESTED)));
		try (OpenTransaction open = database.begin()) {
			open.execute("select from {schema}.job where id = " + locked.jobId() + " for update");
			StoreDatabase.result(database.async(() -> {
				task().run();
				return null;
			}));
			assertThat(isAskedToStop(other)).isTrue();
		}
		task().run();
		assertThat(isAskedToStop(locked)).isTrue();
	}

	private static JobRequest request() {
		return JobRequest.of("reminder").uniqueKey(KEY).delay(Duration.ofDays(2));
	}

	private static long enqueue() {
		return database.enqueue(request());
	}

	private Lease leaseWithKey() {
		database.enqueue(request().delay(Duration.ZERO));
		return database.claimOne(this.worker).lease();
	}

	/** A job that failed with the key. */
	private long fail() {
		Lease lease = leaseWithKey();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		return lease.jobId();
	}

	private static boolean isAskedToStop(Lease lease) {
		return database.query("select cancel_requested from {schema}.job where id = ?", Boolean.class, lease.jobId());
	}

	private CancelRequestTask task() {
		return new CancelRequestTask(database.queueDatabase());
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
