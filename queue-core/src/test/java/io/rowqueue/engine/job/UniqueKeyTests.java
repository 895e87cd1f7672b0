package io.rowqueue.engine.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** At most one job that is waiting or leased holds a unique key. */
class UniqueKeyTests {

	private static final JobRequest KEYED = JobRequest.of("type").uniqueKey("key");

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void theJobThatHoldsTheKeyIsKept() {
		EnqueueResult first = enqueue(KEYED);
		EnqueueResult second = enqueue(JobRequest.of("other").uniqueKey("key"));
		assertThat(first.outcome()).isEqualTo(Outcome.CREATED);
		assertThat(second).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		assertThat(database.find(first.id()).type()).isEqualTo("type");
	}

	@Test
	void theFirstOfTwoInOneBatchIsStored() {
		List<EnqueueResult> results = enqueue(List.of(JobRequest.of("a").uniqueKey("key"),
				JobRequest.of("b").uniqueKey("other"), JobRequest.of("c").uniqueKey("key")));
		assertThat(results).extracting(EnqueueResult::outcome)
			.containsExactly(Outcome.CREATED, Outcome.CREATED, Outcome.KEPT);
		assertThat(results.get(2).id()).isEqualTo(results.get(0).id());
		assertThat(database.find(results.get(0).id()).type()).isEqualTo("a");
	}

	@Test
	void aTakenKeyDoesNotHoldUpTheRestOfItsBatch() {
		EnqueueResult first = enqueue(KEYED);
		List<EnqueueResult> results = enqueue(List.of(JobRequest.of("a"), KEYED, JobRequest.of("b")));
		assertThat(results).extracting(EnqueueResult::created).containsExactly(true, false, true);
		assertThat(results.get(1).id()).isEqualTo(first.id());
	}

	@Test
	void aScheduledJobHoldsItsKey() {
		EnqueueResult first = enqueue(KEYED.delay(Duration.ofDays(1)));
		assertThat(enqueue(KEYED)).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
	}

	@Test
	void aLeasedJobHoldsItsKey() {
		EnqueueResult first = enqueue(KEYED);
		Lease lease = database.claimOne(this.worker).lease();
		assertThat(enqueue(KEYED).id()).isEqualTo(first.id());
		database.jobs().leases().running(this.worker, List.of(lease));
		assertThat(enqueue(KEYED).id()).isEqualTo(first.id());
	}

	@Test
	void aJobThatWaitsForItsRetryHoldsItsKey() {
		EnqueueResult first = enqueue(KEYED);
		fail(Duration.ofDays(1));
		assertThat(enqueue(KEYED)).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
	}

	@Test
	void aJobThatSucceededGivesItsKeyBack() {
		EnqueueResult first = enqueue(KEYED);
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		EnqueueResult second = enqueue(KEYED);
		assertThat(second.created()).isTrue();
		assertThat(second.id()).isGreaterThan(first.id());
	}

	@Test
	void aJobThatFailedGivesItsKeyBackAndMoreThanOneCan() {
		EnqueueResult first = enqueue(KEYED);
		fail(null);
		EnqueueResult second = enqueue(KEYED);
		fail(null);
		EnqueueResult third = enqueue(KEYED);
		assertThat(List.of(first, second, third)).allMatch(EnqueueResult::created);
		assertThat(database.state(first.id())).isEqualTo(JobState.FAILED);
		assertThat(database.state(second.id())).isEqualTo(JobState.FAILED);
		assertThat(database.state(third.id())).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aJobIsStoredWhenTheTransactionThatTookItsKeyRollsBack() throws Exception {
		try (OpenTransaction transaction = database.begin()) {
			EnqueueResult first = transaction.jobs().enqueue(List.of(NewJobs.of(KEYED, null))).get(0);
			Future<EnqueueResult> second = database.async(() -> enqueue(KEYED));
			database.awaitBlockedStatement();
			transaction.rollback();
			assertThat(StoreDatabase.result(second).created()).isTrue();
			assertThat(database.jobs().find(first.id())).isEmpty();
			assertThat(database.state(StoreDatabase.result(second).id())).isEqualTo(JobState.QUEUED);
		}
	}

	@Test
	void theJobIsKeptWhenTheTransactionThatTookItsKeyCommits() throws Exception {
		try (OpenTransaction transaction = database.begin()) {
			EnqueueResult first = transaction.jobs().enqueue(List.of(NewJobs.of(KEYED, null))).get(0);
			Future<EnqueueResult> second = database.async(() -> enqueue(KEYED));
			database.awaitBlockedStatement();
			transaction.commit();
			assertThat(StoreDatabase.result(second)).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		}
	}

	@Test
	void bulkEnqueuesWithTheSameKeysInOppositeOrderDoNotDeadlock() {
		for (int round = 0; round < 20; round++) {
			String prefix = "round-" + round + "-";
			List<JobRequest> forward = new ArrayList<>(
					IntStream.range(0, 300).mapToObj((i) -> JobRequest.of("type").uniqueKey(prefix + i)).toList());
			List<JobRequest> backward = new ArrayList<>(forward);
			Collections.reverse(backward);
			Future<List<EnqueueResult>> one = database.async(() -> enqueue(forward));
			Future<List<EnqueueResult>> two = database.async(() -> enqueue(backward));
			List<EnqueueResult> others = new ArrayList<>(StoreDatabase.result(two));
			Collections.reverse(others);
			assertThat(StoreDatabase.result(one)).extracting(EnqueueResult::id)
				.isEqualTo(others.stream().map(EnqueueResult::id).toList());
		}
	}

	private EnqueueResult enqueue(JobRequest request) {
		return enqueue(List.of(request)).get(0);
	}

	private List<EnqueueResult> enqueue(List<JobRequest> requests) {
		return database.jobs().enqueue(requests.stream().map((request) -> NewJobs.of(request, null)).toList());
	}

	private void fail(Duration retryAfter) {
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", retryAfter)));
	}

}
