package io.rowqueue.lab.peer;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParametersTests {

	private static final long TWO_GIGABYTES = 2L << 30;

	@Test
	void theLedgerHoldsAllJobs() {
		Parameters parameters = Parameters.from(Map.of("JOBS", "20000000", "WARM_UP", "5000000"));
		assertThat(parameters.capacity("drain", TWO_GIGABYTES)).isBetween(25_000_000, 26_000_000);
	}

	@Test
	void theLedgerHoldsAnHourAtARate() {
		Parameters parameters = Parameters.from(Map.of("DURATION", "3600", "RATE", "10000"));
		assertThat(parameters.capacity("steady", TWO_GIGABYTES)).isBetween(36_000_000, 37_000_000);
	}

	@Test
	void theLedgerLeavesMemoryForOthers() {
		Parameters parameters = Parameters.from(Map.of("DURATION", "3600"));
		assertThat(parameters.capacity("steady", TWO_GIGABYTES)).isBetween(50_000_000, 54_000_000);
	}

	@Test
	void theLedgerOfAMinuteIsSmall() {
		assertThat(Parameters.from(Map.of()).capacity("steady", TWO_GIGABYTES)).isLessThan(10_000_000);
	}

}
