package io.pgqueue.flow;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.springframework.util.Assert;

/**
 * The jobs that a job is to run after.
 *
 * @param ids their ids, each once; empty: none
 * @param whenFailed what becomes of the job when one of them does not succeed
 * @since 0.1.0
 */
public record Predecessors(Set<Long> ids, WhenFailed whenFailed) {

	/** None. */
	public static final Predecessors NONE = new Predecessors(Set.of(), WhenFailed.FAIL);

	/** Copies the ids. */
	public Predecessors {
		ids.forEach((id) -> Assert.isTrue(id > 0, () -> "the id of a job is positive, not " + id));
		ids = (ids.size() > 1) ? Collections.unmodifiableSet(new LinkedHashSet<>(ids)) : Set.copyOf(ids);
	}

	/** These and others. */
	public Predecessors and(List<Long> others) {
		Set<Long> all = new LinkedHashSet<>(this.ids);
		all.addAll(others);
		return new Predecessors(all, this.whenFailed);
	}

}
