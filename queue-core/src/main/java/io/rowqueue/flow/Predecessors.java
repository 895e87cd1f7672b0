package io.rowqueue.flow;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.springframework.util.Assert;

/**
 * The jobs that another job runs after.
 *
 * @param ids the ids of the jobs; may be empty
 * @param whenFailed what happens to the job if one of them does not succeed
 * @since 0.1.0
 */
public record Predecessors(Set<Long> ids, WhenFailed whenFailed) {

	/** No predecessors. */
	public static final Predecessors NONE = new Predecessors(Set.of(), WhenFailed.FAIL);

	/** Copies the ids. */
	public Predecessors {
		ids.forEach((id) -> Assert.isTrue(id > 0, () -> "the id of a job is positive, not " + id));
		ids = (ids.size() > 1) ? Collections.unmodifiableSet(new LinkedHashSet<>(ids)) : Set.copyOf(ids);
	}

	/** Returns these predecessors and further ones. */
	public Predecessors and(List<Long> others) {
		Set<Long> all = new LinkedHashSet<>(this.ids);
		all.addAll(others);
		return new Predecessors(all, this.whenFailed);
	}

}
