package io.rowqueue.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.cli.Finding.Severity;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.SchemaMode;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs jobs in a schema of its own while it kills worker processes, and checks what has
 * become of the jobs.
 */
@Command(name = "verify", mixinStandardHelpOptions = true,
		description = { "Checks in your database that no job is lost when processes die.",
				"It creates the schema '" + VerifyCommand.SCHEMA + "', runs jobs there with worker processes that"
						+ " it kills, and drops the schema. It touches no other schema; the option --schema has no"
						+ " effect." })
final class VerifyCommand implements Callable<Integer> {

	/** Its own schema. */
	static final String SCHEMA = "rowqueue_verify";

	@Mixin
	private Database database = new Database();

	@Option(names = "--jobs", defaultValue = "3000", description = "How many jobs; ${DEFAULT-VALUE} by default.")
	private int jobs;

	@Option(names = "--workers", defaultValue = "3",
			description = "How many worker processes at a time; ${DEFAULT-VALUE} by default.")
	private int workers;

	@Option(names = "--kills", defaultValue = "2",
			description = "How many of them are killed and replaced; ${DEFAULT-VALUE} by default.")
	private int kills;

	@Spec
	private CommandSpec spec = CommandSpec.create();

	@Override
	public Integer call() throws IOException, InterruptedException {
		if (this.jobs < 100 || this.workers < 1 || this.kills < 0) {
			throw new IllegalArgumentException("--jobs is 100 or more, --workers 1 or more, and --kills 0 or more");
		}
		PrintWriter out = this.spec.commandLine().getOut();
		try (HikariDataSource pool = this.database.pool(4)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			if (exists(jdbc)) {
				out.println("The schema '" + SCHEMA + "' exists. If no other verification runs: drop schema " + SCHEMA
						+ " cascade");
				return QueueCommand.PROBLEM;
			}
			new QueueSchema(pool, new SchemaName(SCHEMA), SchemaMode.MIGRATE).initialize();
			VerifiedJobs verified = new VerifiedJobs(pool, this.jobs);
			verified.createTables();
			List<Finding> findings = verify(verified, out);
			findings.forEach(out::println);
			if (findings.stream().anyMatch((finding) -> finding.severity() == Severity.PROBLEM)) {
				out.println("The schema '" + SCHEMA + "' stays for a look; drop it before the next verification.");
				return QueueCommand.PROBLEM;
			}
			jdbc.execute("drop schema " + SCHEMA + " cascade");
			return QueueCommand.OK;
		}
	}

	private static boolean exists(JdbcTemplate jdbc) {
		return Boolean.TRUE.equals(jdbc.queryForObject("select to_regnamespace(?) is not null", Boolean.class, SCHEMA));
	}

	private List<Finding> verify(VerifiedJobs verified, PrintWriter out) throws IOException, InterruptedException {
		out.println("Running " + this.jobs + " jobs in " + this.workers + " processes, of which " + this.kills
				+ " are killed and replaced");
		List<VerifyProcess> processes = new ArrayList<>();
		try {
			for (int i = 0; i < this.workers; i++) {
				processes.add(VerifyProcess.start(this.database, "worker-" + processes.size()));
			}
			verified.awaitWorkers(this.workers, processes);
			// workers run the first jobs while the last are enqueued
			CompletableFuture<Void> enqueued = CompletableFuture.runAsync(verified::enqueue);
			for (int i = 0; i < this.kills; i++) {
				// spread over three quarters of the jobs, so that each hits others
				verified.awaitRuns(this.jobs * 3 / 4 * (i + 1) / (this.kills + 1), processes);
				VerifyProcess victim = processes.get(i);
				victim.kill();
				out.println("Killed " + victim.name() + " after " + verified.runs() + " runs");
				processes.add(VerifyProcess.start(this.database, "worker-" + processes.size()));
			}
			enqueued.join();
			verified.awaitEnd(processes);
		}
		finally {
			processes.forEach(VerifyProcess::stop);
		}
		return verified.check(processes.stream().filter(VerifyProcess::wasKilled).map(VerifyProcess::name).toList());
	}

}
