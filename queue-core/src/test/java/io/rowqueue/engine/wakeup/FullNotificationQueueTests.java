package io.rowqueue.engine.wakeup;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A session that listens has a transaction open until the server keeps no more. */
class FullNotificationQueueTests {

	@Test
	void jobsEndAreRecoveredAndEnqueuedWithAFullNotificationQueue(@TempDir(cleanup = CleanupMode.NEVER) Path directory)
			throws Exception {
		try (PrivatePostgres server = start(directory);
				Engine engine = Engine.on(server.database());
				Connection listener = engine.dataSource().getConnection();
				Statement statement = listener.createStatement()) {
			long worker = engine.workerStore().register(WorkerIdentities.of("mortal", List.of("*"), List.of("test")));
			long first = engine.enqueue(JobRequest.of("test").maxAttempts(1));
			long second = engine.enqueue(JobRequest.of("test").after(first).whenFailed(WhenFailed.RUN));
			new MaintenanceStore(engine.queueDatabase()).settleDependencies(10);
			engine.jdbc()
				.update("with leased as (update rowqueue.job set state = 'running', attempt = 1, lease = 1, worker_id = ?,"
						+ " leased_at = now() where id = ? returning id, worker_id)"
						+ " insert into rowqueue.claim (worker_id, job_ids) select worker_id, array[id] from leased",
						worker, first);
			engine.declareWorkersDead();
			fill(listener, statement, engine);
			assertThat(engine.recovery().recover(1, 10)).extracting(RecoveredJob::id).containsExactly(first);
			assertThat(engine.job(first).state()).isEqualTo(JobState.FAILED);
			assertThat(engine.job(second).state()).isEqualTo(JobState.QUEUED);
			assertThat(engine.number("select rowqueue.enqueue('test')")).isPositive();
			listener.rollback();
		}
	}

	private static PrivatePostgres start(Path directory) {
		try {
			return PrivatePostgres.create(directory.resolve("server"),
					Map.of("max_notify_queue_pages", "64", "fsync", "off"));
		}
		catch (IllegalStateException ex) {
			return Assumptions.abort("This needs a server of its own, of PostgreSQL 17 or newer: " + ex.getMessage());
		}
	}

	private static void fill(Connection listener, Statement statement, Engine engine) throws SQLException {
		statement.execute("listen something");
		listener.setAutoCommit(false);
		statement.execute("select 1");
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> {
			for (int i = 0; i < 1000; i++) {
				engine.jdbc().queryForList("select pg_notify('something', ? || repeat('x', 7000))", i);
			}
		}).withMessageContaining("too many notifications");
	}

}
