package io.rowqueue.products;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that combine options in all pairs keep the promises of each option: a small dose,
 * with fixed seeds. See {@link LongProductTests} for the full one.
 */
class ProductTests {

	private static final Duration DOSE = Duration.ofSeconds(5);

	@Test
	void productsOfFeaturesInOneDatabaseKeepTheirPromises() throws Exception {
		assertThat(new ProductRun("one", 1, DOSE, "", 0.03).run().report()).isEmpty();
	}

	@Test
	void productsOfFeaturesInShardsKeepTheirPromises() throws Exception {
		assertThat(new ProductRun("shards", 1, DOSE, "", 0.03).run().report()).isEmpty();
	}

}
