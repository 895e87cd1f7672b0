package io.rowqueue.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Which versions of Spring Boot the queue starts with. */
class SpringBootVersionCheckTests {

	@Test
	void theCheckIsRunAtTheStartOfEachApplication() {
		assertThat(new SpringApplication(Object.class).getListeners())
			.hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "3.5.7", "3.0.0", "2.7.18" })
	void anOlderVersionIsRejected(String version) {
		assertThatExceptionOfType(OldSpringBootException.class).isThrownBy(() -> SpringBootVersionCheck.check(version))
			.withMessage("rowqueue requires Spring Boot 4.0 or newer, but the application uses " + version + ".");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "4.0.0", "4.1.1", "5.0.0-M1", "10.0.0", "unknown" })
	void theOldestSupportedVersionAndUnknownOnesAreAccepted(String version) {
		assertThatNoException().isThrownBy(() -> SpringBootVersionCheck.check(version));
	}

	@Test
	void theFailureAnalysisNamesTheRemedy() {
		FailureAnalysis analysis = new OldSpringBootFailureAnalyzer()
			.analyze(catchThrowable(() -> SpringBootVersionCheck.check("3.5.7")));
		assertThat(analysis.getDescription()).contains("uses 3.5.7");
		assertThat(analysis.getAction()).contains("Upgrade the application to Spring Boot 4.0 or newer");
	}

}
