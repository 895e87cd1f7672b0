package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.List;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.control.RetryResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Retries failed jobs. */
@Command(name = "retry", mixinStandardHelpOptions = true,
		description = "Queues failed jobs again: some by their ids, or all.")
final class RetryCommand extends QueueCommand {

	@Parameters(paramLabel = "ID", arity = "0..*", description = "The ids of the jobs.")
	private List<Long> ids = List.of();

	@Option(names = "--all", description = "All failed jobs, or those of --queue and --type.")
	private boolean all;

	@Option(names = "--queue", description = "Only jobs of this queue.")
	private @Nullable String queue;

	@Option(names = "--type", description = "Only jobs of this type.")
	private @Nullable String type;

	@Option(names = "--from-step", paramLabel = "STEP",
			description = "Repeats this recorded step and all later ones; the steps before it are kept.")
	private @Nullable String fromStep;

	@Override
	int run(Queue opened, PrintWriter out) {
		if (this.all == !this.ids.isEmpty() || (!this.all && (this.queue != null || this.type != null))) {
			throw new IllegalArgumentException(
					"Name the jobs by their ids, or use --all, alone or with --queue and --type");
		}
		if (this.all && this.fromStep != null) {
			throw new IllegalArgumentException("--from-step needs the ids of the jobs");
		}
		JobAdmin admin = opened.admin();
		if (this.all) {
			out.println(admin.retryAll(this.queue, this.type) + " jobs were retried");
			return OK;
		}
		int result = OK;
		for (long id : this.ids) {
			RetryResult retried = (this.fromStep != null) ? admin.retryFromStep(id, this.fromStep) : admin.retry(id);
			result = retried.isRetried() ? result : PROBLEM;
			out.println("Job " + id + ": " + switch (retried) {
				case QUEUED -> "queued";
				case SCHEDULED -> "waits for its limit key";
				case BLOCKED -> "waits for its predecessors";
				case KEY_TAKEN -> "not retried, another job has its unique key";
				case OVERLAPS -> "not retried, another job of its recurring job has not ended";
				case UNKNOWN_STEP -> "not retried, it has not recorded the step";
				case NOT_FAILED -> "not retried, it has not failed";
				case NOT_FOUND -> "not retried, it does not exist, or is no longer kept";
			});
		}
		return result;
	}

}
