package io.rowqueue.lab.verify.fault;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/**
 * Another transaction locks the row of a leased job for longer than a worker waits for a
 * lock. Nothing is harmed by that: no job may run twice, and all other jobs of the worker
 * end meanwhile. A transactional handler ends in its own transaction, which is rolled
 * back when it has waited for too long; its jobs are left out.
 */
final class LockedRows implements FaultUnderLoad {

	private static final String LOCK = "select worker_id from " + Site.SCHEMA
			+ ".job where worker_id is not null and type <> '" + WorkerSpec.TRANSACTIONAL
			+ "' limit 1 for update skip locked";

	private static final String FINISHED = "select count(*) from " + Site.SCHEMA
			+ ".job_finished where worker_id = ? and type <> '" + WorkerSpec.TRANSACTIONAL + "'";

	/** More than the worker may have had in its hands. */
	private static final int OTHERS = 50;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@Override
	public String name() {
		return "locked";
	}

	@Override
	public String description() {
		return "an open transaction locks the row of a leased job for longer than a worker waits for a lock; the other"
				+ " jobs of the same worker must end meanwhile";
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		try (Connection connection = scene.site().connect(); Connection watch = scene.site().connect()) {
			connection.setAutoCommit(false);
			do {
				long worker = scene.find("a leased job", PATIENCE, () -> lock(connection));
				scene.note("a job of worker " + worker + " is locked");
				long before = finished(watch, worker);
				scene.pause(6000, 8000);
				scene.find(OTHERS + " jobs of the same worker that end meanwhile", PATIENCE,
						() -> Optional.of(finished(watch, worker)).filter((now) -> now >= before + OTHERS));
				connection.rollback();
				scene.note("it is free again");
				scene.pause(1000, 2000);
			}
			while (!scene.isOver());
		}
	}

	private static Optional<Long> lock(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(LOCK)) {
			return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
		}
	}

	private static long finished(Connection connection, long worker) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(FINISHED)) {
			statement.setLong(1, worker);
			try (ResultSet count = statement.executeQuery()) {
				count.next();
				return count.getLong(1);
			}
		}
	}

}
