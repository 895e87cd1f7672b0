package io.rowqueue.flow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.springframework.util.Assert;

/**
 * Sorts the jobs of a flow by their dependencies on each other. Names of other jobs are
 * ignored.
 *
 * @param flow the name of the flow
 * @param jobs the jobs by name
 */
record FlowOrder(String flow, Map<String, FlowJob> jobs) {

	/** Returns the jobs in an order in which each one follows all that it waits for. */
	List<FlowJob> sort() {
		Map<String, Integer> missing = new LinkedHashMap<>();
		Map<String, List<String>> successors = new LinkedHashMap<>();
		for (FlowJob job : this.jobs.values()) {
			List<String> before = job.after().stream().filter(this.jobs::containsKey).toList();
			missing.put(job.name(), before.size());
			before.forEach((name) -> successors.computeIfAbsent(name, (key) -> new ArrayList<>()).add(job.name()));
		}
		List<FlowJob> ordered = new ArrayList<>();
		missing.forEach((name, before) -> {
			if (before == 0) {
				ordered.add(job(name));
			}
		});
		for (int i = 0; i < ordered.size(); i++) {
			for (String next : successors.getOrDefault(ordered.get(i).name(), List.of())) {
				if (missing.merge(next, -1, Integer::sum) == 0) {
					ordered.add(job(next));
				}
			}
		}
		ordered.forEach((job) -> missing.remove(job.name()));
		Assert.isTrue(missing.isEmpty(), () -> "jobs of flow '%s' wait for each other: %s".formatted(this.flow,
				String.join(" after ", cycle(missing.keySet()))));
		return ordered;
	}

	/**
	 * Each of these waits for another one of them, so that following them leads to a
	 * cycle.
	 */
	private List<String> cycle(Set<String> waiting) {
		List<String> path = new ArrayList<>();
		String name = waiting.iterator().next();
		while (!path.contains(name)) {
			path.add(name);
			name = job(name).after().stream().filter(waiting::contains).findFirst().orElseThrow();
		}
		path.add(name);
		return path.subList(path.indexOf(name), path.size());
	}

	private FlowJob job(String name) {
		return Objects.requireNonNull(this.jobs.get(name));
	}

}
