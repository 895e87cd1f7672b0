package io.rowqueue.flow;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
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
 * succeed.
 * <p>
 * A running job of a flow can add further jobs to its flow, see
 * {@link #addedBy(JobContext)}. This builder is not thread-safe.
 *
 * @since 0.1.0
 */
public final class Flow {

	/** The maximum number of jobs that one call enqueues; use a batch for more. */
	public static final int MAX_JOBS = 20_000;

	private final String name;

	private final @Nullable Adder adder;

	private final Map<String, FlowJob> jobs = new LinkedHashMap<>();

	private String latest = "";

	private boolean beforeSuccessors;

	private Flow(String name, @Nullable Adder adder) {
		RequestChecks.name("name", name);
		this.name = name;
		this.adder = adder;
	}

	/**
	 * Creates a flow without jobs.
	 * @param name a name for people, of at most {@value JobRequest#MAX_NAME_LENGTH}
	 * characters, which need not be unique
	 * @return a flow without jobs
	 */
	public static Flow named(String name) {
		return new Flow(name, null);
	}

	/**
	 * Creates an addition to the flow that a running job belongs to. The flow does not
	 * end before the transaction that enqueues the addition, and waits for the jobs that
	 * it adds. These can run {@linkplain #after after} any job of the flow.
	 * <p>
	 * A name identifies the job that is added. If an earlier attempt of the same job has
	 * added a job with this name, that one is kept and no other one is added.
	 * <p>
	 * The enqueue throws {@link io.rowqueue.JobQueueException} if the job is not part of
	 * a flow, has ended, has lost its lease, or is being cancelled, or if the flow has a
	 * job of the same name that another one has added.
	 * @param job the context of the running job
	 * @return an addition without jobs
	 */
	public static Flow addedBy(JobContext job) {
		return new Flow("flow of job " + job.id(), new Adder(job.id(), job.leaseToken()));
	}

	/**
	 * Adds a job, which is always a new one: if it has a unique key, this needs
	 * {@link DuplicatePolicy#reject()}, and a taken key rejects the whole flow. To run
	 * after a job that exists already, use {@link JobRequest#after}.
	 * @param name its name in this flow
	 * @param request the job
	 * @return this flow
	 * @throws IllegalArgumentException if the flow already has a job of this name, or the
	 * job has a unique key and another policy
	 */
	public Flow job(String name, JobRequest request) {
		RequestChecks.name("name", name);
		Assert.isTrue(!this.jobs.containsKey(name), () -> "flow '" + this.name + "' has two jobs '" + name + "'");
		checkKey(name, request);
		Assert.isTrue(this.jobs.size() < MAX_JOBS,
				() -> "flow '" + this.name + "' has more than " + MAX_JOBS + " jobs: use a batch");
		this.jobs.put(name, new FlowJob(name, request, Set.of(), Set.of()));
		this.latest = name;
		return this;
	}

	/**
	 * Makes the job that was added last wait for others.
	 * @param names their names; they may be added later. A job of an {@linkplain #addedBy
	 * addition} can also wait for jobs that the flow has already
	 * @return this flow
	 */
	public Flow after(String... names) {
		FlowJob job = latest("after");
		this.jobs.put(job.name(), new FlowJob(job.name(), job.request(), with(job.after(), names), job.before()));
		return this;
	}

	/**
	 * Makes jobs that the flow has already wait for the job that was added last, in an
	 * {@linkplain #addedBy addition}. They must run after the job that adds, so that none
	 * of them can have started.
	 * @param names their names
	 * @return this flow
	 */
	public Flow before(String... names) {
		FlowJob job = latest("before");
		Assert.isTrue(this.adder != null,
				"before(…) needs an addition to an existing flow; in a new one, use after(…)");
		this.jobs.put(job.name(), new FlowJob(job.name(), job.request(), job.after(), with(job.before(), names)));
		return this;
	}

	/**
	 * Makes all jobs that run after the job that adds wait for the end of the
	 * {@linkplain #addedBy addition} as well: for each of its jobs that no other one of
	 * it runs after.
	 * @return this flow
	 */
	public Flow beforeSuccessors() {
		Assert.isTrue(this.adder != null, "beforeSuccessors() needs an addition to an existing flow");
		this.beforeSuccessors = true;
		return this;
	}

	private void checkKey(String name, JobRequest request) {
		UniqueKey key = request.unique();
		Assert.isTrue(key == null || key.duplicates() instanceof DuplicatePolicy.Reject,
				() -> "job '" + name + "' of flow '" + this.name
						+ "' has a unique key, which needs DuplicatePolicy.reject(): the jobs of a flow are new jobs");
	}

	private FlowJob latest(String method) {
		FlowJob job = this.jobs.get(this.latest);
		Assert.isTrue(job != null, () -> "call job(…) before " + method + "(…)");
		return Objects.requireNonNull(job);
	}

	private static Set<String> with(Set<String> names, String... more) {
		Set<String> all = new LinkedHashSet<>(names);
		all.addAll(Arrays.asList(more));
		return all;
	}

	/**
	 * Returns the name of the flow.
	 * @return the name; of an addition, one that names the job that adds
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the job that adds to its flow.
	 * @return the job, or {@code null} for a new flow
	 */
	public @Nullable Adder adder() {
		return this.adder;
	}

	/**
	 * Returns whether the jobs that run after the job that adds wait for the addition.
	 * @return whether {@link #beforeSuccessors()} was called
	 */
	public boolean isBeforeSuccessors() {
		return this.beforeSuccessors;
	}

	/**
	 * Returns the jobs in an order in which each one follows all that it waits for.
	 * @return at least one job
	 * @throws IllegalArgumentException if there are no jobs, a job of a new flow waits
	 * for one that does not exist, or jobs wait for each other
	 */
	public List<FlowJob> jobs() {
		return jobs(UnaryOperator.identity());
	}

	/**
	 * Returns the jobs as {@link #jobs()} does, with the defaults of their types.
	 * @param defaults applies the defaults of the type to a request
	 * @return at least one job
	 * @throws IllegalArgumentException as {@link #jobs()}, and if a job has a unique key
	 * by default and a policy that does not reject duplicates
	 */
	public List<FlowJob> jobs(UnaryOperator<JobRequest> defaults) {
		Assert.isTrue(!this.jobs.isEmpty(), () -> "flow '" + this.name + "' has no jobs");
		if (this.adder == null) {
			this.jobs.values().forEach((job) -> job.after().forEach((before) -> checkIsHere(job, before)));
		}
		Map<String, FlowJob> complete = new LinkedHashMap<>();
		for (FlowJob job : this.jobs.values()) {
			JobRequest request = defaults.apply(job.request());
			checkKey(job.name(), request);
			complete.put(job.name(), new FlowJob(job.name(), request, job.after(), job.before()));
		}
		return new FlowOrder(this.name, complete).sort();
	}

	private void checkIsHere(FlowJob job, String before) {
		Assert.isTrue(this.jobs.containsKey(before),
				() -> "job '%s' of flow '%s' is to run after '%s', which it does not have; it has %s"
					.formatted(job.name(), this.name, before, this.jobs.keySet()));
	}

	/**
	 * A running job that adds jobs to its flow.
	 *
	 * @param jobId the id of the job
	 * @param leaseToken the token of its lease, which must be current
	 */
	public record Adder(long jobId, int leaseToken) {

	}

}
