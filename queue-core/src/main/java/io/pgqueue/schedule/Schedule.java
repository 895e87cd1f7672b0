package io.pgqueue.schedule;

import java.time.Duration;

import io.pgqueue.JobRequest;
import io.pgqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * A recurring job: at each due time one job is enqueued, once for the whole cluster.
 * Immutable: every method returns a changed copy.
 *
 * <pre class="code">
 * Schedule.of("report-eu", Rhythm.cron("0 30 2 * * *", "Europe/Berlin"), JobRequest.of("report", new Region("eu")))
 * </pre>
 *
 * @param name names it in the whole cluster
 * @param rhythm when it is due
 * @param job what is enqueued; without a time, a delay, a window, predecessors or a
 * unique key of its own
 * @param missed what becomes of due times that passed while nobody was there
 * @param overlap what becomes of a due time while the job before it is not over
 * @param jitter the jobs are put off by up to that, each by a part that name and due time
 * decide; zero: not at all
 * @since 0.1.0
 */
public record Schedule(String name, Rhythm rhythm, JobRequest job, MissedPolicy missed, OverlapPolicy overlap,
		Duration jitter) {

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public Schedule {
		RequestChecks.name("name", name);
		RequestChecks.present("rhythm", rhythm);
		RequestChecks.present("job", job);
		Assert.isTrue(job.window() == null,
				"job must have no window of its own: give one to its queue or type, or change when it is due");
		RequestChecks.present("missed", missed);
		RequestChecks.present("overlap", overlap);
		RequestChecks.duration("jitter", jitter);
		Assert.isTrue(job.runAt() == null && job.delay().isZero(),
				() -> "job must have no runAt and no delay: when it is due, the schedule '" + name + "' says");
		Assert.isTrue(job.unique() == null,
				() -> "job must have no uniqueKey: what happens while a job of the schedule '" + name
						+ "' is active, overlap says");
		Assert.isTrue(job.predecessors().ids().isEmpty(),
				() -> "job must not run after others: each job of the schedule '" + name
						+ "' would run after the same");
		Assert.isTrue(missed != MissedPolicy.ALL || overlap == OverlapPolicy.QUEUE,
				() -> "missed can be all only where overlap is queue: else all but the first of the jobs that the schedule '"
						+ name + "' has missed would be skipped");
	}

	/**
	 * A schedule that makes up for missed due times with one job and skips a due time
	 * while the job before it is not over.
	 * @param name names it in the whole cluster
	 * @param rhythm when it is due
	 * @param job what is enqueued
	 * @return the schedule
	 */
	public static Schedule of(String name, Rhythm rhythm, JobRequest job) {
		return new Schedule(name, rhythm, job, MissedPolicy.ONCE, OverlapPolicy.SKIP, Duration.ZERO);
	}

	/**
	 * Sets what becomes of missed due times.
	 * @param policy the policy; {@link MissedPolicy#ALL} only after
	 * {@link #overlap(OverlapPolicy) overlap(QUEUE)}
	 * @return a changed copy
	 */
	public Schedule missed(MissedPolicy policy) {
		return new Schedule(this.name, this.rhythm, this.job, policy, this.overlap, this.jitter);
	}

	/**
	 * Sets what becomes of a due time while the job before it is not over.
	 * @param policy the policy
	 * @return a changed copy
	 */
	public Schedule overlap(OverlapPolicy policy) {
		return new Schedule(this.name, this.rhythm, this.job, this.missed, policy, this.jitter);
	}

	/**
	 * Spreads the jobs of many schedules that are due at the same time.
	 * @param longest by how much a job is put off at most
	 * @return a changed copy
	 */
	public Schedule jitter(Duration longest) {
		return new Schedule(this.name, this.rhythm, this.job, this.missed, this.overlap, longest);
	}

}
