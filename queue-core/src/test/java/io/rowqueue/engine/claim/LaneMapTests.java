package io.rowqueue.engine.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.lease.Sweep;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LaneMapTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Stores store = new Stores(this.engine.jdbc());

	private final LaneMap lanes = new LaneMap(this.store.lanes(), Set.of("mail", "report"), Duration.ZERO);

	private final Pools pools = new Pools(1, Map.of("own", 1), 0);

	@Test
	void lanesAreSweptAtOnceAndThenNotAgainAtOnce() {
		assertThat(this.lanes.pace().isDue()).isTrue();
		assertThat(this.lanes.pace().untilAllowed()).isZero();
		Sweep sweep = this.lanes.look().sweep();
		boolean due;
		Duration until;
		long begin;
		do { // again if that took so long that it is time for the next one
			begin = System.nanoTime();
			this.lanes.take(new LaneMap.Look(sweep, 0));
			due = this.lanes.pace().isDue();
			until = this.lanes.pace().untilAllowed();
		}
		while (System.nanoTime() - begin > Duration.ofMillis(25).toNanos());
		assertThat(due).isFalse();
		assertThat(until).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(1));
	}

	/** A limit counts for a minute what is claimed by workers that do not know it yet. */
	@Test
	void lanesAreSweptTwiceAMinuteHoweverSlowSweepsAre() {
		this.lanes.take(new LaneMap.Look(this.lanes.look().sweep(), Duration.ofMinutes(10).toNanos()));
		assertThat(this.lanes.pace().untilAllowed()).isLessThanOrEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void lanesAreOrderedByPriorityAndWaitingTime() {
		enqueue("mail", "b", 0);
		enqueue("mail", "a", 0);
		enqueue("report", "a", 5);
		enqueue("report", "own", 9);
		enqueue("mail", "a", 0);
		this.lanes.sweep();
		assertThat(names(lanes())).containsExactly("queue own/own/report/9", "*/a/report/5", "*/b/mail/0",
				"*/a/mail/0");
	}

	@Test
	void lanesGainAPriorityForEachAgingPeriodOfTheirFirstJob() {
		enqueue("mail", "old", 0);
		enqueue("mail", "older", 1);
		enqueue("mail", "new", 5);
		this.engine.jdbc()
			.update("update rowqueue.job set order_at = now() - interval '210 minutes' where queue = 'old'");
		this.engine.jdbc()
			.update("update rowqueue.job set order_at = now() - interval '450 minutes' where queue = 'older'");
		LaneMap aging = new LaneMap(this.store.lanes(), Set.of("mail"), Duration.ofHours(1));
		aging.sweep();
		assertThat(names(aging.of(this.pools.all().toList(), this.pools, null, Set.of()).lanes()))
			.containsExactly("*/older/mail/1", "*/new/mail/5", "*/old/mail/0");
		assertThat(this.store.sweep(Duration.ofHours(1)).heads()).extracting(LaneHead::urgency)
			.containsExactly(8, 5, 3);
		this.lanes.sweep();
		assertThat(names(lanes())).as("strict").containsExactly("*/new/mail/5", "*/older/mail/1", "*/old/mail/0");
	}

	@Test
	void lanesBeginWhereTheLatestClaimBeganUntilTheNextSweep() {
		long worker = this.engine.workerStore().register(WorkerIdentities.of("test", List.of("*"), List.of("mail")));
		IntStream.range(0, 30).forEach((i) -> enqueue("mail", "a", 0));
		this.engine.jdbc()
			.update("update rowqueue.job set order_at = now() - interval '1 hour' + (id - (select min(id) from rowqueue.job))"
					+ " * interval '1 second'");
		this.lanes.sweep();
		List<ClaimedJob> first = claim(worker, 10);
		List<ClaimedJob> second = claim(worker, 10);
		String swept = mark();
		await("marks follow claims every few milliseconds").until(() -> {
			this.lanes.claimed(second);
			return !mark().equals(swept);
		});
		this.store.outcomes().release(worker, first.stream().map(ClaimedJob::lease).toList());
		assertThat(claim(worker, 30)).as("behind the mark").hasSize(10);
		this.lanes.sweep();
		assertThat(claim(worker, 30)).as("found by a sweep")
			.extracting((job) -> job.lease().jobId())
			.containsExactlyInAnyOrderElementsOf(first.stream().map((job) -> job.lease().jobId()).toList());
	}

	@Test
	void lanesWithALimitBeginWhereTheLatestClaimBeganAndSkipNoJob() {
		long worker = this.engine.workerStore().register(WorkerIdentities.of("test", List.of("*"), List.of("mail")));
		this.store.limits().set(LimitKind.QUEUE, "a", Limit.concurrency(5), true);
		for (int i = 0; i < 30; i++) {
			enqueue("mail", "a", 0);
		}
		this.engine.jdbc()
			.update("update rowqueue.job set order_at = now() - interval '1 hour' + id % 7 * interval '1 s'");
		this.lanes.sweep();
		Set<Long> claimed = new HashSet<>();
		for (int i = 0; i < 6; i++) {
			List<ClaimedJob> five = claimLimited(worker);
			five.forEach((job) -> claimed.add(job.lease().jobId()));
			String first = lanes().get(0).head().at(five.get(0).mark()).mark();
			await("marks follow claims every few milliseconds").until(() -> {
				this.lanes.claimed(five);
				return mark().equals(first);
			});
			this.store.succeed(worker, five.stream().map(ClaimedJob::lease).toList());
		}
		assertThat(claimed).as("without another sweep").hasSize(30);
	}

	private List<ClaimedJob> claimLimited(long worker) {
		return this.store.claimLimited(new Claim(worker, Map.of("*", 30), lanes())).jobs();
	}

	private String mark() {
		return lanes().get(0).head().mark();
	}

	private List<ClaimedJob> claim(long worker, int max) {
		return this.store.claim(new Claim(worker, Map.of("*", max), lanes())).jobs();
	}

	@Test
	void lanesAreOnlyThoseOfKnownTypesAndOfPoolsThatWantJobs() {
		enqueue("unknown", "a", 0);
		enqueue("mail", "a", 0);
		enqueue("mail", "own", 0);
		this.lanes.sweep();
		assertThat(names(of(Set.of(this.pools.of("own").orElseThrow())))).containsExactly("queue own/own/mail/0");
		assertThat(names(of(Set.of(this.pools.of("a").orElseThrow())))).containsExactly("*/a/mail/0");
	}

	@Test
	void lanesAreRememberedWhenTheyHaveBecomeEmpty() {
		enqueue("mail", "a", 0);
		this.lanes.sweep();
		this.engine.jdbc().update("delete from rowqueue.job");
		enqueue("mail", "b", 0);
		this.lanes.sweep();
		assertThat(names(lanes())).containsExactly("*/b/mail/0", "*/a/mail/0");
	}

	@Test
	void emptyLanesAreForgottenEventually() {
		for (int round = 0; round < 3; round++) {
			for (int i = 0; i < 70; i++) {
				enqueue("mail", "round " + round + " queue " + i, 0);
			}
			this.lanes.sweep();
			this.engine.jdbc().update("delete from rowqueue.job");
		}
		assertThat(lanes()).hasSize(170);
		this.lanes.sweep();
		assertThat(lanes()).hasSize(100);
	}

	@Test
	void lanesBeginWhereTheFirstJobIs() {
		this.engine.enqueue(JobRequest.of("mail").queue("a").runAt(Instant.parse("2020-01-01T00:00:00Z")));
		this.lanes.sweep();
		assertThat(lanes()).singleElement()
			.extracting((lane) -> lane.head().mark())
			.asString()
			.matches("(2020-01-01|2019-12-31).*");
		assertThat(lanes().get(0).head().mark()).isNotEqualTo(LaneHead.NO_MARK);
	}

	private void enqueue(String type, String queue, int priority) {
		this.engine.enqueue(JobRequest.of(type).queue(queue).priority(priority));
	}

	private List<PoolLane> lanes() {
		return of(this.pools.all().toList());
	}

	private List<PoolLane> of(Collection<Pool> own) {
		return this.lanes.of(own, this.pools, null, Set.of()).lanes();
	}

	private static List<String> names(List<PoolLane> lanes) {
		return lanes.stream()
			.map((lane) -> "%s/%s/%s/%d".formatted(lane.pool(), lane.head().lane().queue(), lane.head().lane().type(),
					lane.head().lane().priority()))
			.toList();
	}

}
