package io.rowqueue.engine.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What a worker learns about the lanes. */
class SweepTests {

	private static final Instant PAST = Instant.parse("2020-01-01T00:00:00.123456Z");

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@Test
	void anEmptyQueueHasNoLanesAndAMarkASecondAgo() {
		Instant before = database.now();
		Sweep sweep = database.jobs().sweep();
		assertThat(sweep.heads()).isEmpty();
		assertThat(instant(sweep.mark())).isBetween(before.minusSeconds(1), database.now().minusSeconds(1));
	}

	@Test
	void everyLaneWithQueuedJobsIsFoundOnce() {
		for (int i = 0; i < 3; i++) {
			database.enqueue(JobRequest.of("a"), JobRequest.of("b"), JobRequest.of("a").queue("mail"),
					JobRequest.of("a").priority(-1));
		}
		assertThat(database.jobs().sweep().heads()).extracting(LaneHead::lane)
			.containsExactlyInAnyOrder(new Lane("default", "a", 0), new Lane("default", "b", 0),
					new Lane("mail", "a", 0), new Lane("default", "a", -1));
	}

	@Test
	void jobsThatCannotBeClaimedMakeNoLane() {
		long worker = database.worker();
		database.lease(worker, "leased");
		database.jobs().outcomes().fail(worker, List.of(new Failure(database.lease(worker, "failed"), "error", null)));
		database.enqueue(JobRequest.of("scheduled").delay(Duration.ofDays(1)));
		assertThat(database.jobs().sweep().heads()).isEmpty();
	}

	@Test
	void theMostUrgentLaneComesFirst() {
		JobRequest job = JobRequest.of("type").runAt(PAST);
		database.enqueue(job.queue("late").tolerance(Duration.ofDays(1)), job.queue("early"),
				job.queue("low").priority(-1), job.queue("high").priority(1).tolerance(Duration.ofDays(3)),
				job.queue("late"), job.queue("later").tolerance(Duration.ofHours(1)));
		assertThat(database.jobs().sweep().heads()).extracting((head) -> head.lane().queue())
			.startsWith("high")
			.endsWith("later", "low")
			.hasSize(5);
	}

	@Test
	void theMarkIsTheOrderOfTheFirstJob() {
		database.enqueue(JobRequest.of("type").runAt(PAST.plusSeconds(5)), JobRequest.of("type").runAt(PAST));
		assertThat(database.jobs().sweep().heads()).extracting((head) -> instant(head.mark())).containsExactly(PAST);
	}

	@Test
	void theMarkIsNeverLaterThanASecondAgoSoThatJobsBeingEnqueuedAreNotPassedBy() {
		database.enqueue(JobRequest.of("type").tolerance(Duration.ofDays(1)));
		Sweep sweep = database.jobs().sweep();
		assertThat(sweep.heads()).extracting((head) -> instant(head.mark()))
			.allSatisfy((mark) -> assertThat(mark).isBefore(database.now().minusSeconds(1)));
	}

	@Test
	void aClaimFromTheMarkFindsTheJob() {
		database.enqueue(JobRequest.of("type").runAt(PAST));
		LaneHead head = database.jobs().sweep().heads().get(0);
		assertThat(database.jobs()
			.claim(new Claim(database.worker(), Map.of("pool", 1), List.of(new PoolLane("pool", head))))
			.jobs()).hasSize(1);
	}

	@Test
	void aJobEnqueuedAfterAnEmptySweepIsFoundFromItsMark() {
		String mark = database.jobs().sweep().mark();
		database.enqueue(JobRequest.of("type"));
		LaneHead head = new LaneHead(new Lane("default", "type", 0), mark);
		assertThat(database.jobs()
			.claim(new Claim(database.worker(), Map.of("pool", 1), List.of(new PoolLane("pool", head))))
			.jobs()).hasSize(1);
	}

	private static Instant instant(String mark) {
		return database.query("select ?::timestamptz", OffsetDateTime.class, mark).toInstant();
	}

}
