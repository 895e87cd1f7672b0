package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.List;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobFilterBuilder;
import io.rowqueue.admin.filter.JobListState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists jobs. */
@Command(name = "list", mixinStandardHelpOptions = true,
		description = "Lists jobs: all that have not finished, or those of some states, queues or types.")
final class ListCommand extends QueueCommand {

	@Option(names = "--state", paramLabel = "STATE", description = "States: ${COMPLETION-CANDIDATES}.")
	private List<JobListState> states = List.of();

	@Option(names = "--queue", paramLabel = "QUEUE", description = "Queues.")
	private List<String> queues = List.of();

	@Option(names = "--type", paramLabel = "TYPE", description = "Types.")
	private List<String> types = List.of();

	@Option(names = "--text", description = "A text in the payload or in the error.")
	private @Nullable String text;

	@Option(names = "--limit", defaultValue = "20",
			description = "At most this many jobs; ${DEFAULT-VALUE} by default.")
	private int limit;

	@Option(names = "--cursor", description = "The next page, as the previous one names it.")
	private @Nullable String cursor;

	@Override
	int run(Queue queue, PrintWriter out) {
		JobFilterBuilder filter = JobFilter.builder()
			.state(this.states.toArray(JobListState[]::new))
			.queue(this.queues.toArray(String[]::new))
			.type(this.types.toArray(String[]::new));
		if (this.text != null) {
			filter.text(this.text);
		}
		JobPage page = queue.search()
			.find(filter.build(), this.cursor, Math.min(Math.max(this.limit, 1), JobSearch.MAX_PAGE));
		TextTable table = new TextTable("ID", "QUEUE", "TYPE", "STATE", "ATTEMPT", "DUE", "ERROR");
		for (JobView job : page.jobs()) {
			table.row(job.id(), job.queue(), job.type(), job.state(),
					job.attempt() + ((job.maxAttempts() != null) ? "/" + job.maxAttempts() : ""), job.runAt(),
					job.error());
		}
		table.print(out);
		if (page.next() != null) {
			out.println("There may be more: --cursor=" + page.next());
		}
		return OK;
	}

}
