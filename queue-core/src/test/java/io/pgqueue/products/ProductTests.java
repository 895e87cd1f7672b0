package io.pgqueue.products;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs that combine options in all pairs keep the promises of each option. With the
 * property {@code products.world} the run is another one: see {@link LongProductTests}.
 */
class ProductTests {

	private static final Duration DOSE = Duration.ofSeconds(8);

	@Test
	void productsOfFeaturesInOneDatabaseKeepTheirPromises() throws Exception {
		assertThat(new ProductRun("one", 1, DOSE, "", 0.03).run()).isEmpty();
	}

	@Test
	void productsOfFeaturesInShardsKeepTheirPromises() throws Exception {
		assertThat(new ProductRun("shards", 1, DOSE, "", 0.03).run()).isEmpty();
	}

}
