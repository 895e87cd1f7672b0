package io.rowqueue.engine.maintenance;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Processes promote by turns, each from its own mark, while scheduled jobs are committed
 * long after they were due, locked and moved, and an old transaction keeps every dead
 * row.
 */
class RandomPromotionTests {

	private static final int STEPS = Dose.of(60, 200);

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = new Engine();

	private final List<PromoteTask> processes = IntStream.range(0, 3).mapToObj((i) -> process()).toList();

	private final List<Connection> open = new ArrayList<>();

	private PromoteTask process() {
		return new PromoteTask(new MaintenanceStore(this.engine.queueDatabase()),
				new Stores(this.engine.jdbc()).wakeUps());
	}

	@Test
	void everyJobIsQueuedOnceItIsDueAndNoneBefore() throws SQLException {
		try (Connection pinned = this.engine.dataSource().getConnection()) {
			pinned.setAutoCommit(false);
			execute(pinned, "select pg_current_xact_id()");
			for (int step = 0; step < STEPS; step++) {
				step();
				assertThat(this.engine.count("job where state = 'queued' and run_at > clock_timestamp()"))
					.as("promoted too early, seed %d", this.seed)
					.isZero();
			}
			while (!this.open.isEmpty()) {
				end(true);
			}
			await("seed " + this.seed).until(() -> {
				Seed.any(this.random, this.processes.toArray(PromoteTask[]::new)).run();
				return this.engine.jobs(JobState.SCHEDULED) == 0;
			});
			pinned.rollback();
		}
	}

	private void step() throws SQLException {
		switch (this.random.nextInt(6)) {
			case 0 -> this.engine.enqueue(JobRequest.of("test").delay(Duration.ofMillis(this.random.nextInt(50))));
			case 1 -> begin("insert into rowqueue.job (run_at, order_at, state, queue, type)"
					+ " select now() - %d * interval '1 ms', now(), 'scheduled', 'default', 'test'"
						.formatted(this.random.nextInt(10_000)));
			case 2 -> begin("select from rowqueue.job where state = 'scheduled' limit %d for update skip locked"
				.formatted(this.random.nextInt(5)));
			case 3 -> this.engine.jdbc()
				.update("update rowqueue.job set state = 'scheduled', run_at = clock_timestamp() + ? * interval '1 ms'"
						+ " where id in (select id from rowqueue.job limit 2 for update skip locked)",
						this.random.nextInt(50));
			case 4 -> end(this.random.nextInt(3) > 0);
			default -> Seed.any(this.random, this.processes.toArray(PromoteTask[]::new)).run();
		}
	}

	/** Stands for a transaction that has been open for as long as the job is late. */
	private void begin(String statement) throws SQLException {
		if (this.open.size() < 5) {
			Connection connection = this.engine.dataSource().getConnection();
			connection.setAutoCommit(false);
			execute(connection, statement);
			this.open.add(connection);
		}
	}

	private void end(boolean commit) throws SQLException {
		if (!this.open.isEmpty()) {
			try (Connection connection = this.open.remove(this.random.nextInt(this.open.size()))) {
				if (commit) {
					connection.commit();
				}
				else {
					connection.rollback();
				}
			}
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
