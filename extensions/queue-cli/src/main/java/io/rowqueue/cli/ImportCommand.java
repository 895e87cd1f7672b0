package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.cli.importer.ImportOptions;
import io.rowqueue.cli.importer.ImportPlan;
import io.rowqueue.cli.importer.Importer;
import io.rowqueue.cli.importer.Scheduler;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Imports jobs of another scheduler. */
@Command(name = "import", mixinStandardHelpOptions = true,
		description = "Shows which waiting jobs and schedules of db-scheduler, JobRunr or Quartz can be moved to the queue,"
				+ " and moves them with --apply. Their tables must be in the same database.")
final class ImportCommand extends QueueCommand {

	@Parameters(paramLabel = "SCHEDULER", description = "db-scheduler, jobrunr or quartz.")
	private String scheduler = "";

	@Option(names = "--apply", description = "Moves them, in one transaction.")
	private boolean apply;

	@Option(names = "--keep", description = "Also keeps them in the other scheduler, which must not run any more.")
	private boolean keep;

	@Option(names = "--tables", description = "The table of db-scheduler, or the prefix of the tables.")
	private @Nullable String tables;

	@Option(names = "--type", paramLabel = "NAME=TYPE",
			description = "The type of the jobs of a task, method or class.")
	private Map<String, String> types = Map.of();

	@Option(names = "--without-data", description = "Imports jobs whose data cannot be read without a payload.")
	private boolean withoutData;

	@Override
	int run(Queue queue, PrintWriter out) {
		Scheduler source = source();
		ImportOptions options = new ImportOptions(Objects.requireNonNullElse(this.tables, source.tables()), this.types,
				this.withoutData);
		ImportPlan plan = source.read(queue.database().jdbc(), options);
		show(plan, out);
		if (!this.apply) {
			out.println("Nothing was changed: --apply moves %s jobs and %s schedules".formatted(plan.jobs().size(),
					plan.recurring().size()));
			return OK;
		}
		JdbcTemplate jdbc = (JdbcTemplate) queue.database().jdbc();
		TransactionTemplate transactions = new TransactionTemplate(
				new JdbcTransactionManager(Objects.requireNonNull(jdbc.getDataSource())));
		int moved = new Importer(jdbc, transactions, queue.schedules(), queue.database().schema()).run(plan, this.keep);
		int planned = plan.jobs().size() + plan.recurring().size();
		out.println(moved + " of " + planned + " were moved");
		return (moved == planned) ? OK : PROBLEM;
	}

	private Scheduler source() {
		try {
			return Scheduler.valueOf(this.scheduler.toUpperCase(Locale.ROOT).replace('-', '_'));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'" + this.scheduler + "' is not db-scheduler, jobrunr or quartz", ex);
		}
	}

	private static void show(ImportPlan plan, PrintWriter out) {
		TextTable table = new TextTable("SOURCE", "BECOMES", "TYPE", "DUE", "PAYLOAD");
		plan.jobs()
			.forEach((job) -> table.row(job.source(), "job", job.type(), (job.runAt() != null) ? job.runAt() : "now",
					job.payload()));
		plan.recurring()
			.forEach((each) -> table.row(each.source(), "schedule", each.type(), each.rhythm(), each.payload()));
		plan.skipped().forEach((each) -> table.row(each.source(), "stays", "", "", each.reason()));
		table.print(out);
	}

}
