package io.pgqueue.engine.claim;

import java.util.List;
import java.util.Set;

import io.pgqueue.engine.claim.ClaimPlan.Stage;
import io.pgqueue.engine.lease.Claim.PoolLane;
import io.pgqueue.engine.lease.Lane;
import io.pgqueue.engine.lease.LaneHead;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In which order lanes are claimed. The name of a type says how its lanes are claimed:
 * {@code limited}, {@code gathered} (in calls of 10), or plain.
 */
class ClaimPlanTests {

	private static final LaneKind LIMITED = new LaneKind(1, true);

	private static final LaneKind GATHERED = new LaneKind(10, false);

	@Test
	void plainLanesShareOneClaimInTheOrderOfTheirUrgency() {
		ClaimPlan plan = plan(lane("a", 5), lane("b", 3), lane("c", 3));
		assertThat(plan.plain()).containsExactly(lane("a", 5), lane("b", 3), lane("c", 3));
		assertThat(plan.before()).isEmpty();
		assertThat(plan.after()).isEmpty();
		assertThat(plan.onDemandPools()).isEmpty();
	}

	@Test
	void onDemandLanesThatAreMoreUrgentThanAllPlainOnesAreClaimedFirst() {
		ClaimPlan plan = plan(lane("limited", 5), lane("a", 3), lane("gathered", 3), lane("b", 1));
		assertThat(plan.before()).containsExactly(new Stage(LIMITED, List.of(lane("limited", 5))));
		assertThat(plan.plain()).containsExactly(lane("a", 3), lane("b", 1));
		assertThat(plan.after()).containsExactly(new Stage(GATHERED, List.of(lane("gathered", 3))));
	}

	@Test
	void aPlainLaneWithoutJobsDoesNotHoldUpOnDemandLanes() {
		ClaimPlan plan = plan(lane("empty", 9), lane("limited", 5), lane("a", 3));
		assertThat(plan.before()).containsExactly(new Stage(LIMITED, List.of(lane("limited", 5))));
		assertThat(plan.plain()).as("it may have jobs by now").containsExactly(lane("empty", 9), lane("a", 3));
	}

	@Test
	void lanesOfAnotherPoolDoNotCount() {
		PoolLane elsewhere = new PoolLane("queue mails", lane("a", 9).head());
		ClaimPlan plan = plan(elsewhere, lane("limited", 5));
		assertThat(plan.before()).containsExactly(new Stage(LIMITED, List.of(lane("limited", 5))));
		assertThat(plan.onDemandPools()).containsExactly("*");
	}

	@Test
	void lanesOfOneKindShareAStatementUnlessAnotherKindIsMoreUrgentThanSome() {
		PoolLane first = lane("limited", 5);
		PoolLane second = lane("limited", 5, "other");
		PoolLane gathered = lane("gathered", 5);
		PoolLane late = lane("limited", 1);
		assertThat(plan(first, gathered, second, late).before()).containsExactly(
				new Stage(LIMITED, List.of(first, second)), new Stage(GATHERED, List.of(gathered)),
				new Stage(LIMITED, List.of(late)));
		assertThat(plan(first, second, late).before()).as("one after the other")
			.containsExactly(new Stage(LIMITED, List.of(first, second, late)));
	}

	private static ClaimPlan plan(PoolLane... lanes) {
		return ClaimPlan.of(List.of(lanes), ClaimPlanTests::kind, (lane) -> !Set.of("empty").contains(lane.type()));
	}

	private static LaneKind kind(Lane lane) {
		return switch (lane.type()) {
			case "limited" -> LIMITED;
			case "gathered" -> GATHERED;
			default -> LaneKind.PLAIN;
		};
	}

	private static PoolLane lane(String type, int priority) {
		return lane(type, priority, "default");
	}

	private static PoolLane lane(String type, int priority, String queue) {
		return new PoolLane("*", new LaneHead(new Lane(queue, type, priority), LaneHead.NO_MARK));
	}

}
