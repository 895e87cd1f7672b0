package io.rowqueue.engine.worker;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The primary dies under load, and a standby takes its place. */
class FailoverTests {

	private PrivatePostgres primary;

	private PrivatePostgres standby;

	@BeforeEach
	void startServers(@TempDir(cleanup = CleanupMode.NEVER) Path directory) {
		try {
			this.primary = PrivatePostgres.create(directory.resolve("primary"),
					Map.of("synchronous_standby_names", "standby", "synchronous_commit", "local", "fsync", "off"));
		}
		catch (IllegalStateException ex) {
			Assumptions.abort("This needs servers of its own: " + ex.getMessage());
		}
	}

	@AfterEach
	void stopServers() {
		if (this.standby != null) {
			this.standby.close();
		}
		if (this.primary != null) {
			this.primary.close();
		}
	}

	@Test
	void allJobsRunOnTheServerThatWasPromoted(@TempDir(cleanup = CleanupMode.NEVER) Path directory) throws Exception {
		this.standby = this.primary.standby(directory.resolve("standby"), "standby");
		sql(this.primary, "alter system set synchronous_commit = on");
		sql(this.primary, "select pg_reload_conf()");
		String address = "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?targetServerType=primary&connectTimeout=2"
			.formatted(this.primary.port(), this.standby.port());
		Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
		try (Engine engine = Engine.on(new Database(address, "postgres", this.primary.database().password()));
				Log log = new Log(Outage.class)) {
			engine.process().maxAttempts(100).withMaintenance().handle("test", (payload, context) -> {
				runs.computeIfAbsent(context.id(), (id) -> new AtomicInteger()).incrementAndGet();
			}).start();
			engine.queue().enqueueAll(Collections.nCopies(3000, JobRequest.of("test")));
			await().until(() -> runs.size() > 200);
			this.primary.stop(StopMode.IMMEDIATE);
			await().until(() -> !log.lines(Level.WARN).isEmpty());
			this.standby.promote();
			engine.awaitAllOver();
			await().until(() -> log.lines(Level.INFO).size() >= 2);
			assertThat(log.lines(Level.WARN)).singleElement().asString().startsWith("The database is not available");
			assertThat(runs).hasSize(3000);
			assertThat(engine.finished()).isEqualTo(3000);
			assertThat(engine.number("select count(distinct id) from rowqueue.job_finished")).isEqualTo(3000);
		}
	}

	private static void sql(PrivatePostgres server, String sql) {
		PGSimpleDataSource dataSource = server.database().dataSource();
		dataSource.setSocketTimeout((int) Engine.LIMIT.toSeconds());
		new JdbcTemplate(dataSource).execute(sql);
	}

}
