package io.pgqueue.postgres;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class KeeperTests {

	@TempDir
	Path home;

	@Test
	void endsWithItsServerWhenTheLastUserIsGone() throws Exception {
		KeptServer kept = KeptServer.acquire(TestServers.volatileIn(this.home));
		KeeperId keeper = kept.facts().keeper();
		kept.presence().close();
		TestServers.awaitEnd(keeper);
		assertThat(this.home.resolve("data")).doesNotExist();
		assertThat(new ServerHome(this.home).facts()).isEmpty();
	}

	@Test
	void waitsForItsUsersWhenToldToEnd() throws Exception {
		KeptServer kept = KeptServer.acquire(TestServers.volatileIn(this.home));
		KeeperId keeper = kept.facts().keeper();
		keeper.process().orElseThrow().destroy();
		Awaitility.await()
			.until(() -> new ServerHome(this.home).facts().orElseThrow().keeper().equals(KeeperId.NOBODY));
		assertThat(TestServers.query(kept.database(), "select 1")).isEqualTo("1");
		kept.presence().close();
		TestServers.awaitEnd(keeper);
		assertThat(this.home.resolve("data")).doesNotExist();
	}

	@Test
	void handsItsServerOverWhenToldToEnd() throws Exception {
		KeptServer early = KeptServer.acquire(TestServers.volatileIn(this.home));
		KeeperId told = early.facts().keeper();
		told.process().orElseThrow().destroy();
		Awaitility.await()
			.until(() -> new ServerHome(this.home).facts().orElseThrow().keeper().equals(KeeperId.NOBODY));
		KeptServer late = KeptServer.acquire(TestServers.volatileIn(this.home));
		TestServers.awaitEnd(told);
		assertThat(late.facts().keeper().isAlive()).isTrue();
		assertThat(TestServers.query(late.database(), "select 1")).isEqualTo("1");
		early.presence().close();
		late.presence().close();
		TestServers.awaitEnd(late.facts().keeper());
	}

	@Test
	void goesOnWhenSomebodyCutsItsConnection() throws Exception {
		KeptServer kept = KeptServer.acquire(TestServers.volatileIn(this.home));
		TestServers.query(kept.database(), "select count(pg_terminate_backend(pid)) from pg_stat_activity "
				+ "where application_name = '" + PostgresKeeper.NAME + "'");
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> isWatched(kept));
		kept.presence().close();
		TestServers.awaitEnd(kept.facts().keeper());
		assertThat(this.home.resolve("data")).doesNotExist();
	}

	private static boolean isWatched(KeptServer kept) throws SQLException {
		return TestServers
			.query(kept.database(),
					"select count(*) from pg_stat_activity where application_name = '" + PostgresKeeper.NAME + "'")
			.equals("1");
	}

}
