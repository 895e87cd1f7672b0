package io.rowqueue.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works on the queue of a database. */
abstract class QueueCommand implements Callable<Integer> {

	static final int OK = 0;

	static final int PROBLEM = 1;

	@Mixin
	private Database database = new Database();

	@Spec
	private CommandSpec spec = CommandSpec.create();

	@Override
	public final Integer call() throws Exception {
		SingleConnectionDataSource connection = this.database.connect();
		try {
			Queue queue = new Queue(connection, this.database.schema());
			int code = run(queue, out());
			queue.wakeWorkers();
			return code;
		}
		finally {
			connection.destroy();
		}
	}

	/**
	 * Runs the command.
	 * @param queue the queue
	 * @param out receives the result
	 * @return the exit code
	 */
	abstract int run(Queue queue, PrintWriter out) throws Exception;

	private PrintWriter out() {
		return this.spec.commandLine().getOut();
	}

}
