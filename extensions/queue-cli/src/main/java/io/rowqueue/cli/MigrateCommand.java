package io.rowqueue.cli;

import java.util.concurrent.Callable;

import io.rowqueue.schema.QueueSchema;
import io.rowqueue.schema.SchemaMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Creates or upgrades the tables. */
@Command(name = "migrate", mixinStandardHelpOptions = true,
		description = "Creates the tables of the queue, or upgrades them, in one transaction.")
final class MigrateCommand implements Callable<Integer> {

	@Mixin
	private Database database = new Database();

	@Spec
	private CommandSpec spec = CommandSpec.create();

	@Override
	public Integer call() {
		new QueueSchema(this.database.dataSource(), this.database.schema(), SchemaMode.MIGRATE).initialize();
		this.spec.commandLine()
			.getOut()
			.println("The schema '" + this.database.schema() + "' is at version " + QueueSchema.newestVersion());
		return QueueCommand.OK;
	}

}
