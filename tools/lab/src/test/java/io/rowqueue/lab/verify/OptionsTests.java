package io.rowqueue.lab.verify;

import java.time.Duration;
import java.util.Arrays;

import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.fault.Faults;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void theQuickRunDoesEveryFaultAndSomeAtATime() {
		Options options = Options.parse("--quick");
		assertThat(options.faults()).isEqualTo(Faults.all());
		assertThat(options.together()).isEqualTo(3);
		assertThat(options.duration()).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void theUsageIsPrinted() throws Exception {
		assertThat(Verify.run("--help")).isZero();
		assertThat(Verify.run("--hlep")).isEqualTo(2);
		assertThat(Options.usage()).contains("[none, ");
	}

	@Test
	void theFullRunDoesOneAtATimeUnlessToldOtherwise() {
		assertThat(Options.parse().together()).isEqualTo(1);
		assertThat(Options.parse("--together", "2").together()).isEqualTo(2);
	}

	@Test
	void aGivenDatabaseHasOneQueueAtATime() {
		assertThat(Options.parse("--quick", "--url", "jdbc:postgresql://host/db").together()).isEqualTo(1);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Options.parse("--together", "2", "--url", "jdbc:postgresql://host/db"))
			.withMessageContaining("--together");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--together", "0"));
	}

	@Test
	void aFaultNamedTwiceIsDoneOnce() {
		assertThat(Options.parse("--faults", "kill,kill,none").faults()).extracting(Fault::name)
			.containsExactly("kill", "none");
	}

	@Test
	void aRunCanLeaveFaultsOut() {
		assertThat(Options.parse("--without", "kill,none").faults()).hasSize(Faults.all().size() - 2)
			.doesNotContain(Faults.named("kill"), Faults.named("none"));
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--without", "kil"));
	}

	@Test
	void whatIsReplayedIsTheSameFaultWithTheSameSeed() {
		Options options = Options.parse("--quick", "--seed", "42");
		String[] words = options.replay(Faults.named("freeze")).split(" ", -1);
		Options replayed = Options.parse(Arrays.copyOfRange(words, 1, words.length));
		assertThat(replayed.faults()).containsExactly(Faults.named("freeze"));
		assertThat(replayed).usingRecursiveComparison().ignoringFields("faults", "together").isEqualTo(options);
	}

}
