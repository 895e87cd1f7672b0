package io.rowqueue.postgres;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GivenServerTests {

	@Test
	void aPasswordInAnInvalidUrlIsNotPrinted() {
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

}
