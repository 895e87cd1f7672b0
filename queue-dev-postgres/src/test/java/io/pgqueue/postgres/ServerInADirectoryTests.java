package io.pgqueue.postgres;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ServerInADirectoryTests {

	@TempDir
	Path home;

	@AfterEach
	void awaitEnd() {
		new ServerHome(this.home).facts().map(ServerFacts::keeper).ifPresent(TestServers::awaitEnd);
	}

	@Test
	void keepsItsDataOverCloseAndReopen() throws Exception {
		KeeperId keeper;
		try (DevPostgres postgres = DevPostgres.open(TestServers.durable(this.home))) {
			keeper = TestServers.keeper(this.home);
			TestServers.execute(postgres.database("app"), "create table t as select 42 as answer");
		}
		TestServers.awaitEnd(keeper);
		try (DevPostgres postgres = DevPostgres.open(TestServers.durable(this.home))) {
			assertThat(TestServers.query(postgres.database("app"), "select answer from t")).isEqualTo("42");
		}
	}

	@Test
	void survivesAKilledKeeper() throws Exception {
		try (DevPostgres first = DevPostgres.open(TestServers.durable(this.home))) {
			TestServers.execute(first.database("app"), "create table t as select 42 as answer");
			KeeperId killed = TestServers.keeper(this.home);
			killed.process().orElseThrow().destroyForcibly();
			TestServers.awaitEnd(killed);
			try (DevPostgres second = DevPostgres.open(TestServers.durable(this.home))) {
				assertThat(TestServers.keeper(this.home)).isNotEqualTo(killed);
				assertThat(TestServers.query(second.database("app"), "select answer from t")).isEqualTo("42");
				assertThat(TestServers.query(first.database("app"), "select answer from t")).isEqualTo("42");
			}
		}
	}

	@Test
	void recoversFromACrashOfKeeperAndServer() throws Exception {
		DevPostgres first = DevPostgres.open(TestServers.durable(this.home));
		TestServers.execute(first.database("app"), "create table t as select 42 as answer");
		KeeperId killed = TestServers.keeper(this.home);
		killed.process().orElseThrow().destroyForcibly();
		ProcessHandle server = Postmaster.forgottenIn(this.home.resolve("data")).orElseThrow();
		server.destroyForcibly();
		server.onExit().join();
		TestServers.awaitEnd(killed);
		try (DevPostgres second = DevPostgres.open(TestServers.durable(this.home))) {
			assertThat(TestServers.query(second.database("app"), "select answer from t")).isEqualTo("42");
		}
	}

	@Test
	void isSharedByTwoUsersAndStopsWithTheLast() throws Exception {
		DevPostgres first = DevPostgres.open(TestServers.durable(this.home));
		DevPostgres second = DevPostgres.open(TestServers.durable(this.home));
		first.close();
		assertThat(TestServers.query(second.database("app"), "select 1")).isEqualTo("1");
		KeeperId keeper = TestServers.keeper(this.home);
		second.close();
		TestServers.awaitEnd(keeper);
		assertThat(this.home.resolve("data/postmaster.pid")).doesNotExist();
	}

}
