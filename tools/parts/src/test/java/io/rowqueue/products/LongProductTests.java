package io.rowqueue.products;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The full dose, up to the first promise that is broken: see {@link ProductRuns}. */
@Tag("thorough")
class LongProductTests {

	@Test
	@Timeout(value = Long.MAX_VALUE)
	void productsOfFeaturesKeepTheirPromises() throws Exception {
		new ProductRuns().each((result) -> assertThat(result.report()).isEmpty());
	}

}
