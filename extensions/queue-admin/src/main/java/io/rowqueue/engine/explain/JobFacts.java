package io.rowqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.control.Pause;
import io.rowqueue.step.JobWait;
import org.jspecify.annotations.Nullable;

/**
 * The facts about the state of a job, in one snapshot. Durations are measured by the
 * database's clock.
 *
 * @param now the time of the database's clock
 * @param readOnly whether the database is read-only
 * @param job the job, or {@code null} if it does not exist
 * @param holder the worker that holds its lease, or {@code null}
 * @param keyHolder the job that a follow-up waits for, or {@code null}
 * @param pauses the pauses of its queue and its type
 * @param promoteLate by how much the promotion of due jobs is late
 * @param retrying whether its latest attempt failed
 * @param liveWorkers the number of live workers
 * @param workersOfType how many of them have a handler for its type
 * @param candidates those of them that also have slots for its queue
 * @param ahead how many queued jobs are claimed before it; {@value #MAX_AHEAD} means this
 * number or more
 * @param locker the transaction that has locked its row, or {@code null}
 * @param awaited what a job waits for that is blocked or whose handler waits for jobs, or
 * {@code null}
 * @param awaitedByHandler what its handler waits for, or {@code null}
 */
public record JobFacts(Instant now, boolean readOnly, @Nullable Facts job, @Nullable Holder holder,
		@Nullable KeyHolder keyHolder, List<Pause> pauses, Duration promoteLate, boolean retrying, int liveWorkers,
		int workersOfType, List<Candidate> candidates, long ahead, @Nullable Locker locker, @Nullable Awaited awaited,
		@Nullable JobWait awaitedByHandler) {

	/** Returns the same facts with further pauses that prevent a claim. */
	JobFacts withPauses(List<Pause> more) {
		if (more.isEmpty()) {
			return this;
		}
		List<Pause> all = new ArrayList<>(this.pauses);
		all.addAll(more);
		return new JobFacts(this.now, this.readOnly, this.job, this.holder, this.keyHolder, List.copyOf(all),
				this.promoteLate, this.retrying, this.liveWorkers, this.workersOfType, this.candidates, this.ahead,
				this.locker, this.awaited, this.awaitedByHandler);
	}

	/** The number at which counting the jobs ahead stops. */
	public static final int MAX_AHEAD = 10_000;

	/** The state of a follow-up. */
	public static final String FOLLOW_UP = "follow_up";

	/**
	 * The row of the job.
	 *
	 * @param id the id
	 * @param queue the queue
	 * @param type the type
	 * @param state the label of a {@link io.rowqueue.JobState}, or {@link #FOLLOW_UP}
	 * @param priority the priority; jobs with a higher number start first
	 * @param attempt how many attempts have started
	 * @param maxAttempts the maximum number of attempts, or {@code null} if the request
	 * does not set it and no live worker runs the type
	 * @param runAt when it is due
	 * @param createdAt when it was enqueued
	 * @param leasedAt when it was claimed for its latest attempt
	 * @param finishedAt when it finished
	 * @param cancelRequested whether it must be cancelled
	 * @param lastError the error of its latest failed attempt
	 */
	public record Facts(long id, String queue, String type, String state, int priority, int attempt,
			@Nullable Integer maxAttempts, Instant runAt, Instant createdAt, @Nullable Instant leasedAt,
			@Nullable Instant finishedAt, boolean cancelRequested, @Nullable String lastError) {
	}

	/**
	 * The worker that holds a lease.
	 *
	 * @param workerId the id of the worker
	 * @param name its host and process, or {@code null} if it is no longer registered
	 * @param dead whether it was declared dead, or is no longer registered
	 * @param silence the time since its last heartbeat
	 */
	public record Holder(long workerId, @Nullable String name, boolean dead, @Nullable Duration silence) {
	}

	/**
	 * The job that has a unique key.
	 *
	 * @param id the id of the job
	 * @param state the state of the job
	 */
	public record KeyHolder(long id, String state) {
	}

	/**
	 * A worker that could run the job.
	 *
	 * @param workerId the id of the worker
	 * @param name its host and process
	 * @param slots how many jobs of the queue it runs at the same time
	 * @param held how many jobs it holds that run in these slots or wait for them
	 * @param typeLimit how many jobs of the type it runs at the same time, or
	 * {@code null} for all slots
	 * @param heldOfType how many jobs of the type it holds
	 */
	public record Candidate(long workerId, String name, int slots, int held, @Nullable Integer typeLimit,
			int heldOfType) {

		/** Returns whether it has a slot for one more job of the queue. */
		public boolean hasSlot() {
			return this.held < this.slots;
		}

		/** Returns whether it may run one more job of the type. */
		public boolean mayRunType() {
			return this.typeLimit == null || this.heldOfType < this.typeLimit;
		}

	}

	/**
	 * What a job waits for that is blocked or whose handler waits for jobs: jobs, a
	 * batch, or nothing any more.
	 *
	 * @param jobId the id of one of the jobs, preferably of a failed one, or {@code null}
	 * @param type the type of that job, or {@code null} if it has finished
	 * @param state the state of that job, or {@code null} if it has finished
	 * @param jobs how many jobs it waits for; {@value #MAX_AWAITED_JOBS} means this
	 * number or more
	 * @param batchId the id of the batch, or {@code null}
	 * @param batchName the name of the batch
	 * @param batchOpen whether the batch has not been closed
	 * @param batchTotal the number of jobs of the batch
	 * @param batchPending how many of these have not finished
	 */
	public record Awaited(@Nullable Long jobId, @Nullable String type, @Nullable String state, int jobs,
			@Nullable Long batchId, @Nullable String batchName, boolean batchOpen, long batchTotal, long batchPending) {

		/** The number at which counting the jobs stops. */
		public static final int MAX_AWAITED_JOBS = 1000;

	}

	/**
	 * An open transaction that has locked the job.
	 *
	 * @param processId the server process
	 * @param application its application name
	 * @param since when the transaction began, or {@code null} if the role may not read
	 * that
	 */
	public record Locker(int processId, String application, @Nullable Instant since) {
	}

}
