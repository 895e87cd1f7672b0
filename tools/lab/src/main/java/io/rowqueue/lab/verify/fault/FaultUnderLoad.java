package io.rowqueue.lab.verify.fault;

import java.util.Collections;
import java.util.List;

import io.rowqueue.lab.verify.load.Traffic;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/** One that is done again and again for a while to workers and a database under load. */
public non-sealed interface FaultUnderLoad extends Fault {

	/**
	 * The database that it needs.
	 * @param sites where the rounds take place
	 */
	default Site site(Sites sites) throws Exception {
		return sites.common();
	}

	/** The types that are enqueued at first. */
	default List<String> types() {
		return WorkerSpec.TYPES;
	}

	/** The jobs that are enqueued meanwhile. */
	default Traffic traffic() {
		return Traffic.USUAL;
	}

	/**
	 * The worker processes that the round begins with; by default they have handlers for
	 * the types that are enqueued.
	 * @param usual a worker as most are
	 * @param count how many there are to be
	 */
	default List<WorkerSpec> workers(WorkerSpec usual, int count) {
		return Collections.nCopies(count, usual.types(types()));
	}

	/**
	 * Injects the fault until the scene ends, and repairs what does not recover
	 * automatically.
	 * @param scene the possible targets
	 */
	void strike(Scene scene) throws Exception;

}
