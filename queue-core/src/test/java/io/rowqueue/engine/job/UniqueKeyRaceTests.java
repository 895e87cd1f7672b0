package io.rowqueue.engine.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Enqueues that meet, in flight, a claim, an end, a rollback, or each other. */
@Timeout(120)
class UniqueKeyRaceTests {

	private static final JobRequest KEYED = JobRequest.of("type").uniqueKey("key");

	private static final JobRequest AN_HOUR = KEYED.uniqueFor(Duration.ofHours(1));

	private static final JobRequest FROM_ENQUEUE = KEYED.uniqueFromEnqueue(Duration.ofHours(1));

	private static final JobRequest REPLACE = KEYED.duplicates(DuplicatePolicy.replace());

	private static final JobRequest AGAIN = KEYED.duplicates(DuplicatePolicy.runAgain());

	static final List<DuplicatePolicy> CHANGING = List.of(DuplicatePolicy.replace(),
			DuplicatePolicy.merge(String.class, (waiting, more) -> more));

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void anEnqueueDuringASuccessThatKeepsTheKeyFindsItDone() throws Exception {
		EnqueueResult first = enqueue(AN_HOUR, "1");
		Lease lease = claim();
		try (OpenTransaction success = database.begin()) {
			success.jobs().succeed(this.worker, List.of(lease));
			Future<EnqueueResult> second = database.async(() -> enqueue(KEYED, "2"));
			database.awaitBlockedStatement();
			success.commit();
			assertThat(StoreDatabase.result(second)).isEqualTo(new EnqueueResult(first.id(), Outcome.DONE));
		}
		assertThat(jobs()).isZero();
	}

	@Test
	void anEnqueueDuringASuccessThatFreesTheKeyIsStored() throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		try (OpenTransaction success = database.begin()) {
			success.jobs().succeed(this.worker, List.of(lease));
			Future<EnqueueResult> second = database.async(() -> enqueue(AGAIN, "2"));
			database.awaitBlockedStatement();
			success.commit();
			assertThat(StoreDatabase.result(second).outcome()).isEqualTo(Outcome.CREATED);
		}
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@Test
	void anEnqueueDuringASuccessThatRollsBackIsAFollowUp() throws Exception {
		enqueue(AN_HOUR, "1");
		Lease lease = claim();
		try (OpenTransaction success = database.begin()) {
			success.jobs().succeed(this.worker, List.of(lease));
			Future<EnqueueResult> second = database.async(() -> enqueue(AGAIN, "2"));
			database.awaitBlockedStatement();
			success.rollback();
			assertThat(StoreDatabase.result(second).outcome()).isEqualTo(Outcome.FOLLOW_UP);
		}
	}

	@Test
	void anEnqueueDuringTheEndOfAJobWithAFollowUpStandsBehindTheFollowUp() throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		EnqueueResult followUp = enqueue(AGAIN, "2");
		try (OpenTransaction success = database.begin()) {
			success.jobs().succeed(this.worker, List.of(lease));
			assertThat(enqueue(REPLACE, "3")).isEqualTo(new EnqueueResult(followUp.id(), Outcome.REPLACED));
			success.commit();
		}
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("3");
		assertThat(jobs()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFailedJobIsNotRetriedWhoseKeyIsTakenMeanwhile(boolean ended) throws Exception {
		long failed = enqueue(KEYED, "1").id();
		database.execute("update {schema}.job set state = 'failed'");
		try (OpenTransaction other = database.begin()) {
			other.execute("select {schema}.enqueue('type', unique_key => 'key')");
			Future<Integer> retry = database.async(
					() -> database.query("select count(*) from {schema}.retry_jobs(array[?])", Integer.class, failed));
			database.awaitBlockedStatement();
			if (ended) {
				other.execute("delete from {schema}.job where unique_key = 'key' and state <> 'failed'");
				other.execute("insert into {schema}.taken_key values ('key', 7, now() + interval '1 hour')");
			}
			other.commit();
			assertThat(StoreDatabase.result(retry)).isZero();
		}
		assertThat(database.state(failed)).isEqualTo(JobState.FAILED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theEndOfAJobNeverWaitsForTheTransactionThatAskedForAFollowUp(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			assertThat(enqueue(application, REPLACE, "2").outcome()).isEqualTo(Outcome.FOLLOW_UP);
			assertThat(database.jobs().succeed(this.worker, List.of(lease))).hasSize(1);
			assertThat(followUp()).as("it is not there yet").isZero();
			end(application, commit);
		}
		assertThat(followUp()).isEqualTo(commit ? 1 : 0);
		assertThat(database.claim(this.worker, 10)).extracting(ClaimedJob::payload)
			.isEqualTo(commit ? List.of("2") : List.of());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theEndOfAJobThatKeepsItsKeyDoesNotWaitForATransactionThatKeepsItToo(boolean commit) throws Exception {
		long first = enqueue(AN_HOUR, "1").id();
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			EnqueueResult second = enqueue(application, FROM_ENQUEUE.duplicates(DuplicatePolicy.runAgain()), "2");
			assertThat(second.outcome()).isEqualTo(Outcome.FOLLOW_UP);
			succeedWithoutWaiting(lease);
			end(application, commit);
			assertThat(enqueue(KEYED, "3")).isEqualTo(
					commit ? new EnqueueResult(second.id(), Outcome.KEPT) : new EnqueueResult(first, Outcome.DONE));
		}
	}

	@Test
	void theEndOfAJobThatOthersWaitForDoesNotWaitForATransactionThatKeepsItsKeyToo() throws Exception {
		long first = enqueue(AN_HOUR, "1").id();
		long successor = database.enqueue(JobRequest.of("type").after(first));
		database.maintenance().settleDependencies(10);
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			enqueue(application, FROM_ENQUEUE.duplicates(DuplicatePolicy.runAgain()), "2");
			succeedWithoutWaiting(lease);
			assertThat(database.state(successor)).isEqualTo(JobState.QUEUED);
		}
	}

	private void succeedWithoutWaiting(Lease lease) {
		Future<List<Long>> ended = database.async(() -> database.jobs().succeed(this.worker, List.of(lease)));
		await().until(() -> ended.isDone() || database.blockedStatements() > 0);
		assertThat(ended).as("while the application's transaction is open").isDone();
		assertThat(StoreDatabase.result(ended)).containsExactly(lease.jobId());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aJobIsNotClaimedWhileItIsReplaced(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		try (OpenTransaction application = database.begin()) {
			assertThat(enqueue(application, REPLACE, "2").outcome()).isEqualTo(Outcome.REPLACED);
			assertThat(database.claim(this.worker, 10)).isEmpty();
			end(application, commit);
		}
		assertThat(database.claimOne(this.worker).payload()).isEqualTo(commit ? "2" : "1");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aReplacementDuringAClaimIsAFollowUpIfTheClaimCommits(boolean commit) throws Exception {
		long first = enqueue(KEYED, "1").id();
		try (OpenTransaction claim = database.begin()) {
			assertThat(database.claim(claim.jobs(), this.worker, 1)).hasSize(1);
			Future<EnqueueResult> second = database.async(() -> enqueue(REPLACE, "2"));
			database.awaitBlockedStatement();
			end(claim, commit);
			assertThat(StoreDatabase.result(second).outcome()).isEqualTo(commit ? Outcome.FOLLOW_UP : Outcome.REPLACED);
		}
		assertThat(database.find(first).payload()).isEqualTo(commit ? "1" : "2");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void ofTwoWhoAskForAFollowUpTheSecondGetsOneIfTheFirstRollsBack(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		claim();
		try (OpenTransaction application = database.begin()) {
			EnqueueResult one = enqueue(application, AGAIN, "2");
			Future<EnqueueResult> other = database.async(() -> enqueue(AGAIN, "3"));
			database.awaitBlockedStatement();
			end(application, commit);
			if (commit) {
				assertThat(StoreDatabase.result(other)).isEqualTo(new EnqueueResult(one.id(), Outcome.KEPT));
			}
			else {
				assertThat(StoreDatabase.result(other).outcome()).isEqualTo(Outcome.FOLLOW_UP);
			}
		}
		assertThat(database.list("select payload::text from {schema}.job_follow_up", String.class))
			.containsExactly(commit ? "2" : "3");
	}

	@Test
	void maintenanceDoesNotWaitForAnEnqueueThatHoldsTheKey() throws Exception {
		enqueue(KEYED, "1");
		Lease first = claim();
		try (OpenTransaction one = database.begin(); OpenTransaction other = database.begin()) {
			enqueue(one, AGAIN, "2");
			database.jobs().succeed(this.worker, List.of(first));
			assertThat(enqueue(other, KEYED, "3").outcome()).as("the follow-up is not visible yet")
				.isEqualTo(Outcome.CREATED);
			one.commit();
			assertThat(followUp()).as("gave up at once").isZero();
			other.commit();
		}
		assertThat(followUp()).isZero();
		ClaimedJob second = database.claimOne(this.worker);
		assertThat(second.payload()).isEqualTo("3");
		database.jobs().succeed(this.worker, List.of(second.lease()));
		assertThat(followUp()).as("nothing is lost").isEqualTo(1);
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFollowUpIsQueuedOnceByTwoMaintainers(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		enqueue(AGAIN, "2");
		database.jobs().succeed(this.worker, List.of(lease));
		try (OpenTransaction other = database.begin()) {
			assertThat(other.maintenance().followUp(10)).hasSize(1);
			assertThat(followUp()).isZero();
			end(other, commit);
		}
		assertThat(followUp()).isEqualTo(commit ? 0 : 1);
		assertThat(database.claim(this.worker, 10)).extracting(ClaimedJob::payload).containsExactly("2");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anEnqueueThatKeepsDoesNotWaitForAChangeOfAFollowUpThatIsQueued(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		EnqueueResult followUp = enqueue(AGAIN, "2");
		try (OpenTransaction application = database.begin()) {
			enqueue(application, REPLACE, "3");
			database.jobs().succeed(this.worker, List.of(lease));
			assertThat(enqueue(KEYED, "4")).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
			end(application, commit);
		}
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.claimOne(this.worker).payload()).isEqualTo(commit ? "3" : "2");
	}

	@Test
	void aFollowUpIsQueuedWhileATransactionIsOpenThatKeptIt() throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		EnqueueResult followUp = enqueue(AGAIN, "2");
		database.jobs().succeed(this.worker, List.of(lease));
		try (OpenTransaction application = database.begin()) {
			assertThat(enqueue(application, KEYED, "3")).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
			assertThat(followUp()).isEqualTo(1);
			assertThat(claim().jobId()).isEqualTo(followUp.id());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aJobThatIsKeptToRunAgainIsNotClaimedBeforeTheChangeIsCommitted(boolean commit) throws Exception {
		EnqueueResult first = enqueue(KEYED, "1");
		try (OpenTransaction application = database.begin()) {
			assertThat(enqueue(application, AGAIN, "2")).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
			assertThat(database.claim(this.worker, 10)).isEmpty();
			end(application, commit);
		}
		assertThat(claim().jobId()).isEqualTo(first.id());
	}

	@Test
	void manyKeepAJobThatIsNotDueAndItIsQueuedWhenTheLastOfThemHasCommitted() throws Exception {
		EnqueueResult first = enqueue(KEYED.delay(Duration.ofHours(1)), "1");
		try (OpenTransaction one = database.begin(); OpenTransaction other = database.begin()) {
			assertThat(enqueue(one, AGAIN, "2")).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
			assertThat(enqueue(other, AGAIN, "3")).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
			one.commit();
			assertThat(locked()).as("by the other one").isOne();
			other.commit();
		}
		assertThat(locked()).isZero();
	}

	@Test
	void transactionsThatKeepADueJobOneAfterTheOtherDoNotHoldItUpForEver() throws Exception {
		EnqueueResult first = enqueue(KEYED, "1");
		try (OpenTransaction one = database.begin(); OpenTransaction other = database.begin()) {
			assertThat(enqueue(one, AGAIN, "2")).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
			EnqueueResult followUp = enqueue(other, AGAIN, "3");
			assertThat(followUp.outcome()).isEqualTo(Outcome.FOLLOW_UP);
			one.commit();
			Lease lease = claim();
			assertThat(lease.jobId()).isEqualTo(first.id());
			database.jobs().succeed(this.worker, List.of(lease));
			assertThat(followUp()).isZero();
			other.commit();
			assertThat(followUp()).isEqualTo(1);
			assertThat(claim().jobId()).isEqualTo(followUp.id());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFollowUpThatIsKeptToRunAgainIsNotQueuedBeforeTheChangeIsCommitted(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		EnqueueResult followUp = enqueue(AGAIN, "2");
		try (OpenTransaction one = database.begin(); OpenTransaction other = database.begin()) {
			assertThat(enqueue(one, AGAIN, "3")).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
			assertThat(enqueue(other, AGAIN, "4")).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
			database.jobs().succeed(this.worker, List.of(lease));
			assertThat(followUp()).isZero();
			end(one, commit);
			assertThat(followUp()).isZero();
			end(other, commit);
		}
		assertThat(followUp()).isEqualTo(1);
		assertThat(claim().jobId()).isEqualTo(followUp.id());
	}

	@Test
	void transactionsThatKeepAFollowUpWhoseTurnHasComeDoNotHoldItUpForEver() throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		EnqueueResult followUp = enqueue(AGAIN, "2");
		database.jobs().succeed(this.worker, List.of(lease));
		try (OpenTransaction one = database.begin(); OpenTransaction other = database.begin()) {
			assertThat(enqueue(one, AGAIN, "3")).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
			EnqueueResult behind = enqueue(other, AGAIN, "4");
			assertThat(behind.outcome()).isEqualTo(Outcome.FOLLOW_UP);
			one.commit();
			assertThat(followUp()).isEqualTo(1);
			lease = claim();
			assertThat(lease.jobId()).isEqualTo(followUp.id());
			other.commit();
			assertThat(enqueue(AGAIN, "5")).as("the last one in line")
				.isEqualTo(new EnqueueResult(behind.id(), Outcome.KEPT));
			assertThat(followUp()).as("one of a key at a time").isZero();
			database.jobs().succeed(this.worker, List.of(lease));
			assertThat(followUp()).isEqualTo(1);
			assertThat(claim().jobId()).isEqualTo(behind.id());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aChangeIsAFollowUpOfAJobThatIsBeingClaimed(boolean commit) throws Exception {
		EnqueueResult first = enqueue(KEYED, "1");
		try (OpenTransaction claim = database.begin()) {
			lockAsAClaimDoes(claim);
			assertThat(enqueue(AGAIN, "2").outcome()).isEqualTo(Outcome.FOLLOW_UP);
			assertThat(database.claim(claim.jobs(), this.worker, 1)).hasSize(1);
			end(claim, commit);
		}
		assertThat(database.claim(this.worker, 10)).extracting((job) -> job.lease().jobId())
			.isEqualTo(commit ? List.of() : List.of(first.id()));
	}

	@ParameterizedTest
	@FieldSource("CHANGING")
	void theEndOfAJobNeverWaitsForTheTransactionThatMetItsClaim(DuplicatePolicy policy) throws Exception {
		enqueue(KEYED, "1");
		try (OpenTransaction claim = database.begin(); OpenTransaction application = database.begin()) {
			lockAsAClaimDoes(claim);
			Future<EnqueueResult> second = database.async(() -> enqueue(application, KEYED.duplicates(policy), "2"));
			database.awaitBlockedStatement();
			Lease lease = database.claim(claim.jobs(), this.worker, 1).get(0).lease();
			claim.commit();
			assertThat(StoreDatabase.result(second).outcome()).isEqualTo(Outcome.FOLLOW_UP);
			assertThat(locked()).as("while the application's transaction is open").isZero();
			assertThat(database.jobs().succeed(this.worker, List.of(lease))).hasSize(1);
			application.commit();
		}
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "repeatable read", "serializable" })
	void aTransactionThatSeesAJobWaitThatWasClaimedMeanwhileIsRefused(String isolation) throws Exception {
		enqueue(KEYED, "1");
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level " + isolation);
			application.execute("select from {schema}.job");
			Lease lease = claim();
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> enqueue(application, AGAIN, "2"));
			assertThat(database.jobs().succeed(this.worker, List.of(lease))).hasSize(1);
		}
	}

	@Test
	void aTransactionThatSeesTheKeyAsItWasIsRefusedAndStoresNoSecondJob() throws Exception {
		enqueue(AN_HOUR, "1");
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level repeatable read");
			application.execute("select from {schema}.job");
			database.jobs().succeed(this.worker, List.of(lease));
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> enqueue(application, KEYED, "2"));
		}
	}

	@Test
	void aTransactionThatDoesNotSeeThatAKeyIsKeptIsRefused() throws Exception {
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level repeatable read");
			application.execute("select from {schema}.job");
			database.jobs().controlStore().cancel(enqueue(FROM_ENQUEUE, "1").id());
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> enqueue(application, KEYED, "2"));
		}
	}

	@Test
	void aTransactionThatSeesAJobThatHasEndedIsRefusedAndOvertakesNoFollowUp() throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level repeatable read");
			application.execute("select from {schema}.job");
			assertThat(enqueue(REPLACE, "2").outcome()).isEqualTo(Outcome.FOLLOW_UP);
			database.jobs().succeed(this.worker, List.of(lease));
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> enqueue(application, REPLACE, "3"));
		}
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@Test
	void aTransactionOfAnyIsolationStoresAJobWithAFreeKey() throws Exception {
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level serializable");
			assertThat(enqueue(application, AN_HOUR, "1").outcome()).isEqualTo(Outcome.CREATED);
			application.commit();
		}
		database.jobs().succeed(this.worker, List.of(claim()));
		assertThat(enqueue(KEYED, "2").outcome()).isEqualTo(Outcome.DONE);
	}

	@Test
	void aBulkEnqueueOfThousandsOfJobsLocksKeysInTheirOrder() throws Exception {
		List<JobRequest> requests = new ArrayList<>(Collections.nCopies(1000, JobRequest.of("type")));
		requests.add(0, KEYED.uniqueKey("b"));
		requests.add(KEYED.uniqueKey("a"));
		JobQueue queue = database.jobs()
			.queue(database.jdbc().getDataSource(), WakeUps.ofThisProcess(database.queueDatabase()));
		try (OpenTransaction application = database.begin()) {
			enqueue(application, KEYED.uniqueKey("a"), "1");
			Future<List<EnqueueResult>> bulk = database.async(() -> queue.enqueueAll(requests));
			database.awaitBlockedStatement();
			enqueue(application, KEYED.uniqueKey("b"), "1");
			application.commit();
			List<EnqueueResult> results = StoreDatabase.result(bulk);
			assertThat(results).hasSize(1002);
			assertThat(results.get(0).outcome()).isEqualTo(Outcome.KEPT);
			assertThat(results.subList(1, 1001)).allMatch(EnqueueResult::created);
			assertThat(results.get(1001).outcome()).isEqualTo(Outcome.KEPT);
		}
	}

	@Test
	void aJobThatATransactionStoredIsReplacedByTheSameTransaction() throws Exception {
		try (OpenTransaction application = database.begin()) {
			EnqueueResult first = enqueue(application, KEYED, "1");
			assertThat(enqueue(application, REPLACE, "2")).isEqualTo(new EnqueueResult(first.id(), Outcome.REPLACED));
			application.commit();
		}
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@ParameterizedTest
	@FieldSource("CHANGING")
	void anEnqueueDuringOneThatKeepsTheKeyFromThenOnChangesNothing(DuplicatePolicy policy) throws Exception {
		JobRequest once = KEYED.uniqueFromEnqueue(JobRequest.FOREVER).duplicates(policy);
		try (OpenTransaction application = database.begin()) {
			EnqueueResult first = enqueue(application, once, "1");
			Future<EnqueueResult> second = database.async(() -> enqueue(once, "2"));
			database.awaitBlockedStatement();
			application.commit();
			assertThat(StoreDatabase.result(second)).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		}
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("1");
	}

	@ParameterizedTest
	@FieldSource("CHANGING")
	void aJobThatHasItsKeyForGoodGetsNoFollowUp(DuplicatePolicy policy) throws Exception {
		JobRequest once = KEYED.uniqueFromEnqueue(JobRequest.FOREVER).duplicates(policy);
		try (OpenTransaction application = database.begin()) {
			EnqueueResult first = enqueue(application, once, "1");
			Future<EnqueueResult> second = database.async(() -> enqueue(once, "2"));
			database.awaitBlockedStatement();
			database.claim(application.jobs(), this.worker, 1);
			application.commit();
			assertThat(StoreDatabase.result(second)).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		}
		assertThat(database.count("job_follow_up")).isZero();
	}

	private static EnqueueResult enqueue(JobRequest request, String payload) {
		return database.jobs().enqueue(List.of(NewJobs.of(request, payload))).get(0);
	}

	private static EnqueueResult enqueue(OpenTransaction transaction, JobRequest request, String payload) {
		return transaction.jobs().enqueue(List.of(NewJobs.of(request, payload))).get(0);
	}

	private static void end(OpenTransaction transaction, boolean commit) throws Exception {
		if (commit) {
			transaction.commit();
		}
		else {
			transaction.rollback();
		}
	}

	private Lease claim() {
		return database.claimOne(this.worker).lease();
	}

	/** A claim locks its jobs before it changes them. */
	private static void lockAsAClaimDoes(OpenTransaction claim) {
		claim.execute("select from {schema}.job for no key update");
	}

	/** How many jobs a transaction has locked. */
	private static int locked() {
		return jobs() - database.query("select count(*) from (select from {schema}.job for update skip locked) free",
				Integer.class);
	}

	private static int followUp() {
		return database.maintenance().followUp(100).stream().mapToInt(PromotedJobs::jobs).sum();
	}

	private static int jobs() {
		return database.count("job");
	}

}
