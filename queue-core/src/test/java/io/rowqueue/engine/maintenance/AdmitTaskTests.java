package io.rowqueue.engine.maintenance;

import java.sql.SQLException;

import io.rowqueue.JobState;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Jobs with limit keys that only maintenance admits. */
class AdmitTaskTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Stores store = new Stores(this.engine.jdbc());

	private final AdmitTask task = new AdmitTask(this.store.wakeUps().admission());

	/** Jobs without keys become due meanwhile. */
	@Test
	void aFloodOfDueJobsIsLetInByManyRunsSoThatOtherTasksHaveTheirTurn() {
		this.engine.jdbc()
			.update("insert into rowqueue.job (run_at, order_at, state, queue, type, limit_key)"
					+ " select clock_timestamp(), clock_timestamp(), 'scheduled', 'default', 'test', 'customer:' || i % 10"
					+ " from generate_series(1, 12000) i");
		this.task.run();
		assertThat(scheduled()).isBetween(1L, 11_999L);
		await("the rest is let in by the runs that follow").until(() -> {
			this.task.run();
			return scheduled() == 0;
		});
		assertThat(this.engine.jobs(JobState.QUEUED)).isEqualTo(10);
	}

	/** One that looked at all of them in one run would hold up other tasks for long. */
	@Test
	@Tag("thorough")
	void aPassOverVeryManyKeysGoesOnInTheNextRun() {
		this.engine.jdbc()
			.update("insert into rowqueue.job (run_at, order_at, state, awaits_key, queue, type, limit_key)"
					+ " select clock_timestamp(), clock_timestamp(), 'blocked', true, 'default', 'test', 'customer:' || i"
					+ " from generate_series(1, 11000) i");
		this.task.run();
		assertThat(waiting()).isBetween(1L, 10_999L);
		for (long before = waiting(); before > 0; before = waiting()) {
			this.task.run();
			assertThat(waiting()).as("each run that follows continues").isLessThan(before);
		}
	}

	/** PostgreSQL 15 does not open one twice in a transaction. */
	@Test
	void anAdmissionLeavesNoCursorOpen() throws SQLException {
		this.engine.jdbc()
			.update("insert into rowqueue.job (run_at, order_at, state, awaits_key, queue, type, limit_key)"
					+ " select clock_timestamp(), clock_timestamp(), 'blocked', true, 'default', 'test', 'customer:' || i % 2"
					+ " from generate_series(1, 4) i");
		this.task.run();
		assertThat(this.engine.jobs(JobState.QUEUED)).as("admitted jobs that could yield").isEqualTo(2);
		try (OpenTransaction transaction = this.engine.begin()) {
			transaction.execute("select {schema}.admit('customer:0')");
			transaction.execute("select {schema}.admit('customer:1')");
			assertThat(transaction.select("select count(*) from pg_cursors where name <> ''")).isEqualTo("0");
		}
	}

	private long waiting() {
		return this.engine.count("job where awaits_key");
	}

	private long scheduled() {
		return this.engine.jobs(JobState.SCHEDULED);
	}

}
