package io.pgqueue.cli;

import java.io.PrintWriter;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.WorkerSlots;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a worker while it runs. */
@Command(name = "worker", mixinStandardHelpOptions = true,
		description = "Changes a worker while it runs; it notices that with its next heartbeat.")
final class WorkerCommand extends QueueCommand {

	@Parameters(paramLabel = "ID", description = "The id of the worker: top lists them.")
	private long id;

	@ArgGroup(multiplicity = "1")
	private Change change = new Change();

	@Override
	int run(Queue queue, PrintWriter out) {
		boolean changed = this.change.apply(queue.admin(), this.id);
		out.println("The worker " + this.id + " "
				+ (changed ? "was notified" : "does not live, has no such slots, or is in this state already"));
		return changed ? OK : PROBLEM;
	}

	/** One of the changes. */
	static final class Change {

		@Option(names = "--quiet", required = true, description = "Claims no more jobs; those that run go on.")
		private boolean quiet;

		@Option(names = "--resume", required = true, description = "Claims jobs again.")
		private boolean resume;

		@Option(names = "--restart", required = true,
				description = "Stops when its jobs have finished, and is replaced by a new worker of its process.")
		private boolean restart;

		@Option(names = "--slots", required = true, paramLabel = "[QUEUE=]NUMBER",
				description = "Runs so many jobs of the queue at once; without a queue, those of all queues without"
						+ " slots of their own. Applies until the process ends.")
		private @Nullable String slots;

		boolean apply(JobAdmin admin, long id) {
			if (this.slots != null) {
				WorkerSlots given = WorkerSlots.parse(this.slots);
				return admin.changeSlots(id, given.queue(), given.number());
			}
			if (this.restart) {
				return admin.restartWorker(id);
			}
			return this.resume ? admin.resumeWorker(id) : this.quiet && admin.quietWorker(id);
		}

	}

}
