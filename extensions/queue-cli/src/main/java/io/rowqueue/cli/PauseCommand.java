package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.Objects;

import io.rowqueue.admin.JobAdmin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Pauses a queue or a type. */
@Command(name = "pause", mixinStandardHelpOptions = true,
		description = "Pauses a queue or a type: no worker claims its jobs until it is resumed.")
final class PauseCommand extends QueueCommand {

	@ArgGroup(multiplicity = "1")
	private Target target = new Target();

	@Option(names = "--reason", description = "The reason, for other administrators.")
	private @Nullable String reason;

	@Override
	int run(Queue queue, PrintWriter out) {
		JobAdmin admin = queue.admin();
		boolean known = (this.target.queue != null) ? admin.isKnownQueue(this.target.queue)
				: admin.isKnownType(Objects.requireNonNull(this.target.type));
		boolean paused = (this.target.queue != null) ? admin.pauseQueue(this.target.queue, this.reason)
				: admin.pauseType(Objects.requireNonNull(this.target.type), this.reason);
		out.println("The " + this.target + " " + (paused ? "is paused" : "was paused already, and keeps its reason"));
		if (!known) {
			out.println("No worker and no job of this " + this.target.kind() + " is known: check its name");
		}
		return OK;
	}

}
