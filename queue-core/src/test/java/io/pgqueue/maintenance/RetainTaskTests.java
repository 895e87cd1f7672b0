package io.pgqueue.maintenance;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.HistoryPartition;
import io.pgqueue.store.MaintenanceStore;
import io.pgqueue.testing.Engine;
import io.pgqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class RetainTaskTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log log = new Log(RetainTask.class);

	private final MaintenanceStore store = new MaintenanceStore(this.engine.jdbc(), SchemaName.DEFAULT);

	private final LocalDate today = this.store.today();

	private final RetainTask task = new RetainTask(this.store, new Retention(Duration.ofDays(2), Duration.ofDays(5)));

	@Test
	void makesRoomForTheNextDaysAndDropsOldOnes() {
		dropAllDays();
		List.of(-9, -3, -2, 1).forEach((day) -> this.store.createPartition(day(day)));
		this.task.run();
		assertThat(days()).containsExactlyInAnyOrder(-2, 0, 1, 2, 3);
		this.task.run();
		assertThat(days()).containsExactlyInAnyOrder(-2, 0, 1, 2, 3);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void keepsNoDaysIfFinishedJobsAreNotKept() {
		new RetainTask(this.store, new Retention(Duration.ZERO, Duration.ofDays(5))).run();
		dropAllDays();
		new RetainTask(this.store, new Retention(Duration.ZERO, Duration.ofDays(5))).run();
		assertThat(days()).isEmpty();
	}

	@Test
	void todayGetsItsTableAlthoughItHasBegunWithoutIt() {
		dropAllDays();
		finish("now()");
		this.task.run();
		assertThat(days()).containsExactlyInAnyOrder(0, 1, 2, 3);
		assertThat(this.engine.number("select count(*) from queue.job_finished_default")).isZero();
		assertThat(this.engine.number("select count(*) from queue.job_finished")).isEqualTo(1);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void deletesWhatIsTooOldRowByRow() {
		dropAllDays();
		finish("now() - interval '3 days'");
		finish("now() - interval '1 day'");
		fail("now() - interval '6 days'");
		fail("now() - interval '4 days'");
		this.task.run();
		assertThat(this.engine.number("select count(*) from queue.job_finished")).isEqualTo(1);
		assertThat(this.engine.number("select count(*) from queue.job")).isEqualTo(1);
		assertThat(this.engine.number("select count(*) from queue.job_failure")).isEqualTo(1);
	}

	@Test
	void deletesMoreThanOneBatch() {
		this.engine.jdbc()
			.update("insert into queue.job_failure (job_id, failed_at, attempt, error)"
					+ " select 1, now() - interval '1 year', 1, 'old' from generate_series(1, 12000)");
		this.task.run();
		assertThat(this.engine.number("select count(*) from queue.job_failure")).isZero();
	}

	@Test
	void worksForARoleThatMayNotCreateTablesAndSaysSoOnce() {
		dropAllDays();
		this.store.createPartition(day(-9));
		finish("now() - interval '3 days'");
		fail("now() - interval '6 days'");
		String role = "retain_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
		this.engine.jdbc().execute("create role " + role + " login password 'secret'");
		try {
			this.engine.jdbc().execute("grant usage on schema queue to " + role);
			this.engine.jdbc().execute("grant select, insert, update, delete on all tables in schema queue to " + role);
			PGSimpleDataSource weak = this.engine.dataSource();
			weak.setUser(role);
			weak.setPassword("secret");
			RetainTask task = new RetainTask(new MaintenanceStore(new JdbcTemplate(weak), SchemaName.DEFAULT),
					new Retention(Duration.ofDays(2), Duration.ofDays(5)));
			task.run();
			task.run();
		}
		finally {
			this.engine.jdbc().execute("drop owned by " + role);
			this.engine.jdbc().execute("drop role " + role);
		}
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("Finished jobs cannot be kept in a table for each day: ")
			.contains("job_finished_");
		assertThat(days()).containsExactly(-9);
		assertThat(this.engine.number("select count(*) from queue.job_finished")).isZero();
		assertThat(this.engine.number("select count(*) from queue.job")).isZero();
	}

	private HistoryPartition day(int fromToday) {
		return new HistoryPartition(this.today.plusDays(fromToday));
	}

	private List<Integer> days() {
		List<Integer> days = new ArrayList<>();
		this.store.partitions()
			.forEach((partition) -> days.add((int) (partition.day().toEpochDay() - this.today.toEpochDay())));
		return days;
	}

	private void dropAllDays() {
		this.store.partitions().forEach(this.store::dropPartition);
	}

	private void finish(String at) {
		this.engine.jdbc()
			.update("insert into queue.job_finished (id, run_at, created_at, finished_at, state, priority, attempt,"
					+ " queue, type) values (1, now(), now(), " + at + ", 'succeeded', 0, 1, 'default', 'test')");
	}

	private void fail(String at) {
		this.engine.jdbc()
			.update("insert into queue.job (run_at, order_at, leased_at, state, queue, type) values (now(), now(), "
					+ at + ", 'failed', 'default', 'test')");
		this.engine.jdbc()
			.update("insert into queue.job_failure (job_id, failed_at, attempt, error) values (1, " + at + ", 1, 'x')");
	}

}
