package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The order in which the jobs of fairness keys are claimed. */
class FairnessKeyTests {

	private static final String NEXT = """
			select substr(limit_key, 6) from rowqueue.job where state = 'queued' order by order_at, id limit ?""";

	/** The maximum number of jobs that a place is ahead of the claims. */
	private static final int AHEAD = 100;

	/** The maximum of each limit key. */
	private static final int CAP = 5;

	@AutoClose
	private final Engine engine = new Engine();

	private final AdmissionStore admission = this.engine.admission();

	private final WeightStore weights = this.engine.weights();

	@Test
	void aFewJobsDoNotWaitForTheBacklogOfAnotherKey() {
		enqueue("noisy", 1000);
		enqueue("quiet", 10);
		List<String> next = next(1010);
		assertThat(next.lastIndexOf("quiet")).isLessThan(30);
		assertThat(Collections.frequency(next, "noisy")).as("all are queued, without a cap").isEqualTo(1000);
	}

	@Test
	void aBacklogThatHasNoPlacesYetDoesNotDelayAnotherKey() {
		insert("noisy", 3000);
		insert("quiet", 5);
		this.admission.admitDue();
		assertThat(Collections.frequency(next(1000), "quiet")).isEqualTo(5);
		assertThat(next(1000)).as("no more than a batch").hasSizeBetween(505, 600);
	}

	@Test
	void keysWithABacklogGetEqualShares() {
		enqueue("one", 600);
		enqueue("two", 600);
		enqueue("three", 600);
		for (String key : List.of("one", "two", "three")) {
			assertThat(Collections.frequency(next(900), key)).isBetween(290, 310);
		}
	}

	/** A maximum for all, and no idle place while a key has jobs. */
	@Test
	void keysShareALimitOfTheirTypeAndOneThatIsAloneHasAllOfIt() {
		this.engine.limits().set(LimitKind.TYPE, "a", Limit.concurrency(4), true);
		this.engine.jdbc()
			.update("insert into rowqueue.worker (id, name, queues, types, slots) values (7, 'test', '{*}', '{a}', '{}')");
		enqueue("noisy", 100);
		enqueue("quiet", 40);
		Stores stores = new Stores(this.engine.jdbc());
		assertThat(Collections.frequency(run(stores, 20), "fair:quiet")).isBetween(38, 40);
		assertThat(Collections.frequency(run(stores, 10), "fair:noisy")).as("alone").isBetween(38, 40);
	}

	/** The keys of the jobs that run in a number of rounds, four at once. */
	private static List<String> run(Stores stores, int rounds) {
		List<String> keys = new ArrayList<>();
		for (int round = 0; round < rounds; round++) {
			List<PoolLane> lanes = stores.sweep().heads().stream().map((head) -> new PoolLane("pool", head)).toList();
			List<ClaimedJob> jobs = stores.claimLimited(new Claim(7, Map.of("pool", 10), lanes)).jobs();
			assertThat(jobs).hasSize(4);
			jobs.forEach((job) -> keys.add(job.limitKey()));
			stores.succeed(7, jobs.stream().map(ClaimedJob::lease).toList());
		}
		return keys;
	}

	@Test
	void aWeightGivesALargerShare() {
		this.weights.set("large", 3);
		enqueue("large", 900);
		enqueue("small", 900);
		assertThat(Collections.frequency(next(800), "large")).isBetween(590, 610);
		assertThat(this.weights.list()).containsExactly(Map.entry("large", 3));
		this.weights.set("large", 1);
		assertThat(this.weights.list()).isEmpty();
	}

	@Test
	void aKeyThatComesLaterDoesNotCatchUp() {
		enqueue("early", 1500);
		serve(700, new HashMap<>());
		enqueue("late", 1500);
		// behind the job that is next and those that are claimed until it has its place
		List<String> next = next(1 + AHEAD + 600);
		int first = next.indexOf("late");
		assertThat(first).as("placed where claims will be").isBetween(1, 1 + AHEAD);
		assertThat(Collections.frequency(next.subList(first, first + 600), "late")).isBetween(270, 330);
	}

	@Test
	void aKeyThatHasDrainedOwesNothing() {
		enqueue("busy", 1500);
		serve(1500, new HashMap<>());
		enqueue("busy", 10);
		enqueue("other", 10);
		assertThat(Collections.frequency(next(10), "busy")).isBetween(4, 6);
	}

	@Test
	void aRetryIsPlacedLikeANewJob() {
		enqueue("quiet", 1);
		this.engine.jdbc().update("update rowqueue.job set state = 'scheduled', attempt = 1, lease = 1");
		enqueue("noisy", 500);
		place();
		assertThat(next(500).indexOf("quiet")).isLessThan(5);
	}

	@Test
	void jobsOfFlowsAndWithUniqueKeysArePlaced() {
		enqueue("noisy", 300);
		long unique = this.engine.enqueue(JobRequest.of("a").fairnessKey("quiet").uniqueKey("unique"));
		long first = this.engine.enqueue(JobRequest.of("first"));
		long after = this.engine.enqueue(JobRequest.of("a").fairnessKey("quiet").after(first));
		this.engine.control().cancel(first);
		assertThat(this.engine.job(after).state()).isEqualTo(JobState.FAILED);
		this.engine.control().retry(after);
		place();
		assertThat(this.engine.job(unique).state()).isEqualTo(JobState.QUEUED);
		assertThat(next(300).indexOf("quiet")).isLessThan(5);
	}

	@Test
	void whatWasNotUsedForLongIsForgotten() {
		enqueue("old", 1);
		this.engine.jdbc().update("update rowqueue.fair_key set next_at = now() - interval '2 days'");
		this.engine.jdbc().update("update rowqueue.fair_lane set looked_at = now() - interval '2 days'");
		enqueue("young", 1);
		this.admission.forgetOld();
		assertThat(this.engine.count("fair_key")).isEqualTo(1);
		assertThat(this.engine.count("fair_lane")).isEqualTo(1);
	}

	@Test
	void aJobWithALimitKeyWaitsInTheOrderOfItsDeadlineAndGetsItsPlaceWhenItIsAdmitted() {
		enqueueLimited("noisy", 300);
		List<EnqueueResult> quiet = this.engine.queue()
			.enqueueAll(List.of(limited("quiet"), limited("quiet").priority(1)));
		long first = quiet.get(0).id();
		long second = quiet.get(1).id();
		place();
		assertThat(this.engine.job(second).state()).as("of a higher priority").isEqualTo(JobState.QUEUED);
		this.engine.control().cancel(second);
		this.admission.admit(List.of("cap:quiet"));
		assertThat(this.engine.job(first).state()).isEqualTo(JobState.QUEUED);
		this.engine.holds().hold(LimitKind.KEY, "cap:noisy", Duration.ofHours(1), "full");
		assertThat(this.engine.count("job where state = 'blocked' and order_at <> run_at")).isZero();
		assertThat(this.engine.jobs(JobState.QUEUED)).isOne();
	}

	@Test
	void aKeyWhoseJobsHaveAMaximumDoesNotWaitForOlderBacklogsOfOthers() {
		this.engine.limits().set(LimitKind.KEY, "cap", Limit.concurrency(2), true);
		for (int tenant = 0; tenant < 10; tenant++) {
			enqueueLimited("noisy " + tenant, 30);
		}
		serveLimited(20, new HashMap<>());
		enqueueLimited("quiet", 5);
		Map<String, Integer> served = new HashMap<>();
		serveLimited(60, served);
		assertThat(served).as("the first two, and one in each round after them").containsEntry("quiet", 5);
		assertThat(served.values()).allSatisfy((jobs) -> assertThat(jobs).isBetween(4, 7));
	}

	/**
	 * Between any two keys that have jobs all the time, what they get, divided by their
	 * weights, differs by no more than the places are ahead of the claims.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void sharesAreFairWhateverArrivesAndIsServed(boolean limited) {
		this.engine.limits().set(LimitKind.KEY, "cap", Limit.concurrency(CAP), true);
		long seed = Seed.of(this);
		Random random = new Random(seed);
		List<String> keys = List.of("a", "b", "c", "d");
		Map<String, Integer> weights = new HashMap<>();
		keys.forEach((key) -> weights.put(key, 1 + random.nextInt(3)));
		weights.forEach(this.weights::set);
		keys.forEach((key) -> enqueue(key, limited ? 60 : 200, limited));
		Map<String, Integer> served = new HashMap<>();
		for (int i = 0; i < (limited ? 15 : 60); i++) {
			String key = Seed.any(random, "a", "b", "c", "d");
			enqueue(key, 1 + random.nextInt(40), limited);
			if (limited) {
				serveLimited(random.nextInt(25), served);
			}
			else {
				serve(random.nextInt(25), served);
			}
			for (String one : keys) {
				if (waiting(one, limited) == 0) {
					served.clear();
				}
			}
			assertShares(served, weights, limited ? CAP : AHEAD, seed);
		}
	}

	private void assertShares(Map<String, Integer> served, Map<String, Integer> weights, int most, long seed) {
		double max = 0;
		double fewest = Double.MAX_VALUE;
		for (Map.Entry<String, Integer> weight : weights.entrySet()) {
			double share = served.getOrDefault(weight.getKey(), 0) / (double) weight.getValue();
			max = Math.max(max, share);
			fewest = Math.min(fewest, share);
		}
		assertThat(max - fewest).as("seed %d: %s with the weights %s", seed, served, weights).isLessThanOrEqualTo(most);
	}

	private long waiting(String key, boolean limited) {
		return this.engine.count("job where limit_key = ?", (limited ? "cap:" : "fair:") + key);
	}

	/** Nothing is notified of them. */
	private void insert(String key, int jobs) {
		this.engine.jdbc().update("""
				insert into rowqueue.job (queue, type, state, run_at, order_at, limit_key)
				select 'default', 'a', 'scheduled', now(), now(), ? from generate_series(1, ?)""", "fair:" + key, jobs);
	}

	private void enqueue(String key, int jobs) {
		enqueue(key, jobs, false);
	}

	private void enqueueLimited(String key, int jobs) {
		enqueue(key, jobs, true);
	}

	private void enqueue(String key, int jobs, boolean limited) {
		JobRequest request = limited ? limited(key) : JobRequest.of("a").fairnessKey(key);
		this.engine.queue().enqueueAll(Collections.nCopies(jobs, request));
		place();
	}

	/** A maximum of its own for each key. */
	private static JobRequest limited(String key) {
		return JobRequest.of("a").fairnessKey(key).limitKey("cap:" + key);
	}

	private void place() {
		while (this.admission.admitDue(true).unfinished()) {
			// more
		}
	}

	private List<String> next(int jobs) {
		return this.engine.jdbc().queryForList(NEXT, String.class, jobs);
	}

	private void serve(int jobs, Map<String, Integer> served) {
		this.engine.jdbc()
			.queryForList("""
					delete from rowqueue.job where id in (
						select id from rowqueue.job where state = 'queued' order by order_at, id limit ?)
					returning substr(limit_key, 6)""", String.class, jobs)
			.forEach((key) -> served.merge(key, 1, Integer::sum));
	}

	/** One after the other; with each, the next one of its limit key is admitted. */
	private void serveLimited(int jobs, Map<String, Integer> served) {
		for (int i = 0; i < jobs; i++) {
			String limitKey = this.engine.jdbc().queryForObject("""
					delete from rowqueue.job where id = (
						select id from rowqueue.job where state = 'queued' order by order_at, id limit 1)
					returning limit_key""", String.class);
			served.merge(limitKey.substring("cap:".length()), 1, Integer::sum);
			this.admission.admit(List.of(limitKey));
		}
	}

}
