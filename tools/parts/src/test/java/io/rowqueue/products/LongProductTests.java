package io.rowqueue.products;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The full dose: {@code -Dproducts.duration=PT2H} says how long; run after run, each with
 * another seed, from {@code -Dproducts.seed} on. {@code -Dproducts.world} is {@code one}
 * or {@code shards}, both in turn by default;
 * {@code -Dproducts.focus=STEP_SLEEP=9,EXIT=0} gives choices of plans other weights than
 * 1.
 */
@Tag("thorough")
class LongProductTests {

	private static final Duration TURN = Duration.ofSeconds(60);

	@Test
	@Timeout(value = Long.MAX_VALUE)
	void productsOfFeaturesKeepTheirPromises() throws Exception {
		Duration duration = Duration.parse(System.getProperty("products.duration", "PT2M"));
		Duration turn = (duration.compareTo(TURN) < 0) ? duration : TURN;
		String world = System.getProperty("products.world", "");
		long seed = Long.getLong("products.seed", ThreadLocalRandom.current().nextInt(1_000_000));
		double faults = Double.parseDouble(System.getProperty("products.faults", "0.03"));
		long end = System.nanoTime() + duration.toNanos();
		for (int turns = 0; turns == 0 || System.nanoTime() < end; turns++) {
			String at = world.isEmpty() ? (turns % 2 == 0) ? "one" : "shards" : world;
			assertThat(new ProductRun(at, seed + turns, turn, System.getProperty("products.focus", ""), faults).run())
				.isEmpty();
		}
	}

}
