package io.rowqueue.migration;

import java.io.PrintStream;

import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;

/**
 * Prints the SQL that creates or upgrades the queue's tables, for databases in which the
 * application must not do this. Requires only the JDK:
 *
 * <pre>
 * java -cp rowqueue-migration.jar:rowqueue-core.jar:rowqueue-schedules.jar io.rowqueue.migration.PrintSchema --schema=rowqueue --grant-to=app | psql -v ON_ERROR_STOP=1
 * </pre>
 *
 * The class path decides which parts of the queue get tables: name the same jars as the
 * application has.
 * <p>
 * The options are {@code --schema} (default {@code rowqueue}), {@code --from} (the
 * installed version of each part, as in {@code --from=core:5,schedules:1}; none by
 * default) and {@code --grant-to} (the role of the application; no grants by default).
 * <p>
 * The grants allow an application to enqueue and run jobs. If its role cannot create
 * tables, it cannot add the daily partitions of finished jobs, and the default partition
 * contains all of them.
 *
 * @since 0.1.0
 */
public final class PrintSchema {

	private static final String USAGE = "usage: java -cp rowqueue-migration.jar:rowqueue-core.jar io.rowqueue.migration.PrintSchema"
			+ " [--schema=rowqueue] [--from=core:1,part:1] [--grant-to=role]";

	private PrintSchema() {
	}

	/**
	 * Prints the script to the standard output. If an option is not valid, prints the
	 * reason to the standard error output and exits with status 2.
	 * @param args the options
	 */
	public static void main(String[] args) {
		int status = run(args, System.out, System.err);
		if (status != 0) {
			System.exit(status);
		}
	}

	static int run(String[] args, PrintStream out, PrintStream err) {
		try {
			out.print(script(args).sql());
			out.flush();
			return 0;
		}
		catch (IllegalArgumentException ex) {
			err.println(ex.getMessage());
			err.println(USAGE);
			return 2;
		}
	}

	private static SchemaScript script(String[] args) {
		SchemaName schema = SchemaName.DEFAULT;
		SchemaVersions from = SchemaVersions.NONE;
		String grantTo = null;
		for (String arg : args) {
			int equals = arg.indexOf('=');
			String option = (equals < 0) ? arg : arg.substring(0, equals);
			String value = (equals < 0) ? null : arg.substring(equals + 1);
			switch (option) {
				case "--schema" -> schema = new SchemaName(required(option, value));
				case "--from" -> from = versions(required(option, value));
				case "--grant-to" -> grantTo = required(option, value);
				default -> throw new IllegalArgumentException("unknown option " + arg);
			}
		}
		return new SchemaScript(schema, from, grantTo);
	}

	private static String required(String option, @Nullable String value) {
		if (value == null || value.isBlank()) {
			throw new IllegalArgumentException(option + " needs a value: " + option + "=…");
		}
		return value;
	}

	private static SchemaVersions versions(String value) {
		try {
			return SchemaVersions.parse(value);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("--from: " + ex.getMessage(), ex);
		}
	}

}
