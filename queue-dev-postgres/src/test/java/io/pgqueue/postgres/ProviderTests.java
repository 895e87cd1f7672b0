package io.pgqueue.postgres;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

class ProviderTests {

	@TempDir
	Path home;

	@Test
	void saysThatNoDockerEngineAnswered() {
		assumeThat(DockerServer.isAvailable()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> DevPostgres.open(from(Provider.DOCKER)))
			.withMessageContaining("postgres.provider is docker, but no Docker engine answered");
	}

	@Test
	void saysThatNoUrlIsGiven() {
		assumeThat(GivenServer.find()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> DevPostgres.open(from(Provider.URL)))
			.withMessageContaining("neither -Dpostgres.url nor POSTGRES_URL is given");
	}

	@Test
	void doesNotPrintAPasswordThatIsInAWrongUrl() {
		String before = System.getProperty("postgres.url");
		System.setProperty("postgres.url", "postgresql://u:topsecret@h/db");
		try {
			assertThatIllegalArgumentException().isThrownBy(GivenServer::find)
				.withMessageContaining("postgres.url")
				.withMessageNotContaining("topsecret");
		}
		finally {
			if (before != null) {
				System.setProperty("postgres.url", before);
			}
			else {
				System.clearProperty("postgres.url");
			}
		}
	}

	@Test
	void saysWhichProvidersThereAre() {
		assertThatIllegalArgumentException().isThrownBy(() -> Provider.of("podman"))
			.withMessageContaining("auto, url, docker, embedded");
	}

	private ServerSettings from(Provider provider) {
		return new ServerSettings(this.home, false, provider, "18", TestServers.SHORT);
	}

}
