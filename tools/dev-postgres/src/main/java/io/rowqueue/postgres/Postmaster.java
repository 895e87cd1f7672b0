package io.rowqueue.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The content of the file {@code postmaster.pid} in the data of a server.
 *
 * @param file the file
 * @param id id of the server's first process
 * @param port its port
 */
record Postmaster(Path file, long id, int port) {

	/**
	 * The server that was started last on the data, unless it has ended in good order.
	 */
	static Optional<Postmaster> of(Path data) throws IOException {
		Path file = data.resolve("postmaster.pid");
		try {
			List<String> lines = Files.readAllLines(file);
			return Optional.of(new Postmaster(file, number(lines, 0), (int) number(lines, 3)));
		}
		catch (NoSuchFileException ex) {
			return Optional.empty();
		}
	}

	/**
	 * The process, if it lives. A file that was left by a crash is removed: PostgreSQL
	 * refuses to start when any process has got the same id since.
	 */
	Optional<ProcessHandle> process() {
		Optional<ProcessHandle> server = ProcessHandle.of(this.id)
			.filter(ProcessHandle::isAlive)
			.filter(Postmaster::isPostgres);
		if (server.isEmpty()) {
			this.file.toFile().delete();
		}
		return server;
	}

	private static boolean isPostgres(ProcessHandle process) {
		// a process of another account keeps its command to itself
		return process.info().command().map((command) -> command.contains("postgres")).orElse(true);
	}

	private static long number(List<String> lines, int line) {
		return (lines.size() > line && lines.get(line).matches("\\d+")) ? Long.parseLong(lines.get(line)) : 0;
	}

}
