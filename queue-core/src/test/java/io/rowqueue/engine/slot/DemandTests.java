package io.rowqueue.engine.slot;

import io.rowqueue.engine.slot.Demand.Level;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DemandTests {

	private final Demand demand = new Demand();

	@Test
	void demandIsEverywhereAtFirst() {
		assertThat(this.demand.isThere()).isTrue();
		assertThat(this.demand.take()).isEqualTo(Level.ANYWHERE);
	}

	@Test
	void demandIsTakenOnce() {
		this.demand.take();
		assertThat(this.demand.isThere()).isFalse();
		assertThat(this.demand.take()).isEqualTo(Level.NONE);
	}

	@Test
	void demandKeepsTheHigherLevel() {
		this.demand.take();
		this.demand.raise(Level.KNOWN_LANES);
		this.demand.raise(Level.ANYWHERE);
		this.demand.raise(Level.KNOWN_LANES);
		assertThat(this.demand.take()).isEqualTo(Level.ANYWHERE);
		this.demand.raise(Level.KNOWN_LANES);
		assertThat(this.demand.take()).isEqualTo(Level.KNOWN_LANES);
	}

}
