package io.rowqueue.cli;

import java.io.PrintWriter;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.admin.WorkerSlots;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
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
		WorkerResult result = this.change.apply(queue.admin(), this.id);
		out.println(switch (result) {
			case REQUESTED -> "The worker " + this.id + " was notified";
			case UNCHANGED -> "The worker " + this.id + " is in this state already";
			case NO_SUCH_SLOTS -> "The worker " + this.id + " has no slots of its own for this queue; * stands for all"
					+ " queues without slots of their own";
			case NOT_FOUND -> "There is no live worker " + this.id + "; top lists those that live";
		});
		return (result == WorkerResult.REQUESTED || result == WorkerResult.UNCHANGED) ? OK : PROBLEM;
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

		WorkerResult apply(JobAdmin admin, long id) {
			if (this.slots != null) {
				WorkerSlots given = WorkerSlots.parse(this.slots);
				return admin.changeSlots(id, given.queue(), given.number());
			}
			if (this.restart) {
				return admin.restartWorker(id);
			}
			Assert.state(this.resume || this.quiet, "the command line requires one of the options");
			return this.resume ? admin.resumeWorker(id) : admin.quietWorker(id);
		}

	}

}
