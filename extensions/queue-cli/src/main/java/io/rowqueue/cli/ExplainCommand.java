package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.Set;

import io.rowqueue.admin.Estimate;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.support.LogText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains why a job is not running, or estimates when a queue is drained. */
@Command(name = "explain", mixinStandardHelpOptions = true,
		description = "Explains why a job is not running, or estimates when no job of a queue waits any more.")
final class ExplainCommand extends QueueCommand {

	private static final Set<String> WAITING = Set.of("queued", "scheduled", "blocked");

	@ArgGroup(multiplicity = "1")
	private What what = new What();

	@Override
	int run(Queue queue, PrintWriter out) {
		if (this.what.queue != null) {
			Estimate drained = queue.admin().estimateDrain(this.what.queue);
			out.println("No due job of the queue '" + this.what.queue + "' waits any more in: " + drained.text());
			because(drained, out);
			return OK;
		}
		return explain(this.what.id, queue, out);
	}

	private static int explain(long id, Queue queue, PrintWriter out) {
		Explanation explanation = queue.admin().explain(id);
		out.println(LogText.oneLine(explanation.summary()));
		if (WAITING.contains(String.valueOf(explanation.facts().get("state")))) {
			out.println("Estimated waiting time: " + explanation.estimate().text());
			because(explanation.estimate(), out);
		}
		explanation.facts().forEach((name, value) -> out.println(LogText.lines("  " + name + ": " + value)));
		queue.admin()
			.failures(id)
			.forEach((failure) -> out.println(LogText.oneLine(
					"  attempt " + failure.attempt() + " failed: " + failure.error().lines().findFirst().orElse(""))));
		queue.admin()
			.log(id)
			.forEach((line) -> out.println("  %s attempt %s %s %s".formatted(line.at(), line.attempt(), line.level(),
					LogText.oneLine(line.text()))));
		return (explanation.verdict() == Verdict.UNKNOWN) ? PROBLEM : OK;
	}

	private static void because(Estimate estimate, PrintWriter out) {
		if (estimate.earliest() != null) {
			out.println("  because " + estimate.reason());
		}
	}

	/** A job or a queue. */
	static final class What {

		@Parameters(paramLabel = "ID", description = "The id of the job.")
		private long id;

		@Option(names = "--queue", description = "The name of the queue.")
		private @Nullable String queue;

	}

}
