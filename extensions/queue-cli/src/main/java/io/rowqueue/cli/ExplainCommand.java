package io.rowqueue.cli;

import java.io.PrintWriter;

import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.support.LogText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Explains why a job is not running. */
@Command(name = "explain", mixinStandardHelpOptions = true, description = "Explains why a job is not running.")
final class ExplainCommand extends QueueCommand {

	@Parameters(paramLabel = "ID", description = "The id of the job.")
	private long id;

	@Override
	int run(Queue queue, PrintWriter out) {
		Explanation explanation = queue.admin().explain(this.id);
		out.println(LogText.oneLine(explanation.summary()));
		explanation.readableFacts().forEach((name, value) -> out.println(LogText.lines("  " + name + ": " + value)));
		queue.admin()
			.failures(this.id)
			.forEach((failure) -> out.println(LogText.oneLine(
					"  attempt " + failure.attempt() + " failed: " + failure.error().lines().findFirst().orElse(""))));
		queue.admin()
			.log(this.id)
			.forEach((line) -> out.println("  %s attempt %s %s %s".formatted(line.at(), line.attempt(), line.level(),
					LogText.oneLine(line.text()))));
		return (explanation.verdict() == Verdict.UNKNOWN) ? PROBLEM : OK;
	}

}
