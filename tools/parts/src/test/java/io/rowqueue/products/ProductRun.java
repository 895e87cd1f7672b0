package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * One run: producers enqueue what plans say, while connections break, processes die and
 * keys move; then all of it comes to rest, and the judge says what is wrong.
 */
final class ProductRun {

	private static final Logger logger = LoggerFactory.getLogger(ProductRun.class);

	private static final int PRODUCERS = 12;

	private static final int PRODUCERS_OF_SHARDS = 24;

	/** How many jobs wait at high tide. */
	private static final int BACKLOG = 60;

	/** And while none runs. */
	private static final int PAUSED = 300;

	/**
	 * At low tide few producers enqueue what can start at its commit, and slots are idle.
	 */
	private static final Duration TIDE = Duration.ofSeconds(5);

	private static final int PRODUCERS_AT_LOW_TIDE = 4;

	private static final Duration PATIENCE = Duration.ofSeconds(45);

	/**
	 * The part of a run in whose time no process ends: the death of a process frees what
	 * it holds, and with it the jobs that it would never have run.
	 */
	private static final int PART_WITHOUT_DEATHS = 3;

	private final String world;

	private final long seed;

	private final Duration duration;

	private final String focus;

	private final double faults;

	private final Ledger ledger = new Ledger();

	/** How many jobs waited a moment ago. */
	private volatile long waiting;

	private final Map<String, Integer> refused = new ConcurrentSkipListMap<>();

	/**
	 * Creates a run.
	 * @param world {@code one} database or three {@code shards}
	 * @param focus weights of choices, see {@link Plans}
	 * @param faults how many of the commits break their connection
	 */
	ProductRun(String world, long seed, Duration duration, String focus, double faults) {
		this.world = world;
		this.seed = seed;
		this.duration = duration;
		this.focus = focus;
		this.faults = faults;
	}

	/** Runs it. */
	ProductResult run() throws Exception {
		Random random = new Random(this.seed);
		World.Faults commits = new World.Faults(new Random(random.nextLong()), this.faults);
		try (World place = "shards".equals(this.world) ? new ShardsWorld(this.ledger, random, commits)
				: new OneDatabase(this.ledger, random, commits)) {
			produce(place, random);
			place.calm();
			long left = settle(place);
			Judge judge = new Judge(this.ledger, place.engines());
			if (left > 0) {
				stuck(place);
			}
			else {
				place.judgeSlots();
			}
			judge.judge();
			long begun = this.ledger.entries().stream().filter((entry) -> entry.begun).count();
			logger.info("{} enqueues, {} jobs have begun, {} left; {}; refused: {}", this.ledger.entries().size(),
					begun, left, place, this.refused);
			return ProductResult.of(this.ledger, judge, repeat());
		}
	}

	private String repeat() {
		return "-Dproducts.world=%s -Dproducts.seed=%d -Dproducts.duration=%s -Dproducts.focus=%s -Dproducts.faults=%s"
			.formatted(this.world, this.seed, this.duration, this.focus, this.faults);
	}

	private void produce(World place, Random random) throws Exception {
		long end = System.nanoTime() + this.duration.toNanos();
		long lastDeath = end - this.duration.dividedBy(PART_WITHOUT_DEATHS).toNanos();
		List<CompletableFuture<Void>> producers = new ArrayList<>();
		for (int i = 0; i < ("shards".equals(this.world) ? PRODUCERS_OF_SHARDS : PRODUCERS); i++) {
			Random own = new Random(random.nextLong());
			Plans plans = new Plans((char) ('a' + i) + " ", own, "shards".equals(this.world), this.focus);
			Producer producer = new Producer(this.ledger, plans, own, place.sites().get(i % place.sites().size()),
					this.refused);
			int number = i;
			producers.add(Async.run(() -> {
				while (System.nanoTime() < end) {
					turn(producer, number, place, end);
				}
			}));
		}
		long deathAt = System.nanoTime();
		while (System.nanoTime() < end) {
			try {
				place.disturb(random);
				this.waiting = place.waiting();
			}
			catch (DataAccessException ex) {
				logger.debug("The machine is slow", ex);
			}
			if (System.nanoTime() > lastDeath) {
				place.keepProcesses();
			}
			else if (System.nanoTime() - deathAt > TimeUnit.SECONDS.toNanos(10)) {
				place.allowDeath();
				deathAt = System.nanoTime();
			}
		}
		Async.await(producers.stream(), Duration.ofMinutes(2), "Producers");
	}

	private void turn(Producer producer, int number, World place, long end) {
		boolean low = "one".equals(this.world) && (end - System.nanoTime()) / TIDE.toNanos() % 2 == 1;
		if (!low && this.waiting <= (place.isPaused() ? PAUSED : BACKLOG)) {
			producer.next();
			return;
		}
		if (low && number < PRODUCERS_AT_LOW_TIDE) {
			producer.startable();
		}
		Handlers.pauseQuietly(50);
	}

	/** Returns how many jobs have not ended, and none has for a long time. */
	private long settle(World place) {
		long least = Long.MAX_VALUE;
		long changedAt = System.nanoTime();
		while (System.nanoTime() - changedAt < PATIENCE.toNanos()) {
			place.help();
			long left = place.waiting();
			if (left == 0) {
				return 0;
			}
			if (left < least) {
				least = left;
				changedAt = System.nanoTime();
			}
			Handlers.pauseQuietly(100);
		}
		return place.waiting();
	}

	private void stuck(World place) {
		for (Engine engine : place.engines()) {
			engine.jdbc().query("""
					select id, lease, payload #>> '{}' as token, worker_id is not null as leased from rowqueue.job
						where state <> 'failed'
					union all select id, 0, payload #>> '{}', false from rowqueue.job_follow_up""", (row) -> {
				long job = row.getLong("id");
				int lease = row.getInt("lease");
				String token = row.getString("token");
				boolean toNobody = row.getBoolean("leased")
						&& this.ledger.runs(job).stream().noneMatch((run) -> run.lease == lease);
				this.ledger.foul(job, "%s, and no job has ended for %s: '%s' %s".formatted(
						toNobody ? "It is leased, and no handler has begun" : "It has not ended", PATIENCE, token,
						this.ledger.entries()
							.stream()
							.filter((entry) -> token != null && token.endsWith(entry.plan.token()))
							.toList()));
			});
		}
		if (this.ledger.fouls().isEmpty()) {
			this.ledger.foul(0, "Something is left in the outbox, a handover or the broker");
		}
	}

}
