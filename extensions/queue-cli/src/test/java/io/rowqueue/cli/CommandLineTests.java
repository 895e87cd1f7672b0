package io.rowqueue.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.schema.SchemaPart;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class CommandLineTests {

	private final Database database = TestQueue.create();

	private final DataSource dataSource = TestQueue.dataSource(this.database);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@Test
	void theDoctorFindsNothingInANewQueue() {
		assertThat(run("doctor")).isZero();
		assertThat(output()).contains("ok       Server: PostgreSQL")
			.contains("ok       Schema 'rowqueue': admin 1, core " + SchemaPart.core().newestVersion())
			.contains("ok       Live workers: 0")
			.doesNotContain("problem");
	}

	/** In a container without a locale, they are those of another queue. */
	@Test
	void namesThatWereNotReadAreRefused() {
		assertThat(run("pause", "--queue=m\uFFFD\uFFFDll")).isEqualTo(2);
		assertThat(this.err.toString()).contains("LC_ALL=C.UTF-8");
		assertThat(this.jdbc.queryForObject("select count(*) from rowqueue.pause", Integer.class)).isZero();
		assertThat(run("pause", "--queue=m\u00fcll")).isZero();
	}

	@Test
	void theDoctorNamesProblemsAndRemedies() {
		enqueue("mail");
		this.jdbc.execute("create index mine_index on rowqueue.job (created_at)");
		this.jdbc.execute("update pg_index set indisvalid = false where indexrelid = 'rowqueue.mine_index'::regclass");
		run("pause", "--queue=default", "--reason=a bank holiday");

		assertThat(run("doctor")).isEqualTo(1);
		assertThat(output()).contains("problem  No worker runs, and 1 jobs are waiting. Start the application.")
			.contains("problem  The index mine_index is invalid. Let its owner run: reindex index concurrently")
			.containsPattern("warn     The queue 'default' has been paused since .*: a bank holiday.");
	}

	@Test
	void theDoctorExplainsWhyThereIsNoQueue() {
		this.jdbc.execute("drop schema rowqueue cascade");

		assertThat(run("doctor")).isEqualTo(1);
		assertThat(output()).contains("problem")
			.contains("contains no tables of the queue")
			.contains("rowqueue migrate");
	}

	@Test
	void aListIsFilteredAndHasPages() {
		long first = enqueue("mail");
		enqueue("mail");
		enqueue("invoice");

		assertThat(run("list", "--type=mail", "--limit=1")).isZero();
		assertThat(output()).as("times in UTC, as elsewhere").containsPattern("\\d\\d:\\d\\d:\\d\\dZ");
		assertThat(output()).contains("ID").contains(" mail ").doesNotContain("invoice").contains("--cursor=");
		assertThat(run("list", "--state=failed")).isZero();
		assertThat(run("list", "--state=none")).isEqualTo(2);
		assertThat(run("explain", String.valueOf(first))).isZero();
		assertThat(output()).contains("There is no live worker");
		assertThat(run("explain", "123456789")).isEqualTo(1);
		assertThat(output()).contains("123456789");
	}

	@Test
	void aRecurringJobIsFilledAfterAPreviewAndShowsItsJobs() {
		this.jdbc.update("insert into rowqueue.schedule (name, type, queue, cron, zone, source, next_run_at)"
				+ " values ('report', 'report', 'default', '0 3 * * *', 'UTC', 'code', now() + interval '1 day')");
		String from = "--from=2026-01-01T00:00:00Z";
		String until = "--until=2026-01-03T00:00:00Z";
		assertThat(run("backfill", "report", from, until)).isZero();
		assertThat(output()).contains("2 due times from 2026-01-01T03:00:00Z to 2026-01-02T03:00:00Z")
			.contains("repeat it with --apply");
		assertThat(run("backfill", "report", from, until, "--apply")).isZero();
		assertThat(output()).contains("2 jobs enqueued");
		assertThat(run("runs", "report")).isZero();
		assertThat(output()).contains("queued", "backfill");
		assertThat(run("runs", "other")).isEqualTo(1);
	}

	@Test
	void anExplanationHasTheLogOfTheJob() {
		long id = enqueue("mail");
		this.jdbc.update(
				"insert into rowqueue.job_log values (?, 1, 1, 1,"
						+ " '[{\"at\": \"2026-10-25T01:30:00Z\", \"level\": \"WARN\", \"text\": \"no receiver\"}]')",
				id);

		assertThat(run("explain", String.valueOf(id))).isZero();
		assertThat(output()).contains("2026-10-25T01:30:00Z attempt 1 WARN no receiver");
	}

	/** Producers choose them, and a terminal would do what they say. */
	@Test
	void whatIsPrintedDoesNotControlTheTerminal() {
		String escape = "\u001b[2J\u009b2J\u202e";
		long id = enqueue("mail");
		this.jdbc.update(
				"update rowqueue.job set state = 'failed', attempt = 1, leased_at = now(), last_error = ? where id = ?",
				"no" + escape, id);
		assertThat(run("pause", "--type=mail", "--reason=busy" + escape)).isZero();

		assertThat(run("list", "--state=failed")).isZero();
		assertThat(run("explain", String.valueOf(id))).isZero();
		run("doctor");
		assertThat(output()).contains("busy", "no [2J").doesNotContainPattern("[\u001b\u009b\u202e]");
	}

	@Test
	void aFailedJobIsRetried() {
		long id = enqueue("mail");
		this.jdbc.update(
				"update rowqueue.job set state = 'failed', attempt = 1, leased_at = now(), last_error = 'no' where id = ?",
				id);

		assertThat(run("retry", String.valueOf(id), "--from-step=load")).isEqualTo(1);
		assertThat(run("retry", "--all", "--from-step=load")).isEqualTo(2);
		this.jdbc.update(
				"insert into rowqueue.job_step (job_id, name, lease, finished_at) values (?, 'load', 1, now())", id);
		assertThat(run("retry", String.valueOf(id), "--from-step=load")).isZero();
		this.jdbc.update(
				"update rowqueue.job set state = 'failed', attempt = 1, leased_at = now(), last_error = 'no' where id = ?",
				id);
		assertThat(run("retry", String.valueOf(id))).isZero();
		assertThat(run("retry", String.valueOf(id))).isEqualTo(1);
		assertThat(run("retry")).isEqualTo(2);
		assertThat(run("retry", "--all", "--type=mail")).isZero();
		assertThat(output()).contains("Job " + id + ": not retried, it has not recorded the step")
			.contains("Job " + id + ": queued")
			.contains("Job " + id + ": not retried")
			.contains("0 jobs were retried");
		assertThat(run("cancel", String.valueOf(id))).isZero();
		assertThat(run("cancel", String.valueOf(id))).isEqualTo(1);
	}

	@Test
	void aQueueIsPausedAndResumed() {
		assertThat(run("pause", "--queue=mail")).isZero();
		assertThat(run("resume", "--queue=mail")).isZero();
		assertThat(run("resume", "--queue=mail")).isEqualTo(1);
		assertThat(run("pause", "--queue=closing:*")).isZero();
		assertThat(run("resume", "--queue=closing:ledger")).isEqualTo(1);
		assertThat(run("pause", "--queue=mail", "--type=mail")).isEqualTo(2);
		assertThat(output()).contains("The queue 'mail' is paused")
			.contains("check its name")
			.contains("The queue 'mail' is resumed")
			.contains("The queue 'mail' was not paused")
			.contains("Its class 'closing:*' is still paused");
	}

	@Test
	void aWorkerIsChanged() {
		this.jdbc.update("insert into rowqueue.worker (id, name, queues, types, slots)"
				+ " values (7, 'host:1', '{mail,*}', '{mail}', '{\"mail\": \"1\", \"*\": \"10\"}')");
		assertThat(run("worker", "7", "--slots=mail=5")).isZero();
		assertThat(run("worker", "7", "--slots=20")).isZero();
		assertThat(this.jdbc.queryForObject("select slots = '{\"mail\": \"5\", \"*\": \"20\"}' from rowqueue.worker",
				Boolean.class))
			.isTrue();
		assertThat(run("worker", "7", "--slots=other=5")).as("it has no slots of its own").isEqualTo(1);
		assertThat(run("worker", "7", "--slots=0")).isEqualTo(2);
		assertThat(run("worker", "7", "--slots=many")).isEqualTo(2);
		assertThat(this.err.toString()).contains("slots must be a number from 1 to 10000, such as 20, or mail=5")
			.doesNotContain("For input string");
		assertThat(run("worker", "7", "--quiet")).isZero();
		assertThat(run("worker", "7", "--quiet")).as("it is quiet already").isZero();
		assertThat(run("worker", "7", "--resume")).isZero();
		assertThat(run("worker", "7", "--restart")).isZero();
		assertThat(run("worker", "8", "--quiet")).isEqualTo(1);
		assertThat(run("worker", "7", "--quiet", "--restart")).isEqualTo(2);
		assertThat(run("worker", "7")).isEqualTo(2);
		assertThat(output()).contains("The worker 7 was notified")
			.contains("There is no live worker 8")
			.contains("has no slots of its own for this queue")
			.contains("is in this state already");
	}

	@Test
	void topShowsQueuesAndWorkers() {
		enqueue("mail");

		assertThat(run("top", "--once")).isZero();
		assertThat(output()).containsPattern("(?m)^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")
			.containsPattern("default +queued 1")
			.contains("WORKER", "ENDED / MIN");
	}

	@Test
	void aTableFitsTheScreen() {
		TextTable table = new TextTable("QUEUE", "JOBS");
		for (int i = 0; i < 6; i++) {
			table.row("a queue with a long name " + i, 100);
		}
		assertThat(table.lines(4, 20)).hasSize(4).allMatch((line) -> line.length() <= 20).endsWith("… and 4 more");
		assertThat(table.lines(7, 80)).hasSize(7).noneMatch((line) -> line.contains("…"));
	}

	/** Statistics of a queue's tables are always outdated. */
	@Test
	void sessionsPlanAsThoseOfApplications() {
		SingleConnectionDataSource session = CommandLine
			.populateCommand(new io.rowqueue.cli.Database(), "--url=" + this.database.url(),
					"--user=" + this.database.username(), "--password=" + this.database.password())
			.connect();
		JdbcTemplate ofSession = new JdbcTemplate(session);
		try {
			assertThat(ofSession.queryForObject("show enable_seqscan", String.class)).isEqualTo("off");
			assertThat(ofSession.queryForObject("show jit", String.class)).isEqualTo("off");
		}
		finally {
			session.destroy();
		}
	}

	@Test
	void doctorNamesTenOfManyTypesThatNobodyRuns() {
		this.jdbc.update("""
				insert into rowqueue.worker (id, name, queues, types, slots, lease)
				values (7, 'web-1:1', array['*'], array['known'], '{"*": 4}', '1 hour')""");
		for (int i = 0; i < 12; i++) {
			enqueue("unknown-" + i);
		}
		run("doctor");
		assertThat(output()).contains("jobs of 12 types and queues");
		assertThat(output().lines().filter((line) -> line.contains("Jobs that wait because"))).hasSize(10);
	}

	/** As with {@code rowqueue top | head}. */
	@Test
	void topEndsWhenNobodyReadsItsOutput() {
		AtomicInteger screens = new AtomicInteger();
		OutputStream closed = new OutputStream() {

			@Override
			public void write(int single) throws IOException {
				write(new byte[] { (byte) single }, 0, 1);
			}

			@Override
			public void write(byte[] bytes, int from, int length) throws IOException {
				if (new String(bytes, from, length, StandardCharsets.UTF_8).contains("\u001b[2J")
						&& screens.incrementAndGet() > 1) {
					throw new AssertionError("It shows to nobody");
				}
				throw new IOException("Broken pipe");
			}

		};
		assertThat(Rowqueue.run(new PrintWriter(new PrintStream(closed), true, StandardCharsets.UTF_8),
				new PrintWriter(this.err, true), "top", "--url=" + this.database.url(),
				"--user=" + this.database.username(), "--password=" + this.database.password(), "--interval=1"))
			.isZero();
	}

	@Test
	void migrateCreatesTheTables() {
		assertThat(run("migrate", "--schema=another")).isZero();
		assertThat(output()).contains("The schema 'another' has admin 1, core " + SchemaPart.core().newestVersion());
		assertThat(this.jdbc.queryForObject("select max(version) from another.schema_version", Integer.class))
			.isEqualTo(SchemaPart.core().newestVersion());
	}

	@Test
	void anErrorIsOneSentence() {
		assertThat(Rowqueue.run(new PrintWriter(this.out, true), new PrintWriter(this.err, true), "list",
				"--url=jdbc:postgresql://localhost:1/none"))
			.isEqualTo(1);
		assertThat(this.err.toString()).contains("localhost:1").doesNotContain("\tat ");
	}

	@Test
	void aSchemaWithoutAQueueIsNamed() {
		assertThat(run("list", "--schema=another")).isEqualTo(1);
		assertThat(this.err.toString()).contains("\"another.job\" does not exist").contains("rowqueue doctor");

		this.err.getBuffer().setLength(0);
		assertThat(run("retry", "1", "--schema=another")).isEqualTo(1);
		assertThat(this.err.toString()).contains("\"another\" does not exist").contains("rowqueue doctor");
	}

	@Test
	void theVersionIsThatOfTheLibrary() {
		assertThat(Rowqueue.run(new PrintWriter(this.out, true), new PrintWriter(this.err, true), "--version"))
			.isZero();
		assertThat(output()).contains("schema: admin 1, core " + SchemaPart.core().newestVersion()
				+ ", monitoring 1, schedules 1, shards 1, windows 1");
	}

	private long enqueue(String type) {
		Long id = this.jdbc.queryForObject("select rowqueue.enqueue(?)", Long.class, type);
		return (id != null) ? id : 0;
	}

	private String output() {
		return this.out.toString();
	}

	private int run(String command, String... options) {
		String[] args = new String[options.length + 4];
		args[0] = command;
		System.arraycopy(options, 0, args, 1, options.length);
		args[options.length + 1] = "--url=" + this.database.url();
		args[options.length + 2] = "--user=" + this.database.username();
		args[options.length + 3] = "--password=" + this.database.password();
		return Rowqueue.run(new PrintWriter(this.out, true), new PrintWriter(this.err, true), args);
	}

}
