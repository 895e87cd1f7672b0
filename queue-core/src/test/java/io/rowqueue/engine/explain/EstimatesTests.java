package io.rowqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.Estimate;
import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.explain.JobFacts.Awaited;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.KeyHolder;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** When a job is expected to start, for each reason for which it waits. */
class EstimatesTests {

	private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

	/**
	 * In ten minutes, 100 jobs of the queue have ended. Jobs of the type run for 2 s to
	 * 10 s.
	 */
	private static final History HISTORY = new History(true, 100, 100 / 600.0, Duration.ofSeconds(2),
			Duration.ofSeconds(10));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# reasons, of which some end after a time       | from | to
			CLAIMABLE                                       | 0    | 0
			RUNNING                                         | 0    | 0
			NOT_DUE 60                                      | 60   | 60
			RETRY_LATER 60                                  | 60   | 60
			SLEEPS 60                                       | 60   | 60
			HELD 60                                         | 60   | 60
			WINDOW_CLOSED 60                                | 60   | 60
			CLOCK_SET_BACK 60                               | 60   | 60
			WAITS_FOR_SIGNAL 60                             | 0    | 60
			# times pass at the same time
			NOT_DUE 60, WINDOW_CLOSED 3600, HELD 7200       | 7200 | 7200
			# 29 jobs are before it, and 10 end per minute, give or take a fifth
			BEHIND_OTHERS                                   | 150  | 216
			TYPE_LIMIT_REACHED                              | 150  | 216
			WORKERS_FULL                                    | 150  | 216
			# the jobs before it may run meanwhile, or not
			NOT_DUE 60, BEHIND_OTHERS                       | 150  | 276
			WINDOW_CLOSED 600, BEHIND_OTHERS, WORKERS_FULL  | 600  | 816
			""")
	void aRangeFollowsFromAllReasons(String reasons, long from, long to) {
		Estimate estimate = new Estimates(facts("queued", HISTORY, 29, null), job("queued"), List.of(), WaitFacts.NONE,
				EstimatesTests::unknown)
			.of(findings(reasons));
		assertThat(estimate.earliest()).isEqualTo(Duration.ofSeconds(from));
		assertThat(estimate.latest()).isEqualTo(Duration.ofSeconds(to));
		assertThat(estimate.reason()).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			QUEUE_PAUSED              | its queue is paused
			TYPE_PAUSED               | its type is paused
			NO_WORKER                 | no live worker can run it
			NO_WORKER_FOR_TYPE        | no live worker can run it
			NO_WORKER_FOR_QUEUE       | no live worker can run it
			LOCKED                    | the transaction ends
			DATABASE_READ_ONLY        | read-only
			NOT_PROMOTED              | no process makes due jobs claimable
			FAILED                    | retried manually
			SUCCEEDED                 | it has finished
			WORKER_DEAD               | its worker has stopped
			# one is enough
			NOT_DUE 60, QUEUE_PAUSED  | its queue is paused
			BEHIND_OTHERS, NO_WORKER  | no live worker can run it
			""")
	void aReasonIsGivenIfThereIsNoEstimate(String reasons, String why) {
		Estimate estimate = new Estimates(facts("queued", HISTORY, 29, null), job("queued"), List.of(), WaitFacts.NONE,
				EstimatesTests::unknown)
			.of(findings(reasons));
		assertThat(estimate.earliest()).isNull();
		assertThat(estimate.text()).startsWith("no estimate: ").contains(why);
	}

	@ParameterizedTest
	@EnumSource(Verdict.class)
	void eachVerdictHasAnEstimateOrAReason(Verdict verdict) {
		Estimate estimate = new Estimates(facts("queued", History.UNREAD, 0, null), job("queued"), List.of(),
				WaitFacts.NONE, EstimatesTests::unknown)
			.of(findings(verdict.name()));
		assertThat(estimate.reason()).isNotBlank();
	}

	@Test
	void withoutHistoryThereIsNoEstimate() {
		History nothing = new History(true, 0, 0, null, null);
		assertThat(queue(nothing, 3).text())
			.isEqualTo("no estimate: no job of the queue 'mail' has ended in the last ten minutes");
		assertThat(key(nothing, limit(1, false, List.of()), 3).text()).isEqualTo(
				"no estimate: none of the latest 1000 jobs that are kept is a successful one of the type 'letter'");
		assertThat(queue(History.UNREAD, 3).text()).contains("not counted in a list");
	}

	@Test
	void theFewerJobsHaveEndedTheWiderIsTheRange() {
		assertThat(Estimates.spread(1)).isEqualTo(3);
		assertThat(Estimates.spread(4)).isEqualTo(2);
		assertThat(Estimates.spread(400)).isEqualTo(1.1);
	}

	@Test
	void theEndIsOpenIfMoreJobsAreBeforeItThanAreCounted() {
		Estimate estimate = queue(HISTORY, JobFacts.MAX_AHEAD);
		assertThat(estimate.earliest()).isPositive();
		assertThat(estimate.latest()).isNull();
		assertThat(estimate.text()).endsWith("or longer");
	}

	@ParameterizedTest
	@CsvSource({
			// before it, at once: from, to
			"0, 1, 0, 10", "3, 1, 6, 40", "3, 2, 2, 20", "4, 2, 4, 30" })
	void aLimitKeyAdmitsOneJobAfterTheOther(long ahead, int concurrency, long from, long to) {
		Estimate estimate = key(HISTORY, limit(concurrency, false, List.of()), ahead);
		assertThat(estimate.earliest()).isEqualTo(Duration.ofSeconds(from));
		assertThat(estimate.latest()).isEqualTo(Duration.ofSeconds(to));
	}

	/** That job also waits for another key: its queue says nothing about either. */
	@Test
	void theEndIsOpenIfUnitsOfTheKeyAreKeptForAnotherJob() {
		Estimate estimate = key(HISTORY,
				new LimitFacts(LimitKind.KEY, "letter:7", 2, 1, List.of(5L), List.of(), 1, 9L, false, null), 0);
		assertThat(estimate.earliest()).isZero();
		assertThat(estimate.latest()).isNull();
		assertThat(estimate.reason()).contains("limit key");
	}

	@Test
	void theEndIsOpenIfTheJobThatHoldsTheKeyMayWaitItself() {
		assertThat(key(HISTORY, limit(1, true, List.of()), 0).latest()).as("for its retry").isNull();
		assertThat(key(HISTORY, limit(1, false, List.of(7L)), 0).latest()).as("for a worker").isNull();
		assertThat(key(HISTORY, limit(1, false, List.of()), WaitFacts.MAX_AHEAD).latest()).isNull();
	}

	@Test
	void aRateLetsTheJobsBeforeItStartFirst() {
		Estimate estimate = new Estimates(facts("queued", HISTORY, 4, null), job("queued"), List.of(),
				new WaitFacts(0, Duration.ofSeconds(6), null), EstimatesTests::unknown)
			.of(findings("RATE_REACHED 3"));
		assertThat(estimate.earliest()).isEqualTo(Duration.ofSeconds(3 + 4 * 6));
		assertThat(estimate.latest()).isEqualTo(Duration.ofSeconds(3 + 5 * 6));
	}

	@Test
	void aBatchGoesOnAsItDid() {
		WaitFacts tenMinutes = new WaitFacts(0, null, Duration.ofMinutes(10));
		Estimate estimate = batch(new Awaited(null, null, null, 0, 5L, "import", false, 500, 100), tenMinutes);
		assertThat(estimate.earliest().toSeconds()).isBetween(135L, 137L);
		assertThat(estimate.latest().toSeconds()).isBetween(164L, 166L);
		assertThat(estimate.reason()).isEqualTo("400 of 500 jobs of its batch have finished in 10 min");
		assertThat(batch(new Awaited(null, null, null, 0, 5L, "import", true, 500, 100), tenMinutes).text())
			.isEqualTo("no estimate: its batch has not been closed");
		assertThat(batch(new Awaited(null, null, null, 0, 5L, "import", false, 500, 500), tenMinutes).text())
			.isEqualTo("no estimate: no job of its batch has finished");
	}

	@Test
	void aPredecessorEndsBefore() {
		Estimate ends = Estimate.of(Duration.ofSeconds(5), Duration.ofSeconds(9), "job 41 ends before");
		assertThat(predecessor(new Awaited(41L, "letter", "running", 1, null, null, false, 0, 0), ends))
			.isEqualTo(ends);
		assertThat(predecessor(new Awaited(41L, "letter", "running", 3, null, null, false, 0, 0), ends).text())
			.as("others may take longer")
			.isEqualTo("5.0 s or longer");
		assertThat(predecessor(new Awaited(41L, "letter", "failed", 1, null, null, false, 0, 0),
				Estimate.none("it waits for job 41: it has failed"))
			.text()).isEqualTo("no estimate: it waits for job 41: it has failed");
		assertThat(predecessor(new Awaited(null, null, null, 0, null, null, false, 0, 0), ends).latest()).isZero();
	}

	@ParameterizedTest
	@CsvSource({
			// has run for: from, to
			"0, 2, 10", "1, 1, 9", "5, 0, 5", "20, 0," })
	void aRunningJobEndsWhenJobsOfItsTypeDo(long elapsed, long from, @Nullable Long to) {
		Facts running = new Facts(42, "mail", "letter", "running", 0, 1, null, NOW, NOW, NOW.minusSeconds(elapsed),
				null, false, null);
		Estimate end = new Estimates(facts("running", HISTORY, 0, null), running, List.of(), WaitFacts.NONE,
				EstimatesTests::unknown)
			.end(Estimate.of(Duration.ZERO, Duration.ZERO, "a worker has claimed it"));
		assertThat(end.earliest()).isEqualTo(Duration.ofSeconds(from));
		assertThat(end.latest()).isEqualTo((to != null) ? Duration.ofSeconds(to) : null);
	}

	@Test
	void aWaitingJobEndsAfterItHasStarted() {
		Estimates estimates = new Estimates(facts("queued", HISTORY, 0, null), job("queued"), List.of(), WaitFacts.NONE,
				EstimatesTests::unknown);
		Estimate end = estimates.end(Estimate.of(Duration.ofSeconds(60), Duration.ofSeconds(90), "it is due then"));
		assertThat(end.earliest()).isEqualTo(Duration.ofSeconds(62));
		assertThat(end.latest()).isEqualTo(Duration.ofSeconds(100));
		assertThat(estimates.end(Estimate.none("its queue is paused until it is resumed")).text())
			.isEqualTo("no estimate: it waits for job 42: its queue is paused until it is resumed");
	}

	private static Estimate queue(History history, long ahead) {
		return new Estimates(facts("queued", history, ahead, null), job("queued"), List.of(), WaitFacts.NONE,
				EstimatesTests::unknown)
			.of(findings("BEHIND_OTHERS"));
	}

	private static Estimate key(History history, LimitFacts limit, long ahead) {
		return new Estimates(facts("blocked", history, 0, null), job("blocked"), List.of(limit),
				new WaitFacts(ahead, null, null), EstimatesTests::unknown)
			.of(findings("LIMIT_REACHED"));
	}

	private static LimitFacts limit(int concurrency, boolean ordered, List<Long> unclaimed) {
		return new LimitFacts(LimitKind.KEY, "customer:42", concurrency, concurrency, List.of(7L), unclaimed, 1, null,
				ordered, null);
	}

	private static Estimate batch(Awaited awaited, WaitFacts waits) {
		return new Estimates(facts("blocked", HISTORY, 0, awaited), job("blocked"), List.of(), waits,
				EstimatesTests::unknown)
			.of(findings("WAITS_FOR_BATCH"));
	}

	private static Estimate predecessor(Awaited awaited, Estimate ends) {
		return new Estimates(facts("blocked", HISTORY, 0, awaited), job("blocked"), List.of(), WaitFacts.NONE,
				Map.of(41L, ends)::get)
			.of(findings("WAITS_FOR_JOBS"));
	}

	private static Estimate unknown(long job) {
		return Estimate.none("nothing is known of job " + job);
	}

	private static List<Finding> findings(String reasons) {
		List<Finding> findings = new ArrayList<>();
		for (String reason : reasons.split(", ")) {
			String[] words = reason.split(" ");
			findings.add(new Finding(Verdict.valueOf(words[0]), "")
				.estimate((words.length > 1) ? Duration.ofSeconds(Long.parseLong(words[1])) : null));
		}
		return findings;
	}

	private static Facts job(String state) {
		return new Facts(42, "mail", "letter", state, 0, 0, null, NOW, NOW, null, null, false, null);
	}

	private static JobFacts facts(String state, History history, long ahead, @Nullable Awaited awaited) {
		return new JobFacts(NOW, false, job(state), null, new KeyHolder(41, "running"), List.of(), Duration.ZERO, false,
				1, 1, List.of(), ahead, history, null, awaited, null);
	}

}
