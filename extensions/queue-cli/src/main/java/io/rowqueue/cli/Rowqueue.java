package io.rowqueue.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;

import io.rowqueue.JobQueueException;
import org.springframework.dao.DataAccessException;
import picocli.CommandLine.Command;
import picocli.CommandLine;

/**
 * The command line of the queue. It connects to the database, needs no running
 * application, and exits with 0 on success, 1 on a problem and 2 on wrong usage.
 *
 * @since 0.1.0
 */
@Command(name = "rowqueue", mixinStandardHelpOptions = true, versionProvider = LibraryVersionProvider.class,
		description = "Examines and operates a Rowqueue in a PostgreSQL database.",
		subcommands = { DoctorCommand.class, ListCommand.class, ExplainCommand.class, RetryCommand.class,
				CancelCommand.class, PauseCommand.class, ResumeCommand.class, WorkerCommand.class,
				BackfillCommand.class, RunsCommand.class, TopCommand.class, DashboardCommand.class,
				MigrateCommand.class, PrintCommand.class, ImportCommand.class, VerifyCommand.class,
				VerifyWorkerCommand.class })
public final class Rowqueue {

	private static final String UNDEFINED_TABLE = "42P01";

	private static final String UNDEFINED_SCHEMA = "3F000";

	/** What Java makes of bytes that are no characters of the locale. */
	private static final char UNREADABLE = '\uFFFD';

	private Rowqueue() {
	}

	/**
	 * Runs a command and exits.
	 * @param args the command and its options; {@code --help} lists them
	 */
	public static void main(String[] args) {
		System.exit(run(new PrintWriter(System.out, true, Charset.defaultCharset()),
				new PrintWriter(System.err, true, Charset.defaultCharset()), args));
	}

	static int run(PrintWriter out, PrintWriter err, String... args) {
		if (Arrays.stream(args).anyMatch((arg) -> arg.indexOf(UNREADABLE) >= 0)) {
			err.println("The arguments have characters that this environment cannot read: names would be other ones."
					+ " Set a locale with UTF-8, such as LC_ALL=C.UTF-8.");
			return CommandLine.ExitCode.USAGE;
		}
		CommandLine line = new CommandLine(new Rowqueue()).setOut(out).setErr(err);
		line.setCaseInsensitiveEnumValuesAllowed(true);
		line.setExecutionExceptionHandler((exception, command, parsed) -> {
			if (exception instanceof IllegalArgumentException) {
				command.getErr().println(exception.getMessage());
				return CommandLine.ExitCode.USAGE;
			}
			if (exception instanceof JobQueueException || exception instanceof DataAccessException
					|| exception instanceof SQLException) {
				command.getErr().println(message(exception));
				if (hasState(UNDEFINED_TABLE, exception) && command.getCommandName().equals("import")) {
					command.getErr().println("The option --tables names other tables.");
				}
				else if (hasState(UNDEFINED_TABLE, exception) || hasState(UNDEFINED_SCHEMA, exception)) {
					command.getErr().println("Check --url and --schema: rowqueue doctor.");
				}
				return CommandLine.ExitCode.SOFTWARE;
			}
			throw exception;
		});
		return line.execute(args);
	}

	private static boolean hasState(String state, Exception exception) {
		return exception.getCause() instanceof SQLException cause && state.equals(cause.getSQLState());
	}

	/** The message of the driver says what is wrong; Spring's quotes the statement. */
	private static String message(Exception exception) {
		Throwable shown = (exception instanceof DataAccessException && exception.getCause() instanceof SQLException)
				? exception.getCause() : exception;
		return Objects.requireNonNullElse(shown.getMessage(), shown.toString());
	}

}
