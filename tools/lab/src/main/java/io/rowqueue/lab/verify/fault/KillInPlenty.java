package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.rowqueue.lab.verify.load.Traffic;
import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/**
 * {@code kill -9} while more jobs wait than a worker can hold, so that it dies with whole
 * claims in its hands and others under way.
 */
final class KillInPlenty implements FaultUnderLoad {

	/** More than a worker holds and claims at a time: four claims of 500. */
	private static final int PLENTY = 2_000;

	private static final int BATCH = 4_000;

	/** Without transactional ones, which run much slower. */
	private static final List<String> TYPES = List.of(WorkerSpec.RETURNING, "import");

	@Override
	public String name() {
		return "plenty";
	}

	@Override
	public String description() {
		return "jobs that end at once are enqueued " + BATCH + " at a time; kill -9 of a random worker while more than "
				+ PLENTY + " wait";
	}

	@Override
	public List<String> types() {
		return TYPES;
	}

	@Override
	public Traffic traffic() {
		return new Traffic(20, 100, BATCH, true, 0);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		while (!scene.isOver()) {
			WorkerProcess worker = scene.workers().any(scene.random());
			scene.find("plenty that waits", Duration.ofMinutes(1),
					() -> Optional.of(scene.site().waiting()).filter((waiting) -> waiting > PLENTY));
			scene.pause(1, 50);
			scene.killAndReplace(worker);
		}
	}

}
