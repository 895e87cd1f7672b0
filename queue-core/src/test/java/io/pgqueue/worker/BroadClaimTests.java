package io.pgqueue.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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

	private final ConcurrentLinkedQueue<Claim> statements = new ConcurrentLinkedQueue<>();

	private final ConcurrentLinkedQueue<ClaimedJob> rescued = new ConcurrentLinkedQueue<>();

	@Test
	void claimsFewWithOneStatement() throws InterruptedException {
		Claim few = claim(Map.of("*", 500), Integer.MAX_VALUE);
		assertThat(execute(few, Runnable::run)).hasSize(500);
		assertThat(this.statements).containsExactly(few);
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
	void keepsWhatOneStatementBroughtIfTheOtherFails() {
		for (int failing : List.of(499, 500)) {
			assertThatIllegalStateException().isThrownBy(() -> broad((claim) -> {
				if (claim.limits().containsValue(failing)) {
					throw new IllegalStateException("no connection");
				}
				return jobs(claim);
			}, Runnable::run).execute(claim(Map.of("*", 999), Integer.MAX_VALUE))).withMessage("no connection");
		}
		assertThat(this.rescued).hasSize(999);
	}

	@Test
	void tellsOfBothFailures() {
		assertThatIllegalStateException().isThrownBy(() -> broad((claim) -> {
			throw new IllegalStateException("no connection");
		}, Runnable::run).execute(claim(Map.of("*", 1000), Integer.MAX_VALUE)))
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
		return broad((each) -> {
			this.statements.add(each);
			return jobs(each);
		}, executor).execute(claim);
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
