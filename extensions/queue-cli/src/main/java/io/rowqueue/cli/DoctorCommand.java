package io.rowqueue.cli;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.rowqueue.cli.Finding.Severity;
import io.rowqueue.engine.database.Pooler;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.QueueSchemaException;
import io.rowqueue.migration.SchemaMode;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks the database and the queue. */
@Command(name = "doctor", mixinStandardHelpOptions = true,
		description = "Checks server, schema, privileges, sequences, settings, vacuum and workers, and names remedies.")
final class DoctorCommand implements Callable<Integer> {

	@Mixin
	private Database database = new Database();

	@Spec
	private CommandSpec spec = CommandSpec.create();

	@Override
	public Integer call() throws SQLException {
		List<Finding> findings = new ArrayList<>();
		SingleConnectionDataSource connection = this.database.connect();
		try {
			examine(connection, findings);
		}
		finally {
			connection.destroy();
		}
		PrintWriter out = this.spec.commandLine().getOut();
		findings.forEach(out::println);
		return findings.stream().anyMatch((finding) -> finding.severity() == Severity.PROBLEM) ? QueueCommand.PROBLEM
				: QueueCommand.OK;
	}

	/** Says why the queue of a database cannot be used, and what helps. */
	static String sentence(QueueSchemaException ex) {
		return ex.getProblem() + " " + switch (ex.getReason()) {
			case SCHEMA_MISSING, SCHEMA_OLDER -> "Let the owner of the database run: rowqueue migrate";
			default -> ex.getRemedy();
		};
	}

	private void examine(SingleConnectionDataSource connection, List<Finding> findings) throws SQLException {
		try (Connection session = connection.getConnection()) {
			findings.add(Finding.ok("Server: PostgreSQL " + session.getMetaData().getDatabaseProductVersion()));
			if (Pooler.isBehind(session)) {
				findings.add(Finding.warn("The URL leads to a connection pooler: workers that use it poll. Set"
						+ " rowqueue.notifications.url to the address of the server itself."));
			}
		}
		QueueSchema schema = new QueueSchema(connection, this.database.schema(), SchemaMode.VALIDATE);
		try {
			schema.initialize();
			findings.add(Finding.ok("Schema '" + this.database.schema() + "': "
					+ LibraryVersionProvider.schemaVersions() + ", with all privileges of an application"));
		}
		catch (QueueSchemaException ex) {
			findings.add(Finding.problem(sentence(ex)));
			return;
		}
		Queue queue = new Queue(connection, this.database.schema());
		new TableChecks(queue.database(), schema.script(Map.of())).addTo(findings);
		new ServerChecks(queue.database()).addTo(findings);
		new QueueChecks(queue).addTo(findings);
	}

}
