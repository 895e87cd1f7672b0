package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.List;

import io.rowqueue.control.CancelResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Cancels jobs. */
@Command(name = "cancel", mixinStandardHelpOptions = true, description = "Cancels jobs, including running ones.")
final class CancelCommand extends QueueCommand {

	@Parameters(paramLabel = "ID", arity = "1..*", description = "The ids of the jobs.")
	private List<Long> ids = List.of();

	@Override
	int run(Queue queue, PrintWriter out) {
		int result = OK;
		for (long id : this.ids) {
			CancelResult cancelled = queue.admin().cancel(id);
			result = (cancelled == CancelResult.NOT_FOUND) ? PROBLEM : result;
			out.println("Job " + id + ": " + switch (cancelled) {
				case CANCELLED -> "cancelled";
				case REQUESTED -> "its handler is asked to stop";
				case NOT_FOUND -> "not cancelled, it does not exist or has finished";
			});
		}
		return result;
	}

}
