package io.pgqueue.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.pgqueue.store.Claim;
import io.pgqueue.store.Claim.PoolLane;
import io.pgqueue.store.Claimed;
import io.pgqueue.store.ClaimedJob;
import io.pgqueue.store.Lane;
import io.pgqueue.store.LaneHead;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BroadClaimTests {

	private static final LaneHead LANE = new LaneHead(new Lane("default", "test", 0), LaneHead.NO_MARK);

	/** Of the claim that shows that there is plenty. */
	private static final int MANY = 777;

	private final ConcurrentLinkedQueue<Claim> statements = new ConcurrentLinkedQueue<>();

	private final ConcurrentLinkedQueue<ClaimedJob> rescued = new ConcurrentLinkedQueue<>();

	@Test
	void claimsFewWithOneStatement() throws InterruptedException {
		Claim few = claim(Map.of("*", 500), Integer.MAX_VALUE);
		assertThat(execute(few, Runnable::run)).hasSize(500);
		assertThat(this.statements).containsExactly(few.ofUntouched());
	}

	@Test
	void claimsWithOneStatementUntilThereIsPlenty() throws InterruptedException {
		Claim many = claim(Map.of("*", 1000), Integer.MAX_VALUE);
		AtomicInteger stored = new AtomicInteger(499);
		BroadClaim broad = broad((claim) -> {
			this.statements.add(claim);
			return jobs(Math.min(stored.get(), claim.limits().getOrDefault("*", 0)));
		}, Runnable::run);
		broad.execute(many);
		stored.set(500);
		broad.execute(many);
		assertThat(this.statements).as("nothing, and less than a statement can bring").hasSize(2);
		stored.set(100);
		broad.execute(many);
		assertThat(this.statements).as("after as much as a statement is to bring").hasSize(4);
		broad.execute(many);
		assertThat(this.statements).as("after two short ones").hasSize(5);
	}

	@Test
	void claimsManyWithTwoStatementsOfTheSameLanes() throws InterruptedException {
		Claim many = claim(Map.of("*", 999), Integer.MAX_VALUE);
		assertThat(execute(many, Runnable::run)).hasSize(999);
		assertThat(this.statements).extracting(Claim::limits)
			.containsExactlyInAnyOrder(Map.of("*", 499), Map.of("*", 500));
		assertThat(this.statements).extracting(Claim::lanes).containsOnly(many.lanes());
	}

	@Test
	void passesOverJobsThatAreLockedAfterAClaimThatWasFull() throws InterruptedException {
		AtomicInteger stored = new AtomicInteger(20);
		BroadClaim broad = broad((claim) -> {
			this.statements.add(claim);
			return jobs(Math.min(stored.get(), 20));
		}, Runnable::run);
		Claim claim = claim(Map.of("*", 20), Integer.MAX_VALUE);
		broad.execute(claim);
		broad.execute(claim);
		stored.set(19);
		broad.execute(claim);
		broad.execute(claim);
		assertThat(this.statements).extracting(Claim::untouched)
			.as("at first, twice after a full one, and after one that was short")
			.containsExactly(false, true, true, false);
	}

	@Test
	void bothStatementsPassOverJobsThatAreLocked() throws InterruptedException {
		execute(claim(Map.of("*", 1000), Integer.MAX_VALUE), Runnable::run);
		assertThat(this.statements).hasSize(2).allMatch(Claim::untouched);
	}

	@Test
	void looksAtEveryJobAfterASweep() throws InterruptedException {
		BroadClaim broad = plenty(this::record, Runnable::run);
		broad.swept();
		Claim claim = claim(Map.of("*", 1000), Integer.MAX_VALUE);
		broad.execute(claim);
		assertThat(this.statements).noneMatch(Claim::untouched);
		this.statements.clear();
		broad.execute(claim);
		assertThat(this.statements).allMatch(Claim::untouched);
	}

	@Test
	void looksAtEveryJobWhileItMeetsSomeThatWereLockedAndLetGo() throws InterruptedException {
		BroadClaim broad = broad((claim) -> {
			this.statements.add(claim);
			return new Claimed(jobs(claim).jobs(), true, 1);
		}, Runnable::run);
		Claim claim = claim(Map.of("*", 1000), Integer.MAX_VALUE);
		broad.execute(claim);
		broad.execute(claim);
		assertThat(this.statements).hasSize(3).noneMatch(Claim::untouched);
	}

	@Test
	void looksAtEveryJobOfAPoolThatWasNotFullJustNow() throws InterruptedException {
		BroadClaim broad = broad(this::record, Runnable::run);
		broad.execute(claim(Map.of("*", 20), Integer.MAX_VALUE));
		broad.execute(claim(Map.of("*", 20, "own", 20), Integer.MAX_VALUE));
		broad.execute(claim(Map.of("own", 20), Integer.MAX_VALUE));
		broad.execute(claim(Map.of("own", 0), Integer.MAX_VALUE));
		broad.execute(claim(Map.of("own", 20), Integer.MAX_VALUE));
		assertThat(this.statements).extracting(Claim::untouched).containsExactly(false, false, true, true, false);
	}

	@Test
	void looksAtEveryJobAfterAFailure() throws InterruptedException {
		AtomicInteger calls = new AtomicInteger();
		BroadClaim broad = broad((claim) -> {
			this.statements.add(claim);
			if (calls.incrementAndGet() == 2) {
				throw new IllegalStateException("no connection");
			}
			return jobs(claim);
		}, Runnable::run);
		Claim claim = claim(Map.of("*", 20), Integer.MAX_VALUE);
		broad.execute(claim);
		assertThatIllegalStateException().isThrownBy(() -> broad.execute(claim));
		broad.execute(claim);
		assertThat(this.statements).extracting(Claim::untouched).containsExactly(false, true, false);
	}

	@Test
	void leavesALaneThatIsLimitedToOneStatement() throws InterruptedException {
		execute(claim(Map.of("*", 1000), 7), Runnable::run);
		assertThat(this.statements).hasSize(1);
	}

	@Test
	void claimsForSeveralPoolsWithOneStatement() throws InterruptedException {
		execute(claim(Map.of("*", 1000, "own", 1000), Integer.MAX_VALUE), Runnable::run);
		assertThat(this.statements).hasSize(1);
	}

	@Test
	void asksForNothingWithoutLanes() throws InterruptedException {
		assertThat(execute(new Claim(1, Map.of("*", 1000), List.of()), Runnable::run)).isEmpty();
		assertThat(this.statements).isEmpty();
	}

	@Test
	void keepsWhatOneStatementBroughtIfTheOtherFails() throws InterruptedException {
		for (int failing : List.of(499, 500)) {
			BroadClaim broad = plenty((claim) -> {
				if (claim.limits().containsValue(failing)) {
					throw new IllegalStateException("no connection");
				}
				return jobs(claim);
			}, Runnable::run);
			assertThatIllegalStateException()
				.isThrownBy(() -> broad.execute(claim(Map.of("*", 999), Integer.MAX_VALUE)))
				.withMessage("no connection");
		}
		assertThat(this.rescued).hasSize(999);
	}

	@Test
	void tellsOfBothFailures() throws InterruptedException {
		BroadClaim broad = plenty((claim) -> {
			if (!claim.limits().containsValue(MANY)) {
				throw new IllegalStateException("no connection");
			}
			return jobs(claim);
		}, Runnable::run);
		assertThatIllegalStateException().isThrownBy(() -> broad.execute(claim(Map.of("*", 1000), Integer.MAX_VALUE)))
			.satisfies((ex) -> assertThat(ex).hasSuppressedException(new IllegalStateException("no connection")));
		assertThat(this.rescued).isEmpty();
	}

	@Test
	void claimsNothingOnceTheWorkerHasEnded() {
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> execute(claim(Map.of("*", 1000), Integer.MAX_VALUE), (statement) -> {
				throw new RejectedExecutionException();
			}));
		assertThat(this.statements).isEmpty();
	}

	private List<ClaimedJob> execute(Claim claim, Executor executor) throws InterruptedException {
		return plenty(this::record, executor).execute(claim);
	}

	private Claimed record(Claim claim) {
		this.statements.add(claim);
		return jobs(claim);
	}

	/** One whose latest claim has brought much; what is asked from now on is recorded. */
	private BroadClaim plenty(Function<Claim, Claimed> statement, Executor executor) throws InterruptedException {
		BroadClaim broad = broad(statement, executor);
		broad.execute(claim(Map.of("*", MANY), Integer.MAX_VALUE));
		this.statements.clear();
		return broad;
	}

	private BroadClaim broad(Function<Claim, Claimed> statement, Executor executor) {
		return new BroadClaim(statement, executor, this.rescued::addAll);
	}

	private static Claim claim(Map<String, Integer> limits, int most) {
		return new Claim(1, limits, List.of(new PoolLane("*", LANE, most)));
	}

	private static Claimed jobs(Claim claim) {
		return jobs(claim.limits().values().stream().mapToInt((most) -> most).sum());
	}

	private static Claimed jobs(int jobs) {
		return new Claimed(Stream.generate(() -> TestJobs.job(1).job()).limit(jobs).toList(), false, 1);
	}

}
