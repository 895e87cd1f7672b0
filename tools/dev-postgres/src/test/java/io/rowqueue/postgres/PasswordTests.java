package io.rowqueue.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.sql.SQLException;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Execution(ExecutionMode.CONCURRENT)
class PasswordTests {

	@TempDir
	Path home;

	@Test
	void aServerInADirectoryRefusesAnotherPassword() {
		try (SharedServer server = TestServers.durable(this.home)) {
			refusesAnotherPassword(server.database());
		}
		TestServers.awaitEnd(this.home);
	}

	@Test
	void aPrivateServerRefusesAnotherPassword() {
		try (PrivatePostgres server = PrivatePostgres.create(this.home, Map.of())) {
			refusesAnotherPassword(server.database());
		}
	}

	@Test
	@EnabledIf("hasPgBouncer")
	void aPoolerRefusesAnotherPassword() throws Exception {
		try (PrivatePostgres server = PrivatePostgres.create(this.home, Map.of());
				PgBouncer pooler = PgBouncer.start(server.database(), 1)) {
			Database pooled = pooler.before(server.database());
			assertThat(TestServers.query(pooled, "select 1")).isEqualTo("1");
			refusesAnotherPassword(pooled);
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void noOtherUserCanReadTheCredentials() throws Exception {
		try (SharedServer server = TestServers.durable(this.home)) {
			assertThat(TestServers.query(server.database(), "select 1")).isEqualTo("1");
			for (String secret : new String[] { "password", "tools.log", "server.log" }) {
				assertThat(Files.getPosixFilePermissions(this.home.resolve(secret))).as(secret)
					.containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
			}
		}
		TestServers.awaitEnd(this.home);
	}

	@Test
	void dataOfAServerWithoutAPasswordIsRefused() throws Exception {
		Files.createDirectory(this.home.resolve("data"));
		assertThatIllegalStateException().isThrownBy(() -> TestServers.durable(this.home))
			.withMessageContaining("delete the directory " + this.home);
	}

	static boolean hasPgBouncer() {
		return PgBouncer.program().isPresent();
	}

	private static void refusesAnotherPassword(Database database) {
		Database guessed = new Database(database.url(), database.username(), "postgres");
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> TestServers.query(guessed, "select 1"))
			.withMessageContaining("authentication failed");
	}

}
