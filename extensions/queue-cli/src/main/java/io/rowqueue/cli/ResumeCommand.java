package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.Objects;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.control.Pause;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** Resumes a queue or a type. */
@Command(name = "resume", mixinStandardHelpOptions = true, description = "Resumes a paused queue or type.")
final class ResumeCommand extends QueueCommand {

	@ArgGroup(multiplicity = "1")
	private Target target = new Target();

	@Override
	int run(Queue queue, PrintWriter out) {
		JobAdmin admin = queue.admin();
		boolean resumed = (this.target.queue != null) ? admin.resumeQueue(this.target.queue)
				: admin.resumeType(Objects.requireNonNull(this.target.type));
		out.println("The " + this.target + " " + (resumed ? "is resumed" : "was not paused"));
		String name = this.target.queue;
		for (Pause pause : admin.pauses()) {
			if (name != null && pause.isOf(name)) {
				out.println("Its class '" + pause.name() + "' is still paused: resume that to run its jobs");
			}
		}
		return resumed ? OK : PROBLEM;
	}

}
