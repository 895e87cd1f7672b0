package io.rowqueue.lab.verify.fault;

import java.util.Optional;

import io.rowqueue.lab.verify.site.Sites;

/** One way to break the queue, which has a round of its own. */
public sealed interface Fault permits FaultUnderLoad, Products {

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

}
