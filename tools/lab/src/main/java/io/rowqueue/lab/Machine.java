package io.rowqueue.lab;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rowqueue.postgres.PrivateDirectory;

/**
 * What it ran on: figures mean nothing without it.
 *
 * @param processor the model
 * @param cores how many
 * @param memoryGib how much memory
 * @param system the operating system
 */
public record Machine(String processor, int cores, long memoryGib, String system) {

	private static final List<FileLock> HELD = new CopyOnWriteArrayList<>();

	/** This one. */
	public static Machine current() {
		String processor = value(Path.of("/proc/cpuinfo"), "model name").orElse(System.getProperty("os.arch"));
		long memory = value(Path.of("/proc/meminfo"), "MemTotal").map((total) -> total.replaceAll("\\D", ""))
			.map((kib) -> Math.round(Long.parseLong(kib) / 1024.0 / 1024.0))
			.orElse(0L);
		return new Machine(processor, Runtime.getRuntime().availableProcessors(), memory, System.getProperty("os.name")
				+ " " + System.getProperty("os.version").replaceFirst("^(\\d+\\.\\d+).*", "$1"));
	}

	/** One line for a report. */
	public String description() {
		return this.processor + ", " + this.cores + " cores, " + this.memoryGib + " GiB, " + this.system + ", Java "
				+ Runtime.version();
	}

	/**
	 * A directory of the lab's own for the files of servers, which no other JVM uses at
	 * the same time.
	 */
	@SuppressWarnings("resource") // the lock is held until this JVM ends
	public static Path scratch(String name) throws IOException {
		String user = System.getProperty("user.name", "").replaceAll("[^\\w.-]", "_");
		Path base = Path.of(System.getProperty("java.io.tmpdir"), "rowqueue-lab-" + user);
		PrivateDirectory.create(base);
		int number = 1;
		while (true) {
			FileChannel channel = FileChannel.open(base.resolve(name + "-" + number + ".lock"),
					StandardOpenOption.CREATE, StandardOpenOption.WRITE);
			FileLock lock = channel.tryLock();
			if (lock != null) {
				HELD.add(lock);
				return base.resolve(name + "-" + number);
			}
			channel.close();
			number++;
		}
	}

	/** The directory of the lab's module. */
	public static Path home() {
		return Path.of(System.getProperty("lab.home", "."));
	}

	/** The default directory of results. */
	public static Path output(String name) {
		return home().resolve("target").resolve(name);
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
