package io.rowqueue.lab.horizon;

import java.util.List;

import io.rowqueue.lab.horizon.Phase.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The sequence of the phases of a scenario. */
class PhaseTests {

	@ParameterizedTest
	@ValueSource(strings = { "pressure", "chaos" })
	void aScenarioBeginsAndEndsWithNothingButTheLoad(String scenario) {
		List<Phase> phases = Phase.of(scenario, 7);
		assertThat(phases).extracting(Phase::seconds).containsOnly(7);
		assertThat(phases).extracting(Phase::name).doesNotHaveDuplicates();
		assertThat(phases.get(0).kind()).isEqualTo(Kind.CLEAN);
		assertThat(phases.get(phases.size() - 1).kind()).isEqualTo(Kind.CLEAN);
	}

	/** The phases after it need it, and the run expects it to live at the end. */
	@Test
	void aProcessThatIsKilledIsStartedInTheNextPhase() {
		List<Kind> kinds = Phase.of("chaos", 60).stream().map(Phase::kind).toList();
		assertThat(kinds).containsOnlyOnce(Kind.KILL_WORKER).containsSequence(Kind.KILL_WORKER, Kind.START_WORKER);
	}

	@Test
	void anUnknownScenarioIsRefusedWithThoseThatThereAre() {
		assertThatIllegalArgumentException().isThrownBy(() -> Phase.of("peace", 60))
			.withMessageContaining("'peace'")
			.withMessageContaining("[chaos, pressure]");
	}

}
