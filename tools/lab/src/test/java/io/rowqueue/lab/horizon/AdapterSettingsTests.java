package io.rowqueue.lab.horizon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AdapterSettingsTests {

	private static final String URL = "postgres://bench:secret@localhost:15555/rowqueue_bench";

	@TempDir
	Path directory;

	@ParameterizedTest
	@CsvSource({
			"postgres://bench:secret@localhost:15555/db, jdbc:postgresql://localhost:15555/db?user=bench&password=secret",
			"postgresql://bench@localhost/db, jdbc:postgresql://localhost/db?user=bench",
			"postgres://localhost/db, jdbc:postgresql://localhost/db",
			"postgres://a:b@host/db?sslmode=disable, jdbc:postgresql://host/db?sslmode=disable&user=a&password=b" })
	void theUrlOfTheHarnessBecomesOneOfTheDriver(String url, String jdbc) {
		assertThat(AdapterSettings.jdbc(url)).isEqualTo(jdbc);
	}

	@Test
	void theRateIsThatOfTheFileWhileThereIsOne() throws Exception {
		Path file = Files.writeString(this.directory.resolve("rate"), "1200.0");
		AdapterSettings settings = AdapterSettings
			.from(Map.of("DATABASE_URL", URL, "PRODUCER_RATE", "800", "PRODUCER_RATE_CONTROL_FILE", file.toString()));
		assertThat(settings.currentRate()).isEqualTo(1200);
		Files.delete(file);
		assertThat(settings.currentRate()).isEqualTo(800);
	}

	@Test
	void theHarnessPacesAFixedRateIfItSaysSo() {
		assertThat(AdapterSettings.from(Map.of("DATABASE_URL", URL, "PRODUCER_PACING", "harness")).paced()).isTrue();
		AdapterSettings depth = AdapterSettings
			.from(Map.of("DATABASE_URL", URL, "PRODUCER_PACING", "harness", "PRODUCER_MODE", "depth-target"));
		assertThat(depth.paced()).isFalse();
		assertThat(depth.depth()).isEqualTo(1000);
	}

	@Test
	void aScenarioOfAnotherKindIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> AdapterSettings.from(Map.of("DATABASE_URL", URL, "SCENARIO", "worker_only")))
			.withMessageContaining("worker_only");
	}

}
