package io.rowqueue.lab.verify.fault;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

import io.rowqueue.lab.verify.load.Traffic;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/** One way to break the queue, done to it again and again for a while under load. */
public interface Fault {

	/** The name by which the command line chooses it. */
	String name();

	/** What it does, in a sentence for the report. */
	String description();

	/**
	 * Why it cannot be done here.
	 * @param sites where the rounds take place
	 */
	default Optional<String> obstacle(Sites sites) {
		return Optional.empty();
	}

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
