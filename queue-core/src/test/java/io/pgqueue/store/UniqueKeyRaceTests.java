package io.pgqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;

import io.pgqueue.DuplicatePolicy;
import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Enqueues that meet, in flight, a claim, an end, a rollback, or each other. */
@Timeout(120)
class UniqueKeyRaceTests {

	private static final JobRequest KEYED = JobRequest.of("type").uniqueKey("key");

	private static final JobRequest AN_HOUR = KEYED.uniqueFor(Duration.ofHours(1));

	private static final JobRequest REPLACE = KEYED.duplicates(DuplicatePolicy.replace());

	private static final JobRequest AGAIN = KEYED.duplicates(DuplicatePolicy.runAgain());

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void anEnqueueDuringASuccessThatKeepsTheKeyFindsItDone() throws Exception {
		EnqueueResult first = enqueue(AN_HOUR, "1");
		Lease lease = claim();
		try (OpenTransaction success = database.begin()) {
			success.jobs().leases().succeed(this.worker, List.of(lease));
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
			success.jobs().leases().succeed(this.worker, List.of(lease));
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
			success.jobs().leases().succeed(this.worker, List.of(lease));
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
			success.jobs().leases().succeed(this.worker, List.of(lease));
			Future<EnqueueResult> third = database.async(() -> enqueue(REPLACE, "3"));
			database.awaitBlockedStatement();
			success.commit();
			assertThat(StoreDatabase.result(third)).isEqualTo(new EnqueueResult(followUp.id(), Outcome.REPLACED));
		}
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("3");
		assertThat(jobs()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theEndOfAJobNeverWaitsForTheTransactionThatAskedForAFollowUp(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			assertThat(enqueue(application, REPLACE, "2").outcome()).isEqualTo(Outcome.FOLLOW_UP);
			assertThat(database.jobs().leases().succeed(this.worker, List.of(lease))).hasSize(1);
			assertThat(followUp()).as("it is not there yet").isZero();
			end(application, commit);
		}
		assertThat(followUp()).isEqualTo(commit ? 1 : 0);
		assertThat(database.claim(this.worker, 10)).extracting(ClaimedJob::payload)
			.isEqualTo(commit ? List.of("2") : List.of());
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
			database.jobs().leases().succeed(this.worker, List.of(first));
			assertThat(enqueue(other, KEYED, "3").outcome()).as("nobody sees the follow-up yet")
				.isEqualTo(Outcome.CREATED);
			one.commit();
			assertThat(followUp()).as("gave up at once").isZero();
			other.commit();
		}
		assertThat(followUp()).isZero();
		ClaimedJob second = database.claimOne(this.worker);
		assertThat(second.payload()).isEqualTo("3");
		database.jobs().leases().succeed(this.worker, List.of(second.lease()));
		assertThat(followUp()).as("nothing is lost").isEqualTo(1);
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aFollowUpIsQueuedOnceByTwoMaintainers(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		enqueue(AGAIN, "2");
		database.jobs().leases().succeed(this.worker, List.of(lease));
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
	void anEnqueueWaitsForWhoeverChangesAFollowUpWhoseTurnHasCome(boolean commit) throws Exception {
		enqueue(KEYED, "1");
		Lease lease = claim();
		EnqueueResult followUp = enqueue(AGAIN, "2");
		try (OpenTransaction application = database.begin()) {
			enqueue(application, REPLACE, "3");
			database.jobs().leases().succeed(this.worker, List.of(lease));
			Future<EnqueueResult> fourth = database.async(() -> enqueue(KEYED, "4"));
			database.awaitBlockedStatement();
			end(application, commit);
			assertThat(StoreDatabase.result(fourth)).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
		}
		assertThat(database.claimOne(this.worker).payload()).isEqualTo(commit ? "3" : "2");
	}

	@Test
	void aTransactionThatSeesTheKeyAsItWasIsRefusedAndStoresNoSecondJob() throws Exception {
		enqueue(AN_HOUR, "1");
		Lease lease = claim();
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level repeatable read");
			application.execute("select from {schema}.job");
			database.jobs().leases().succeed(this.worker, List.of(lease));
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> enqueue(application, KEYED, "2"));
		}
	}

	@Test
	void aTransactionOfAnyIsolationStoresAJobWithAFreeKey() throws Exception {
		try (OpenTransaction application = database.begin()) {
			application.execute("set transaction isolation level serializable");
			assertThat(enqueue(application, AN_HOUR, "1").outcome()).isEqualTo(Outcome.CREATED);
			application.commit();
		}
		database.jobs().leases().succeed(this.worker, List.of(claim()));
		assertThat(enqueue(KEYED, "2").outcome()).isEqualTo(Outcome.DONE);
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

	private static EnqueueResult enqueue(JobRequest request, String payload) {
		return database.jobs().enqueue(List.of(new NewJob(request, payload))).get(0);
	}

	private static EnqueueResult enqueue(OpenTransaction transaction, JobRequest request, String payload) {
		return transaction.jobs().enqueue(List.of(new NewJob(request, payload))).get(0);
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

	private static int followUp() {
		return database.maintenance().followUp(100).stream().mapToInt(PromotedJobs::jobs).sum();
	}

	private static int jobs() {
		return database.query("select count(*) from {schema}.job", Integer.class);
	}

}
