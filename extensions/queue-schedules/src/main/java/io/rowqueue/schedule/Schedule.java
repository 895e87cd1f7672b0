package io.rowqueue.schedule;

import java.time.Duration;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A recurring job, which is enqueued at each due time, once for the whole cluster.
 * Immutable: every method that sets a value returns a changed copy, and throws
 * {@link IllegalArgumentException} if the value is not allowed.
 *
 * <pre class="code">
 * Schedule.of("report-eu", Rhythm.cron("0 30 2 * * *", "Europe/Berlin"), JobRequest.of("report", new Region("eu")))
 * </pre>
 *
 * @since 0.1.0
 */
public final class Schedule {

	private final String name;

	private final Rhythm rhythm;

	private final JobRequest job;

	private final MissedPolicy missed;

	private final OverlapPolicy overlap;

	private final Duration jitter;

	private final Validity validity;

	private Schedule(String name, Rhythm rhythm, JobRequest job, MissedPolicy missed, OverlapPolicy overlap,
			Duration jitter, Validity validity) {
		RequestChecks.name("name", name);
		RequestChecks.present("rhythm", rhythm);
		RequestChecks.present("job", job);
		Assert.isTrue(job.window() == null,
				"job must not have a window: set one for its queue or type, or change the rhythm");
		RequestChecks.present("missed", missed);
		RequestChecks.present("overlap", overlap);
		RequestChecks.duration("jitter", jitter);
		Assert.isTrue(job.runAt() == null && job.delay().isZero() && job.spreadOver().isZero(),
				() -> "job must not have a runAt, a delay or spreadOver: the rhythm of the schedule '" + name
						+ "' determines when it is due, and its jitter spreads that");
		Assert.isTrue(job.unique() == null,
				() -> "job must not have a uniqueKey: overlap determines what happens while a job of the schedule '"
						+ name + "' is active");
		Assert.isTrue(job.expiresAt() == null,
				() -> "job must not have expiresAt: with expiresIn, each job of the schedule '" + name
						+ "' expires some time after its enqueue");
		JobRequest onFailure = job.onFailure();
		Assert.isTrue(onFailure == null || (onFailure.runAt() == null && onFailure.spreadOver().isZero()),
				() -> "the onFailure of the job must not have a runAt or spreadOver: with a delay, it is due some time after"
						+ " the failure of each job of the schedule '" + name + "'");
		Assert.isTrue(job.predecessors().ids().isEmpty(),
				() -> "job must not have predecessors: all jobs of the schedule '" + name
						+ "' would wait for the same ones");
		Assert.isTrue(missed != MissedPolicy.ALL || overlap == OverlapPolicy.QUEUE,
				() -> "missed can only be all if overlap is queue: otherwise all but the first of the jobs that the schedule '"
						+ name + "' has missed would be skipped");
		this.name = name;
		this.rhythm = rhythm;
		this.job = job;
		this.missed = missed;
		this.overlap = overlap;
		RequestChecks.present("validity", validity);
		Assert.isTrue(validity.calendar() == null || rhythm instanceof Rhythm.Cron,
				() -> "calendar requires a cron expression, which the schedule '" + name + "' does not have");
		this.jitter = jitter;
		this.validity = validity;
	}

	/**
	 * Creates a schedule that enqueues one job for all missed due times, and skips a due
	 * time while the previous job has not finished.
	 * @param name the name of the schedule in the whole cluster
	 * @param rhythm determines when the job is due
	 * @param job the job to enqueue, without a run-at time, a delay, {@code spreadOver},
	 * a window, predecessors, a unique key or {@code expiresAt}; its {@code onFailure}
	 * can have a delay, but no run-at time and no {@code spreadOver}. Neither of them
	 * gets the defaults of its type
	 * @return the schedule
	 */
	public static Schedule of(String name, Rhythm rhythm, JobRequest job) {
		return new Schedule(name, rhythm, job, MissedPolicy.ONCE, OverlapPolicy.SKIP, Duration.ZERO, Validity.ALWAYS);
	}

	/**
	 * Sets what happens to missed due times.
	 * @param policy the policy; {@link MissedPolicy#ALL} requires that
	 * {@link #overlap(OverlapPolicy) overlap(QUEUE)} is set before
	 * @return a changed copy
	 */
	public Schedule missed(MissedPolicy policy) {
		return new Schedule(this.name, this.rhythm, this.job, policy, this.overlap, this.jitter, this.validity);
	}

	/**
	 * Sets what happens at a due time while the previous job has not finished.
	 * @param policy the policy
	 * @return a changed copy
	 */
	public Schedule overlap(OverlapPolicy policy) {
		return new Schedule(this.name, this.rhythm, this.job, this.missed, policy, this.jitter, this.validity);
	}

	/**
	 * Spreads the jobs of several schedules that are due at the same time.
	 * @param longest the maximum time by which a job is postponed; the name and the due
	 * time determine the actual time; zero by default
	 * @return a changed copy
	 */
	public Schedule jitter(Duration longest) {
		return new Schedule(this.name, this.rhythm, this.job, this.missed, this.overlap, longest, this.validity);
	}

	/**
	 * Restricts the due times.
	 * @param validity from and until when, and on which days
	 * @return a changed copy
	 */
	public Schedule validity(Validity validity) {
		return new Schedule(this.name, this.rhythm, this.job, this.missed, this.overlap, this.jitter, validity);
	}

	/** Returns the name of the schedule in the whole cluster. */
	public String name() {
		return this.name;
	}

	/** Returns what determines when the job is due. */
	public Rhythm rhythm() {
		return this.rhythm;
	}

	/** Returns the job to enqueue. */
	public JobRequest job() {
		return this.job;
	}

	/** Returns what happens to missed due times. */
	public MissedPolicy missed() {
		return this.missed;
	}

	/** Returns what happens at a due time while the previous job has not finished. */
	public OverlapPolicy overlap() {
		return this.overlap;
	}

	/** Returns the maximum time by which the jobs are postponed. */
	public Duration jitter() {
		return this.jitter;
	}

	/** Returns the restriction of the due times. */
	public Validity validity() {
		return this.validity;
	}

	private List<Object> values() {
		return List.of(this.name, this.rhythm, this.job, this.missed, this.overlap, this.jitter, this.validity);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Schedule schedule && values().equals(schedule.values());
	}

	@Override
	public int hashCode() {
		return values().hashCode();
	}

	@Override
	public String toString() {
		return "Schedule" + values();
	}

}
