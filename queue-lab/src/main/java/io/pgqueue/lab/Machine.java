package io.pgqueue.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What it ran on: figures mean nothing without it.
 *
 * @param processor the model
 * @param cores how many
 * @param memoryGib how much memory
 * @param system the operating system
 */
public record Machine(String processor, int cores, long memoryGib, String system) {

	/** This one. */
	public static Machine current() {
		String processor = value(Path.of("/proc/cpuinfo"), "model name").orElse(System.getProperty("os.arch"));
		long memory = value(Path.of("/proc/meminfo"), "MemTotal").map((total) -> total.replaceAll("\\D", ""))
			.map((kib) -> Math.round(Long.parseLong(kib) / 1024.0 / 1024.0))
			.orElse(0L);
		return new Machine(processor, Runtime.getRuntime().availableProcessors(), memory,
				System.getProperty("os.name") + " " + System.getProperty("os.version"));
	}

	/** One line for a report. */
	public String description() {
		return this.processor + ", " + this.cores + " cores, " + this.memoryGib + " GiB, " + this.system + ", Java "
				+ Runtime.version();
	}

	/** A directory of the lab's own for the files of servers. */
	public static Path scratch(String name) {
		String user = System.getProperty("user.name", "").replaceAll("[^\\w.-]", "_");
		return Path.of(System.getProperty("java.io.tmpdir"), "pgqueue-lab-" + user, name);
	}

	/** Where results go unless somebody says otherwise. */
	public static Path output(String name) {
		return Path.of(System.getProperty("lab.home", "."), "target", name);
	}

	private static Optional<String> value(Path file, String key) {
		try {
			return Files.exists(file) ? Files.readAllLines(file)
				.stream()
				.filter((line) -> line.startsWith(key))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst() : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

}
