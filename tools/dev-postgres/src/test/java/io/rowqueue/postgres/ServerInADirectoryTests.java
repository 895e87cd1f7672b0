package io.rowqueue.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Execution(ExecutionMode.CONCURRENT)
class ServerInADirectoryTests {

	@TempDir
	Path home;

	@AfterEach
	void awaitEnd() {
		TestServers.awaitEnd(this.home);
	}

	@Test
	void theServerKeepsItsDataWhenItStops() throws Exception {
		try (SharedServer server = TestServers.durable(this.home)) {
			TestServers.execute(server.database(), "create table t as select 42 as answer");
		}
		TestServers.awaitEnd(this.home);
		try (SharedServer server = TestServers.durable(this.home)) {
			assertThat(TestServers.query(server.database(), "select answer from t")).isEqualTo("42");
			assertThat(TestServers.query(server.database(), "show fsync")).isEqualTo("on");
		}
	}

	@Tag("thorough")
	@Test
	void theServerRecoversFromACrash() throws Exception {
		SharedServer first = TestServers.durable(this.home);
		TestServers.execute(first.database(), "create table t as select 42 as answer");
		ProcessHandle process = TestServers.process(this.home);
		process.destroyForcibly();
		process.onExit().join();
		try (SharedServer second = TestServers.durable(this.home)) {
			assertThat(TestServers.query(second.database(), "select answer from t")).isEqualTo("42");
		}
	}

	@Tag("thorough")
	@Test
	void theServerRunsUntilItIsClosedEvenIfItsUserKeepsNoReference() throws Exception {
		Database database = TestServers.durable(this.home).database();
		for (int i = 0; i < 2; i++) { // what the first one shows, the second one has
										// waited for
			forget(Connections.open(database, "forgotten"));
			Awaitility.await().until(() -> {
				System.gc();
				return sessions(database, "forgotten").equals("0");
			});
		}
		assertThat(sessions(database, SharedServer.USER)).isEqualTo("1");
		TestServers.execute(database,
				"select pg_terminate_backend(pid) from pg_stat_activity where application_name = '" + SharedServer.USER
						+ "'");
	}

	private static void forget(Connection connection) throws SQLException {
		assertThat(connection.isValid(10)).isTrue();
	}

	private static String sessions(Database database, String application) throws SQLException {
		return TestServers.query(database,
				"select count(*) from pg_stat_activity where application_name = '" + application + "'");
	}

	@Test
	void theServerDoesNotStartOnDataOfAnotherVersion() throws Exception {
		Files.writeString(this.home.resolve("password"), "secret");
		Files.writeString(Files.createDirectory(this.home.resolve("data")).resolve("PG_VERSION"), "9.6\n");
		assertThatIllegalStateException().isThrownBy(() -> TestServers.durable(this.home))
			.withMessageContaining("is of PostgreSQL 9.6")
			.withMessageContaining("-Dpostgres.version=9.6");
	}

}
