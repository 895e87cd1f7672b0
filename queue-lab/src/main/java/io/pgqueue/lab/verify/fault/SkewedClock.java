package io.pgqueue.lab.verify.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.pgqueue.lab.verify.site.Sites;
import io.pgqueue.lab.verify.worker.WorkerProcess;
import io.pgqueue.lab.verify.worker.WorkerSpec;

/** Machines do not agree about the time. */
final class SkewedClock implements Fault {

	private static final List<String> PLACES = List.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
			"/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1",
			"/usr/lib/faketime/libfaketime.so.1");

	private static final List<String> SKEWS = List.of("+3h", "-3h");

	@Override
	public String name() {
		return "clock";
	}

	@Override
	public String description() {
		return "the clocks of two workers are three hours ahead and three behind; now and then one is killed and the"
				+ " others judge it";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return library().isPresent() ? Optional.empty()
				: Optional.of("libfaketime is not installed (the package libfaketime of Debian and Fedora)");
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		List<WorkerSpec> workers = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			workers.add((i < SKEWS.size()) ? skewed(usual, SKEWS.get(i)) : usual);
		}
		return workers;
	}

	private static WorkerSpec skewed(WorkerSpec usual, String skew) {
		return usual.environment("LD_PRELOAD", library().orElseThrow())
			.environment("FAKETIME", skew)
			.environment("FAKETIME_DONT_FAKE_MONOTONIC", "1") // ledgers of all processes
																// share it
			.environment("FAKETIME_FORCE_MONOTONIC_FIX", "0") // else waits of the JVM end
																// early or late
			.environment("NO_FAKE_STAT", "1");
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		while (!scene.isOver()) {
			WorkerProcess worker = scene.workers().any(scene.random());
			scene.killAndReplace(worker);
			scene.pause(3000, 6000);
		}
	}

	private static Optional<String> library() {
		return PLACES.stream().filter((place) -> Files.exists(Path.of(place))).findFirst();
	}

}
