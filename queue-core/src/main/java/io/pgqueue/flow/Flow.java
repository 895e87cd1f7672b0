package io.pgqueue.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * Jobs with dependencies that are enqueued together, see {@link JobQueue#enqueue(Flow)}.
 *
 * <pre class="code">
 * Flow.named("order")
 *     .job("charge", JobRequest.of("charge-card", order))
 *     .job("pack", JobRequest.of("pack-parcel", order)).after("charge")
 *     .job("invoice", JobRequest.of("send-invoice", order)).after("charge")
 *     .job("ship", JobRequest.of("ship-parcel", order)).after("pack", "invoice")
 * </pre>
 *
 * Each job runs as soon as all jobs before it have succeeded, or at once if there are
 * none. {@link JobRequest#whenFailed} decides what happens if one of them does not
 * succeed. This builder is not thread-safe.
 *
 * @since 0.1.0
 */
public final class Flow {

	/** The maximum number of jobs of a flow; use a batch for more. */
	public static final int MAX_JOBS = 20_000;

	private final String name;

	private final Map<String, FlowJob> jobs = new LinkedHashMap<>();

	private String latest = "";

	private Flow(String name) {
		RequestChecks.name("name", name);
		this.name = name;
	}

	/**
	 * Creates a flow without jobs.
	 * @param name a name for people, of at most {@value JobRequest#MAX_NAME_LENGTH}
	 * characters, which need not be unique
	 * @return a flow without jobs
	 */
	public static Flow named(String name) {
		return new Flow(name);
	}

	/**
	 * Adds a job.
	 * @param name its name in this flow
	 * @param request the job
	 * @return this flow
	 * @throws IllegalArgumentException if the flow already has a job of this name, or the
	 * job has a unique key: an existing job with this key would not belong to the flow
	 */
	public Flow job(String name, JobRequest request) {
		RequestChecks.name("name", name);
		Assert.isTrue(!this.jobs.containsKey(name), () -> "flow '" + this.name + "' has two jobs '" + name + "'");
		Assert.isTrue(request.unique() == null,
				() -> "job '" + name + "' of flow '" + this.name + "' cannot have a unique key");
		Assert.isTrue(this.jobs.size() < MAX_JOBS,
				() -> "flow '" + this.name + "' has more than " + MAX_JOBS + " jobs: use a batch");
		this.jobs.put(name, new FlowJob(name, request, Set.of()));
		this.latest = name;
		return this;
	}

	/**
	 * Makes the job that was added last wait for others.
	 * @param names their names; they may be added later
	 * @return this flow
	 */
	public Flow after(String... names) {
		FlowJob job = this.jobs.get(this.latest);
		Assert.isTrue(job != null, "call job(…) before after(…)");
		FlowJob latest = Objects.requireNonNull(job);
		Set<String> before = new LinkedHashSet<>(latest.after());
		before.addAll(Arrays.asList(names));
		this.jobs.put(latest.name(), new FlowJob(latest.name(), latest.request(), before));
		return this;
	}

	/**
	 * Returns the name of the flow.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the jobs in an order in which each one follows all that it waits for.
	 * @return at least one job
	 * @throws IllegalArgumentException if there are no jobs, a job waits for one that
	 * does not exist, or jobs wait for each other
	 */
	public List<FlowJob> jobs() {
		Assert.isTrue(!this.jobs.isEmpty(), () -> "flow '" + this.name + "' has no jobs");
		for (FlowJob job : this.jobs.values()) {
			for (String before : job.after()) {
				Assert.isTrue(this.jobs.containsKey(before),
						() -> "job '%s' of flow '%s' is to run after '%s', which it does not have; it has %s"
							.formatted(job.name(), this.name, before, this.jobs.keySet()));
			}
		}
		return inOrder();
	}

	private List<FlowJob> inOrder() {
		Map<String, Integer> missing = new LinkedHashMap<>();
		Map<String, List<String>> successors = new LinkedHashMap<>();
		for (FlowJob job : this.jobs.values()) {
			missing.put(job.name(), job.after().size());
			job.after()
				.forEach((before) -> successors.computeIfAbsent(before, (key) -> new ArrayList<>()).add(job.name()));
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
		Assert.isTrue(missing.isEmpty(), () -> "jobs of flow '%s' wait for each other: %s".formatted(this.name,
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
