package io.rowqueue.admin.filter;

import java.util.Set;

/**
 * Which jobs a filter leaves out: those that match any of these.
 *
 * @param states their states
 * @param queues their queues
 * @param types their types
 * @param errors their last errors
 * @since 0.1.0
 */
public record JobExclusions(Set<JobListState> states, Set<String> queues, Set<String> types, Set<ErrorMatch> errors) {

	/** Copies the values. */
	public JobExclusions {
		states = Set.copyOf(states);
		queues = Set.copyOf(queues);
		types = Set.copyOf(types);
		errors = Set.copyOf(errors);
	}

}
