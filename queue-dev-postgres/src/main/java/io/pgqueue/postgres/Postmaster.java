package io.pgqueue.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The process that {@code postmaster.pid} names. */
final class Postmaster {

	private Postmaster() {
	}

	/**
	 * The server that still runs on the data although nobody knows it. A file that was
	 * left by a crash is removed: PostgreSQL would refuse to start if any process had got
	 * the same id since.
	 */
	static Optional<ProcessHandle> forgottenIn(Path data) throws IOException {
		Path file = data.resolve("postmaster.pid");
		if (!Files.exists(file)) {
			return Optional.empty();
		}
		String first = Files.readString(file).lines().findFirst().orElse("").strip();
		Optional<ProcessHandle> process = first.matches("\\d+") ? ProcessHandle.of(Long.parseLong(first))
				: Optional.empty();
		Optional<ProcessHandle> server = process.filter(ProcessHandle::isAlive).filter(Postmaster::isPostgres);
		if (server.isEmpty()) {
			Files.delete(file);
		}
		return server;
	}

	private static boolean isPostgres(ProcessHandle process) {
		// a process of another account keeps its command to itself
		return process.info().command().map((command) -> command.contains("postgres")).orElse(true);
	}

}
