package io.rowqueue.products;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Run after run, each with another seed, as system properties say:
 * {@code -Dproducts.duration=PT2H} how long, {@code -Dproducts.seed} the first seed,
 * {@code -Dproducts.world} {@code one} or {@code shards}, both in turn by default,
 * {@code -Dproducts.focus=STEP_SLEEP=9,EXIT=0} other weights than 1 for choices of plans,
 * {@code -Dproducts.faults=0.03} how many of the commits break their connection.
 */
public final class ProductRuns {

	private static final Duration TURN = Duration.ofSeconds(60);

	private final Duration duration = Duration.parse(System.getProperty("products.duration", "PT2M"));

	private final long seed = Long.getLong("products.seed", ThreadLocalRandom.current().nextInt(1_000_000));

	private final List<String> worlds = List.of(System.getProperty("products.world", "one,shards").split(",", -1));

	private final String focus = System.getProperty("products.focus", "");

	private final double faults = Double.parseDouble(System.getProperty("products.faults", "0.03"));

	ProductRuns() {
	}

	/**
	 * Prints {@code metric=value} of each run, {@code finding=…} for each promise that
	 * was broken, and what is known of it. The exit value is 0 if none was, 1 if one was,
	 * and 2 if the generator itself has failed.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		AtomicInteger exit = new AtomicInteger();
		try {
			new ProductRuns().each((result) -> {
				print(result);
				exit.compareAndSet(0, result.fouls().isEmpty() ? 0 : 1);
			});
		}
		catch (Exception | Error ex) {
			ex.printStackTrace();
			exit.set(2);
		}
		System.exit(exit.get()); // whatever threads of a run are left
	}

	private static void print(ProductResult result) {
		System.out.printf("committed=%s%nunknown=%s%nrolled_back=%s%nruns=%s%nthrew=%s%ninterrupted=%s%n",
				result.committed(), result.unknown(), result.rolledBack(), result.runs(), result.threw(),
				result.interrupted());
		result.fouls()
			.forEach((foul) -> System.out.printf("finding=job %s: %s%n", foul.job(),
					foul.message().replaceAll("\\s*\\R\\s*", " ")));
		System.out.println(result.report());
	}

	/** Each world at least once, until the time is over. */
	void each(Consumer<ProductResult> results) throws Exception {
		Duration turn = (this.duration.compareTo(TURN) < 0) ? this.duration : TURN;
		long end = System.nanoTime() + this.duration.toNanos();
		for (int i = 0; i < this.worlds.size() || System.nanoTime() < end; i++) {
			String world = this.worlds.get(i % this.worlds.size());
			results.accept(new ProductRun(world, this.seed + i, turn, this.focus, this.faults).run());
		}
	}

}
