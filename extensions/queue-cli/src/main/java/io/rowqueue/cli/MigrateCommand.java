package io.rowqueue.cli;

import java.util.concurrent.Callable;

import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.SchemaMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Creates or upgrades the tables. */
@Command(name = "migrate", mixinStandardHelpOptions = true, description = {
		"Creates the tables of the queue and of the parts that the starter contains, or upgrades them, in one transaction.",
		"Tables of other parts are left as they are." })
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
			.println("The schema '" + this.database.schema() + "' has " + LibraryVersionProvider.schemaVersions());
		return QueueCommand.OK;
	}

}
