package io.rowqueue.engine.measure;

import java.sql.Connection;
import java.sql.Statement;

import ch.qos.logback.classic.Level;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Dead rows on a real server. */
class HorizonTaskTests {

	private final Engine engine = Engine.withOwnDatabase();

	private final HorizonStore store = new HorizonStore(this.engine.queueDatabase());

	@AfterEach
	void close() throws Exception {
		this.engine.close();
	}

	@Test
	void theTaskRemovesDeadRowsThatAutovacuumLeavesBehind() {
		this.engine.jdbc().execute("alter table rowqueue.job set (autovacuum_enabled = false)");
		this.engine.jdbc()
			.execute("insert into rowqueue.job (run_at, order_at, state, queue, type)"
					+ " select now(), now(), 'queued', 'default', 'type' from generate_series(1, 60000)");
		this.engine.jdbc().execute("delete from rowqueue.job");
		Awaitility.await().until(this.store::deadRows, (rows) -> rows > HorizonWatch.ORDINARY_DEAD_ROWS);
		assertThat(new HorizonWatch(System::nanoTime).look(this.store.deadRows(), this.store.pins()).vacuum()).isTrue();
		Awaitility.await().until(() -> {
			// an analyze elsewhere may need them for a moment
			this.store.vacuum();
			return this.store.deadRows();
		}, (rows) -> rows < HorizonWatch.ORDINARY_DEAD_ROWS);
	}

	@Test
	void theTaskNamesSessionsThatPinTheHorizon() throws Exception {
		try (Connection connection = this.engine.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			connection.setAutoCommit(false);
			statement.execute("set application_name = 'the nightly report'");
			statement.execute("select from rowqueue.job");
			assertThat(this.store.pins()).filteredOn((pin) -> pin.who().contains("the nightly report"))
				.extracting(HorizonPin::kind)
				.containsExactly("session");
		}
	}

	@Test
	void theTaskIsALongOne() {
		assertThat(new HorizonTask(this.store).isLong()).isTrue();
	}

	@Test
	void theTaskLogsNothingWithoutAProblem() {
		try (Log log = new Log(HorizonTask.class)) {
			new HorizonTask(this.store).run();
			assertThat(log.lines(Level.INFO)).isEmpty();
		}
	}

}
