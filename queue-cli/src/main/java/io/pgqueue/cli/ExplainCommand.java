package io.pgqueue.cli;

import java.io.PrintWriter;

import io.pgqueue.admin.Explanation;
import io.pgqueue.engine.support.LogText;
import io.pgqueue.engine.support.Times;
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
		out.println(explanation.summary());
		if (explanation.estimate() != null) {
			out.println("Estimated waiting time: " + Times.readable(explanation.estimate()));
		}
		explanation.facts().forEach((name, value) -> out.println("  " + name + ": " + value));
		queue.admin()
			.failures(this.id)
			.forEach((failure) -> out.println(
					"  attempt " + failure.attempt() + " failed: " + failure.error().lines().findFirst().orElse("")));
		queue.admin()
			.log(this.id)
			.forEach((line) -> out.println("  %s attempt %d %s %s".formatted(line.at(), line.attempt(), line.level(),
					LogText.oneLine(line.text()))));
		return OK;
	}

}
