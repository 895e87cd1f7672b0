package io.rowqueue.sample.signup;

import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** As an application would test that has Docker and no development PostgreSQL. */
@Testcontainers(disabledWithoutDocker = true)
class SignUpOnTestcontainersTests extends SignUpContract {

	@Container
	@ServiceConnection
	static final PostgreSQLContainer postgres = new PostgreSQLContainer(
			"postgres:" + System.getProperty("postgres.version", "18") + "-alpine");

}
