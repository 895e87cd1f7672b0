package io.rowqueue.cli;

import java.io.PrintWriter;

import io.rowqueue.schedule.ScheduledRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the latest jobs of a recurring job. */
@Command(name = "runs", mixinStandardHelpOptions = true, description = "Lists the latest jobs of a recurring job.")
final class RunsCommand extends QueueCommand {

	@Parameters(paramLabel = "NAME", description = "The name of the recurring job.")
	private String name = "";

	@Option(names = "--limit", description = "The maximum number of jobs, 20 by default.")
	private int limit = 20;

	@Override
	int run(Queue queue, PrintWriter out) {
		if (queue.schedules().find(this.name).isEmpty()) {
			out.println("There is no recurring job '" + this.name + "'");
			return PROBLEM;
		}
		TextTable table = new TextTable("DUE", "JOB", "STATE", "ATTEMPT", "STARTED", "TOOK", "ENQUEUED BECAUSE");
		for (ScheduledRun run : queue.schedules().runs(this.name, this.limit)) {
			table.row(run.dueAt(), run.jobId(), (run.state() != null) ? run.state().label() : "not kept", run.attempt(),
					run.startedAt(), run.duration(), run.origin().label());
		}
		table.print(out);
		return OK;
	}

}
