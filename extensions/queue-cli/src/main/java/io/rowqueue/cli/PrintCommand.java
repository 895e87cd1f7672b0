package io.rowqueue.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.rowqueue.migration.PrintSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the SQL that creates or upgrades the tables. */
@Command(name = "print", mixinStandardHelpOptions = true,
		description = "Prints the SQL that creates or upgrades the tables, without connecting to a database.")
final class PrintCommand implements Callable<Integer> {

	@Option(names = { "-s", "--schema" }, defaultValue = "rowqueue",
			description = "The schema of the queue; ${DEFAULT-VALUE} by default.")
	private String schema = "rowqueue";

	@Option(names = "--from", defaultValue = "0", description = "The installed version; 0 for none.")
	private int from;

	@Option(names = "--grant-to", paramLabel = "ROLE", description = "The role of the application.")
	private @Nullable String grantTo;

	@Override
	public Integer call() {
		List<String> arguments = new ArrayList<>(List.of("--schema=" + this.schema, "--from=" + this.from));
		if (this.grantTo != null) {
			arguments.add("--grant-to=" + this.grantTo);
		}
		PrintSchema.main(arguments.toArray(String[]::new));
		return QueueCommand.OK;
	}

}
