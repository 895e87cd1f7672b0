package io.rowqueue.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The processor time of a process and of all that it has started. */
public final class CpuTime {

	/** What Linux counts with, on every platform that Java runs on. */
	private static final double TICKS_PER_SECOND = 100;

	private CpuTime() {
	}

	/** Seconds so far; on Linux those of ended children are included. */
	public static double of(ProcessHandle process) {
		return Stream.concat(Stream.of(process), process.descendants()).mapToDouble(CpuTime::one).sum();
	}

	/**
	 * The same without one of the processes that it has started, and all that this one
	 * has started.
	 */
	public static double without(ProcessHandle process, ProcessHandle excluded) {
		List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
		// asked afterwards: one that has been started in between is among these only
		Set<Long> left = Stream.concat(Stream.of(excluded), excluded.descendants())
			.map(ProcessHandle::pid)
			.collect(Collectors.toSet());
		return all.stream().filter((each) -> !left.contains(each.pid())).mapToDouble(CpuTime::one).sum();
	}

	private static double one(ProcessHandle process) {
		Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
		try {
			if (Files.exists(stat)) {
				String text = Files.readString(stat);
				String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
				// after the name: utime, stime, cutime and cstime are the 12th to 15th
				return Stream.of(fields).skip(11).limit(4).mapToLong(Long::parseLong).sum() / TICKS_PER_SECOND;
			}
		}
		catch (IOException ex) {
			return 0; // it has just ended
		}
		return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
	}

}
