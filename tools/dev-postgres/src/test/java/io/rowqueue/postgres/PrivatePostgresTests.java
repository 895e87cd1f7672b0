package io.rowqueue.postgres;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PrivatePostgresTests {

	@TempDir
	Path home;

	@Test
	void theServerTakesItsSettings() throws Exception {
		try (PrivatePostgres server = PrivatePostgres.create(this.home, Map.of("application_name", "it's mine"))) {
			assertThat(TestServers.query(server.database(), "show fsync")).isEqualTo("on");
			assertThat(TestServers.query(server.database(),
					"select reset_val from pg_settings where name = 'application_name' and source = 'configuration file'"
							+ " union all select setting from pg_file_settings where name = 'application_name'"))
				.isEqualTo("it's mine");
		}
	}

	@Test
	void theServerKeepsWhatWasCommittedOverACrash() throws Exception {
		try (PrivatePostgres server = PrivatePostgres.create(this.home, Map.of())) {
			int port = server.port();
			TestServers.execute(server.database(), "create table t as select 42 as answer");
			server.stop(StopMode.IMMEDIATE);
			assertThat(server.process()).isEmpty();
			server.start();
			assertThat(server.port()).isEqualTo(port);
			assertThat(TestServers.query(server.database(), "select answer from t")).isEqualTo("42");
		}
	}

	@Tag("thorough")
	@Test
	void theServerReplacesOneThatWasLeftRunning() throws Exception {
		PrivatePostgres left = PrivatePostgres.create(this.home, Map.of());
		TestServers.execute(left.database(), "create table t ()");
		try (PrivatePostgres server = PrivatePostgres.create(this.home, Map.of())) {
			assertThat(TestServers.query(server.database(), "select to_regclass('t') is null")).isEqualTo("t");
		}
		left.close();
	}

	@Tag("thorough")
	@Test
	@DisabledOnOs(OS.WINDOWS)
	void aStandbyFollowsAndTakesOver() throws Exception {
		try (PrivatePostgres primary = PrivatePostgres.create(this.home.resolve("primary"),
				Map.of("wal_keep_size", "128MB"))) {
			TestServers.execute(primary.database(), "create table t as select 1 as answer");
			try (PrivatePostgres standby = primary.standby(this.home.resolve("standby"), "follower")) {
				TestServers.execute(primary.database(), "update t set answer = 42");
				await().until(() -> TestServers.query(standby.database(), "select answer from t").equals("42"));
				assertThat(TestServers.query(primary.database(), "select application_name from pg_stat_replication"))
					.isEqualTo("follower");
				primary.stop(StopMode.IMMEDIATE);
				standby.promote();
				TestServers.execute(standby.database(), "update t set answer = 43");
			}
		}
	}

}
