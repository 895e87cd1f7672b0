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
		assertThat(this.statements).containsExactly(few);
	}

	@Test
	void claimsWithOneStatementUntilThereIsPlenty() throws InterruptedException {
		Claim many = claim(Map.of("*", 1000), Integer.MAX_VALUE);
		AtomicInteger stored = new AtomicInteger(499);
		BroadClaim broad = broad((claim) -> {
			this.statements.add(claim);
			return jobs(claim).subList(0, Math.min(stored.get(), claim.limits().getOrDefault("*", 0)));
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
		return plenty((each) -> {
			this.statements.add(each);
			return jobs(each);
		}, executor).execute(claim);
	}

	/** One whose latest claim has brought much; what is asked from now on is recorded. */
	private BroadClaim plenty(Function<Claim, List<ClaimedJob>> statement, Executor executor)
			throws InterruptedException {
		BroadClaim broad = broad(statement, executor);
		broad.execute(claim(Map.of("*", MANY), Integer.MAX_VALUE));
		this.statements.clear();
		return broad;
	}

	private BroadClaim broad(Function<Claim, List<ClaimedJob>> statement, Executor executor) {
		return new BroadClaim(statement, executor, this.rescued::addAll);
	}

	private static Claim claim(Map<String, Integer> limits, int most) {
		return new Claim(1, limits, List.of(new PoolLane("*", LANE, most)));
	}

	private static List<ClaimedJob> jobs(Claim claim) {
		return Stream.generate(() -> TestJobs.job(1).job()).limit(claim.limits().getOrDefault("*", 0)).toList();
	}

}
