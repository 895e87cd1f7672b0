package io.rowqueue.lab.verify.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The library that shows a process another time of day. */
final class Faketime {

	private static final List<String> PLACES = List.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
			"/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1",
			"/usr/lib/faketime/libfaketime.so.1");

	private Faketime() {
	}

	/** Why a clock cannot be changed here. */
	static Optional<String> obstacle() {
		return library().isPresent() ? Optional.empty()
				: Optional.of("libfaketime is not installed (the package libfaketime of Debian and Fedora)");
	}

	/** The environment of a process whose clock is wrong by a constant. */
	static Map<String, String> skewed(String skew) {
		Map<String, String> environment = environment();
		environment.put("FAKETIME", skew);
		return environment;
	}

	/** The environment of a process whose clock is wrong by the offset in the file. */
	static Map<String, String> asIn(Path file) {
		Map<String, String> environment = environment();
		environment.put("FAKETIME_TIMESTAMP_FILE", file.toString());
		environment.put("FAKETIME_CACHE_DURATION", "1"); // seconds
		return environment;
	}

	private static Map<String, String> environment() {
		Map<String, String> environment = new TreeMap<>();
		environment.put("LD_PRELOAD", library().orElseThrow());
		// ledgers of all processes share it
		environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
		// else waits end early or late
		environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
		environment.put("NO_FAKE_STAT", "1");
		return environment;
	}

	private static Optional<String> library() {
		return PLACES.stream().filter((place) -> Files.exists(Path.of(place))).findFirst();
	}

}
