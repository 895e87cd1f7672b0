package io.rowqueue.cli;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.SchemaMode;
import io.rowqueue.schema.SchemaName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** A verification in a database without a queue, with worker processes. */
class VerifyTests {

	private final Database database = DevPostgres.shared().createDatabase("verify");

	private final DataSource dataSource = TestQueue.dataSource(this.database);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@Tag("thorough")
	@Test
	void killedProcessesLoseNoJobAndTheSchemaIsDropped() {
		assertThat(verify("--jobs=400", "--workers=2", "--kills=1")).as("%s%s", this.out, this.err).isZero();

		assertThat(this.out.toString()).contains("Killed worker-0")
			.contains("ok       360 jobs were committed; of those that did not run: 0")
			.contains("ok       Jobs of rolled back transactions that ran: 0")
			.doesNotContain("problem");
		assertThat(schemas()).isZero();
	}

	/** In its jar, the classes are not where a class path looks for them. */
	@Tag("thorough")
	@Test
	void anExecutableJarStartsItselfWhateverItsNameIs() {
		assertThat(VerifyProcess.command("/opt/rowqueue.jar", "worker-0")).containsSequence("-jar", "/opt/rowqueue.jar",
				"verify-worker", "--name=worker-0");
		String classes = "target/classes" + File.pathSeparator + "postgresql.jar";
		assertThat(VerifyProcess.command(classes, "worker-0")).containsSequence("-cp", classes,
				Rowqueue.class.getName(), "verify-worker");
	}

	@Test
	void aSchemaThatExistsIsNotTouched() {
		this.jdbc.execute("create schema " + VerifyCommand.SCHEMA);

		assertThat(verify()).isEqualTo(1);

		assertThat(this.out.toString()).contains("exists").contains("drop schema rowqueue_verify cascade");
		assertThat(schemas()).isOne();
	}

	@Test
	void whatDoesNotAddUpIsAProblem() {
		this.jdbc.execute("create schema " + VerifyCommand.SCHEMA);
		new QueueSchema(this.dataSource, new SchemaName(VerifyCommand.SCHEMA), SchemaMode.MIGRATE).initialize();
		VerifiedJobs jobs = new VerifiedJobs(this.dataSource, 100);
		jobs.createTables();
		this.jdbc.execute("insert into rowqueue_verify.committed values (1, true), (2, false), (3, false), (4, false)");
		this.jdbc.execute("insert into rowqueue_verify.run (number, process) values (1, 'killed'), (1, 'b'), (2, 'b'),"
				+ " (2, 'c'), (3, 'killed'), (3, 'b'), (9, 'b')");

		assertThat(jobs.check(List.of("killed"))).extracting(Finding::toString)
			.containsExactly("problem  4 jobs were committed; of those that did not run: 1, such as [4]",
					"ok       Jobs that waited, ran or had failed in the end: 0",
					"problem  Jobs of rolled back transactions that ran: 1, such as [9]",
					"problem  Transactional jobs whose effects took place more than once: 1, such as [1]",
					"problem  Jobs that ran again although their process was not killed: 1, such as [2]",
					"ok       Jobs that ran again since their process was killed: 3");
	}

	@Test
	void wrongNumbersAreWrongUsage() {
		assertThat(verify("--jobs=5")).isEqualTo(2);
		assertThat(this.err.toString()).contains("--jobs is 100 or more");
	}

	private int verify(String... options) {
		String[] all = new String[options.length + 4];
		all[0] = "verify";
		all[1] = "--url=" + this.database.url();
		all[2] = "--user=" + this.database.username();
		all[3] = "--password=" + this.database.password();
		System.arraycopy(options, 0, all, 4, options.length);
		return Rowqueue.run(new PrintWriter(this.out, true), new PrintWriter(this.err, true), all);
	}

	private int schemas() {
		return this.jdbc.queryForObject("select count(*) from pg_namespace where nspname = ?", Integer.class,
				VerifyCommand.SCHEMA);
	}

}
