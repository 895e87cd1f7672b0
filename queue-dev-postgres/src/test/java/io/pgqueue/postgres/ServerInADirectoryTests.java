package io.pgqueue.postgres;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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

	@Test
	void theServerDoesNotStartOnDataOfAnotherVersion() throws Exception {
		Files.writeString(this.home.resolve("password"), "secret");
		Files.writeString(Files.createDirectory(this.home.resolve("data")).resolve("PG_VERSION"), "9.6\n");
		assertThatIllegalStateException().isThrownBy(() -> TestServers.durable(this.home))
			.withMessageContaining("is of PostgreSQL 9.6")
			.withMessageContaining("-Dpostgres.version=9.6");
	}

}
