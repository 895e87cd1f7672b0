package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.claim.LaneChoice.Chosen;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.Sweep;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A queue for each of many tenants: more lanes than a claim reads. */
class ManyLanesTests {

	private static final int MAX_LANES = LaneMap.MAX_LANES_PER_CLAIM;

	private static final int LANES = 20 * MAX_LANES;

	private static final int SLOTS = 50;

	@AutoClose
	private final ClaimingWorker worker = new ClaimingWorker(SLOTS, Runnable::run);

	private final TypeLimits limits = new TypeLimits(Map.of(), Map.of());

	private final OnDemandLanes onDemand = onDemand();

	private final LaneChoice choice = new LaneChoice(this.worker.lanes, this.limits, this.onDemand, this.worker.pools);

	@Test
	void aClaimReadsTheMostUrgentLanesAndNoMoreThanItMayBringJobs() {
		sweepFinds(LANES, Set.of());
		Chosen chosen = choose();
		assertThat(chosen.allotted()).hasSize(MAX_LANES);
		assertThat(chosen.allotted()).extracting((lane) -> lane.head().lane())
			.containsExactlyElementsOf(lanes(0, MAX_LANES));
	}

	@Test
	void aClaimReadsAllLanesIfTheyAreFew() {
		sweepFinds(MAX_LANES, Set.of());
		assertThat(choose().allotted()).hasSize(MAX_LANES);
		assertThat(learn(choose(), List.of(), false)).as("there are no others").isFalse();
		assertThat(choose().allotted()).as("empty lanes are remembered").hasSize(MAX_LANES);
	}

	@Test
	void theNextClaimReadsOtherLanesInsteadOfThoseThatWereEmpty() {
		sweepFinds(LANES, Set.of());
		assertThat(learn(choose(), List.of(), false)).as("others may have jobs").isTrue();
		assertThat(choose().allotted()).extracting((lane) -> lane.head().lane())
			.containsExactlyElementsOf(lanes(MAX_LANES, 2 * MAX_LANES));
	}

	@Test
	void aFullClaimHasReadTheLanesBeforeTheLastOneThatGaveAJob() {
		sweepFinds(LANES, Set.of());
		assertThat(learn(choose(), List.of(job(lanes(3, 4).get(0)), job(lanes(7, 8).get(0))), true)).isTrue();
		assertThat(choose().allotted()).extracting((lane) -> lane.head().lane())
			.containsExactlyElementsOf(lanes(7, 7 + MAX_LANES));
	}

	@Test
	void lanesThatAClaimHasReadAreReadAgainAfterTheNextSweep() {
		sweepFinds(LANES, Set.of());
		Chosen before = choose();
		learn(before, List.of(), false);
		sweepFinds(LANES, Set.of());
		assertThat(choose().allotted()).extracting((lane) -> lane.head().lane())
			.containsExactlyElementsOf(lanes(0, MAX_LANES));
		assertThat(learn(before, List.of(), false)).as("it knew nothing of the sweep").isFalse();
	}

	@Test
	void lanesWithALimitHideNoOthersAndAreNotLeftOut() {
		sweepFinds(LANES,
				lanes(0, 2 * MAX_LANES).stream().map((lane) -> Sweep.queue(lane.queue())).collect(Collectors.toSet()));
		Chosen chosen = choose();
		assertThat(chosen.allotted()).hasSize(3 * MAX_LANES);
		learn(chosen, List.of(), false);
		assertThat(choose().allotted()).extracting((lane) -> lane.head().lane())
			.containsAll(lanes(0, 2 * MAX_LANES))
			.containsAll(lanes(3 * MAX_LANES, 4 * MAX_LANES))
			.hasSize(3 * MAX_LANES);
	}

	@Test
	void theJobsOfAllLanesAreClaimedTheMostUrgentFirst() throws InterruptedException {
		int lanes = 3 * MAX_LANES;
		List<JobRequest> requests = new ArrayList<>();
		IntStream.range(0, lanes)
			.forEach((lane) -> requests.add(JobRequest.of("test").queue("queue-" + lane).priority(lane % 3)));
		Collections.shuffle(requests);
		this.worker.engine.queue().enqueueAll(requests);
		List<Integer> priorities = new ArrayList<>();
		while (priorities.size() < lanes) {
			this.worker.claims.turn(ClaimingWorker.FOREVER);
			for (int held = this.worker.pool.jobs().heldCount(); held > 0; held--) {
				ActiveJob job = this.worker.pool.jobs().next();
				priorities.add(job.job().priority());
				this.worker.pool.jobs().done(job);
			}
			this.worker.claims.reconsider();
		}
		assertThat(priorities).isSortedAccordingTo(Collections.reverseOrder());
	}

	private Chosen choose() {
		return this.choice.choose(List.of(this.worker.pool));
	}

	private boolean learn(Chosen chosen, List<ClaimedJob> jobs, boolean full) {
		return this.choice.learn(chosen, jobs, full ? Set.of(this.worker.pool.name()) : Set.of());
	}

	private void sweepFinds(int count, Set<String> limited) {
		List<LaneHead> heads = lanes(0, count).stream().map((lane) -> new LaneHead(lane, LaneHead.NO_MARK)).toList();
		this.worker.lanes.take(new LaneMap.Look(new Sweep(heads, LaneHead.NO_MARK, limited, Set.of()), 0));
	}

	private OnDemandLanes onDemand() {
		Stores stores = new Stores(this.worker.engine.jdbc());
		ClaimExecutor executor = new ClaimExecutor(stores.claims(), this.worker.pools, this.worker.lanes,
				new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3), this.worker.finisher);
		return new OnDemandLanes(stores.lanes(), executor, this.worker.id, this.worker.pools, this.worker.lanes,
				Map.of());
	}

	private static ClaimedJob job(Lane lane) {
		return new ClaimedJob(new Lease(1, 1), lane.type(), lane.queue(), lane.priority(), 1, null, 0, 0, 0, 0, false,
				null, false, null, null, 0);
	}

	private static List<Lane> lanes(int from, int to) {
		return IntStream.range(from, to).mapToObj((lane) -> new Lane("queue-" + lane, "test", 0)).toList();
	}

}
