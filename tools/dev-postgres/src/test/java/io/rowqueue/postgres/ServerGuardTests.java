package io.rowqueue.postgres;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.SQLException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("thorough")
class ServerGuardTests {

	@TempDir
	Path home;

	@AfterEach
	void awaitEnd() {
		TestServers.awaitEnd(this.home);
	}

	@Test
	void theGuardStopsTheServerWhenItsLastUserIsGone() throws Exception {
		SharedServer first = TestServers.volatileIn(this.home);
		SharedServer second = TestServers.volatileIn(this.home);
		assertThat(second.database()).isEqualTo(first.database());
		ProcessHandle server = TestServers.process(this.home);
		first.close();
		assertThat(TestServers.query(second.database(), "select 1")).isEqualTo("1");
		second.close();
		server.onExit().join();
	}

	@Test
	void aServerThatIsStartedAgainHasNoData() throws Exception {
		try (SharedServer server = TestServers.volatileIn(this.home)) {
			TestServers.execute(server.database(), "create table t ()");
		}
		TestServers.awaitEnd(this.home);
		try (SharedServer server = TestServers.volatileIn(this.home)) {
			assertThat(TestServers.query(server.database(), "select to_regclass('t') is null")).isEqualTo("t");
		}
	}

	@Test
	void theServerOutlivesTheJvmThatStartedIt() throws Exception {
		Process killed = startUser();
		try (SharedServer server = TestServers.volatileIn(this.home)) {
			killed.destroyForcibly().waitFor();
			await().until(() -> count(server, SharedServer.USER) == 1);
			assertThat(count(server, ServerGuard.NAME)).isEqualTo(1);
		}
	}

	@Test
	void theGuardStopsTheServerOfAKilledJvm() throws Exception {
		Process killed = startUser();
		ProcessHandle server = TestServers.process(this.home);
		killed.destroyForcibly().waitFor();
		server.onExit().join();
	}

	@Test
	void theGuardIsReplacedWhenItsSessionIsEnded() throws Exception {
		try (SharedServer server = TestServers.volatileIn(this.home)) {
			await().until(() -> count(server, ServerGuard.NAME) == 1);
			TestServers.query(server.database(), "select count(pg_terminate_backend(pid, 60000)) from pg_stat_activity "
					+ "where application_name = '" + ServerGuard.NAME + "'");
			await().until(() -> count(server, ServerGuard.NAME) == 1);
		}
	}

	private Process startUser() throws Exception {
		Process user = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), User.class.getName(), this.home.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = user.inputReader()) {
			assertThat(output.lines()).contains(User.READY);
		}
		return user;
	}

	private static int count(SharedServer server, String application) throws SQLException {
		return Integer.parseInt(TestServers.query(server.database(),
				"select count(*) from pg_stat_activity where application_name = '" + application + "'"));
	}

	/** A JVM that uses the server of a directory until it is killed. */
	static class User {

		static final String READY = "ready";

		public static void main(String[] arguments) throws Exception {
			SharedServer server = TestServers.volatileIn(Path.of(arguments[0]));
			await().until(() -> count(server, ServerGuard.NAME) == 1);
			System.out.println(READY);
			System.out.close();
			Thread.currentThread().join();
		}

	}

}
