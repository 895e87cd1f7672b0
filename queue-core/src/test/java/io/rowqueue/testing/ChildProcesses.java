package io.rowqueue.testing;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** JVMs that a test starts. */
public final class ChildProcesses {

	/**
	 * Not the output of the test's own process: over that, Surefire exchanges what each
	 * of its processes is to run next.
	 */
	private static final File LOG = new File("target/child-processes.log");

	private ChildProcesses() {
	}

	/**
	 * Starts a class of the tests.
	 * @param options of the JVM
	 * @param arguments of the class
	 */
	public static Process start(List<String> options, Class<?> main, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(ProcessHandle.current().info().command().orElse("java"));
		command.addAll(options);
		command.add("-cp");
		command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
		command.add(main.getName());
		command.addAll(Arrays.asList(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(LOG))
			.start();
	}

}
