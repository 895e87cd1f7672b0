package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

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

	/** At low tide slots are idle, so that jobs can start at their commit. */
	private static final Duration TIDE = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofSeconds(45);

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

	/**
	 * Runs it.
	 * @return what is wrong, and how to repeat it; empty if nothing is
	 */
	String run() throws Exception {
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
			String report = this.ledger.fouls().stream().limit(8).map(judge::describe).collect(Collectors.joining());
			long begun = this.ledger.entries().stream().filter((entry) -> entry.begun).count();
			logger.info("{} enqueues, {} jobs have begun, {} left; {}; refused: {}", this.ledger.entries().size(),
					begun, left, place, this.refused);
			return report.isEmpty() ? ""
					: "%d things are wrong.%s\n%s".formatted(this.ledger.fouls().size(), repeat(), report);
		}
	}

	private String repeat() {
		return " Repeat with -Dproducts.world=%s -Dproducts.seed=%d -Dproducts.duration=%s -Dproducts.focus=%s -Dproducts.faults=%s"
			.formatted(this.world, this.seed, this.duration, this.focus, this.faults);
	}

	private void produce(World place, Random random) throws Exception {
		long end = System.nanoTime() + this.duration.toNanos();
		List<CompletableFuture<Void>> producers = new ArrayList<>();
		for (int i = 0; i < ("shards".equals(this.world) ? PRODUCERS_OF_SHARDS : PRODUCERS); i++) {
			Random own = new Random(random.nextLong());
			Plans plans = new Plans((char) ('a' + i) + " ", own, "shards".equals(this.world), this.focus);
			Producer producer = new Producer(this.ledger, plans, own, place.sites().get(i % place.sites().size()),
					this.refused);
			producers.add(Async.run(() -> {
				while (System.nanoTime() < end) {
					producer.next();
					while (this.waiting > backlog(place, end) && System.nanoTime() < end) {
						Handlers.pauseQuietly(50);
					}
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
			if (System.nanoTime() - deathAt > TimeUnit.SECONDS.toNanos(10)) {
				place.allowDeath();
				deathAt = System.nanoTime();
			}
		}
		CompletableFuture.allOf(producers.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
	}

	private int backlog(World place, long end) {
		if (place.isPaused()) {
			return PAUSED;
		}
		boolean low = "one".equals(this.world) && (end - System.nanoTime()) / TIDE.toNanos() % 2 == 0;
		return low ? 0 : BACKLOG;
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
					select id, payload #>> '{}' as token from rowqueue.job where state <> 'failed' union all
					select id, payload #>> '{}' from rowqueue.job_follow_up""", (row) -> {
				String token = row.getString("token");
				this.ledger.foul(row.getLong("id"),
						"It has not ended, and no job has for %s: '%s' %s".formatted(PATIENCE, token,
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
