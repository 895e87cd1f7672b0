package io.rowqueue.engine.job;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.flow.Batch.Event;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** In a database from which all tables are replicated logically. */
class PublicationTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@AfterEach
	void dropPublication() {
		database.execute("drop publication if exists of_the_test");
	}

	@Test
	void aPublicationIsThereInEachDatabaseOfTheTestsIfThatIsAskedFor() {
		assertThat(database.query("select count(*) from pg_publication where puballtables", Integer.class))
			.isEqualTo(Boolean.getBoolean("postgres.publication") ? 1 : 0);
	}

	@Test
	void eachRowCanBeNamedToASubscriber() {
		String day = dropToday();
		retain(Duration.ofDays(100));
		assertThat(database.list("""
				select c.relname from pg_class c
				where c.relnamespace = 'rowqueue'::regnamespace and c.relkind in ('r', 'p')
					and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
					and c.relreplident <> 'f'""", String.class)).isEmpty();
		assertThat(database.count(day)).as("a partition that was created later").isZero();
		assertThat(database.list("""
				select format_type(a.atttypid, null) from pg_class c join pg_attribute a on a.attrelid = c.oid
				where c.relnamespace = 'rowqueue'::regnamespace and c.relreplident = 'f' and a.attnum > 0""",
				String.class))
			.as("types that a subscriber can compare, unlike json")
			.isSubsetOf("bigint", "integer");
	}

	@Test
	void batchesEndAndWhatIsOldIsDeleted() {
		database.execute("create publication of_the_test for all tables");
		BatchStore batches = database.jobs().batches();
		try (OpenTransaction transaction = database.begin()) {
			long batch = transaction.jobs()
				.batches()
				.create("batch", false, List.of(Event.FINISH), List.of(NewJobs.of(JobRequest.of("callback"), null)));
			transaction.jobs().batches().add(batch, List.of(NewJobs.of(JobRequest.of("type"), null)));
			transaction.commit();
			database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
			database.maintenance().rollUpBatches(100);
			assertThat(batches.find(batch).orElseThrow().finishedAt()).isNotNull();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		Lease callback = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(callback, "error", null)));
		retain(Duration.ZERO);
		for (String table : List.of("job", "job_finished", "job_failure", "batch", "batch_delta")) {
			assertThat(database.query("select count(*) from {schema}." + table, Integer.class)).as(table).isZero();
		}
	}

	@Test
	void daysComeAndGo() {
		database.execute("create publication of_the_test for all tables");
		database.jobs().succeed(this.worker, List.of(database.lease(this.worker, "type")));
		dropToday();
		database.jobs().succeed(this.worker, List.of(database.lease(this.worker, "type")));
		retain(Duration.ofDays(100));
		assertThat(database.count("job_finished_default")).isZero();
		assertThat(database.count("job_finished")).isEqualTo(1);
	}

	private static String dropToday() {
		String day = database.query("select to_char(now() at time zone 'UTC', '\"job_finished_\"YYYYMMDD')",
				String.class);
		database.execute("drop table {schema}." + day);
		return day;
	}

	private static void retain(Duration age) {
		RetainTask task = new RetainTask(database.queueDatabase(),
				new Retention(new Retention.Ages(age, age, age), Map.of(), Map.of()), () -> {
				});
		do {
			task.run();
		}
		while (task.isUnfinished());
	}

}
