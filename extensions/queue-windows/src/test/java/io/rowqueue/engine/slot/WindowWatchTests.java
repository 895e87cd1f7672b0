package io.rowqueue.engine.slot;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WindowWatchTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicLong nanoTime = new AtomicLong();

	private boolean away;

	private final WindowStore store = new WindowStore(
			new QueueDatabase(new JdbcTemplate(new DelegatingDataSource(this.engine.dataSource()) {

				@Override
				public Connection getConnection() throws SQLException {
					WindowWatchTests.this.asked.incrementAndGet();
					if (WindowWatchTests.this.away) {
						throw new SQLException("away, says the test");
					}
					return super.getConnection();
				}

			}), SchemaName.DEFAULT));

	private final Pools pools = new Pools(1, Map.of(), 0);

	private final WindowWatch watch = new WindowWatch(this.store, this.pools, this.nanoTime::get);

	@Test
	void theWatchQueriesNothingWhileNoJobRuns() {
		this.watch.turn();
		passTenSeconds();
		this.watch.turn();
		assertThat(this.asked).hasValue(0);
	}

	@Test
	void theWatchQueriesEveryTenSecondsWhereNoWindowStopsJobs() {
		run();
		passTenSeconds();
		this.watch.turn();
		this.watch.turn();
		assertThat(this.asked).hasValue(1);
		passTenSeconds();
		this.watch.turn();
		this.watch.turn();
		assertThat(this.asked).hasValue(2);
	}

	/** A turn that asks nothing would pass for one that works. */
	@Test
	void theWatchQueriesAtEachTurnWhileTheDatabaseIsNotAvailable() {
		run();
		this.away = true;
		passTenSeconds();
		for (int turn = 1; turn <= 3; turn++) {
			assertThatExceptionOfType(CannotGetJdbcConnectionException.class).isThrownBy(this.watch::turn);
			assertThat(this.asked).hasValue(turn);
		}
		this.away = false;
		this.watch.turn();
		this.watch.turn();
		assertThat(this.asked).hasValue(4);
	}

	private void run() {
		LocalQueue jobs = this.pools.of("default").orElseThrow().jobs();
		jobs.add(List.of(TestJobs.job(1)));
		jobs.start();
	}

	private void passTenSeconds() {
		this.nanoTime.addAndGet(Duration.ofSeconds(10).toNanos());
	}

}
