package io.pgqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.pgqueue.admin.Pause;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about why a job is where it is, seen at one moment. Durations are
 * measured by the database's clock.
 *
 * @param now the database's clock
 * @param readOnly whether the database takes no writes
 * @param job the job; {@code null}: there is none
 * @param holder who holds its lease, or {@code null}
 * @param keyHolder the job whose end a follow-up waits for, or {@code null}
 * @param pauses of its queue and its type
 * @param promoteLate by how much maintenance is behind its plan to look for due jobs
 * @param retrying whether its latest attempt failed
 * @param livingWorkers how many workers there are
 * @param workersOfType how many of them can run its type
 * @param candidates those of them that work for its queue as well
 * @param ahead how many queued jobs are claimed before it; {@value #MAX_AHEAD} stands for
 * as many or more
 * @param endsPerSecond how many jobs of its queue ended a second lately; 0: unknown
 * @param locker who keeps its row locked, or {@code null}
 * @param awaited what a blocked job waits for, or {@code null}
 */
public record JobFacts(Instant now, boolean readOnly, @Nullable Facts job, @Nullable Holder holder,
		@Nullable KeyHolder keyHolder, List<Pause> pauses, Duration promoteLate, boolean retrying, int livingWorkers,
		int workersOfType, List<Candidate> candidates, long ahead, double endsPerSecond, @Nullable Locker locker,
		@Nullable Awaited awaited) {

	/** The same, with more that keeps the job from being claimed. */
	JobFacts withPauses(List<Pause> more) {
		if (more.isEmpty()) {
			return this;
		}
		List<Pause> all = new ArrayList<>(this.pauses);
		all.addAll(more);
		return new JobFacts(this.now, this.readOnly, this.job, this.holder, this.keyHolder, List.copyOf(all),
				this.promoteLate, this.retrying, this.livingWorkers, this.workersOfType, this.candidates, this.ahead,
				this.endsPerSecond, this.locker, this.awaited);
	}

	/** Where counting jobs that are ahead stops. */
	public static final int MAX_AHEAD = 10_000;

	/** The state of a job that is queued when the one with its key is over. */
	public static final String FOLLOW_UP = "follow_up";

	/**
	 * What its row says.
	 *
	 * @param id the id
	 * @param queue the queue
	 * @param type the type
	 * @param state the label of a {@link io.pgqueue.JobState}, or {@link #FOLLOW_UP}
	 * @param priority a bigger number goes first
	 * @param attempt how many attempts have begun
	 * @param maxAttempts how many there are at most; {@code null}: its request does not
	 * say, and no living worker runs its type
	 * @param runAt when it is due
	 * @param createdAt when it was enqueued
	 * @param leasedAt when the latest attempt was claimed
	 * @param finishedAt when it ended
	 * @param cancelRequested whether it is to be cancelled
	 * @param lastError the error of its latest failed attempt
	 */
	public record Facts(long id, String queue, String type, String state, int priority, int attempt,
			@Nullable Integer maxAttempts, Instant runAt, Instant createdAt, @Nullable Instant leasedAt,
			@Nullable Instant finishedAt, boolean cancelRequested, @Nullable String lastError) {
	}

	/**
	 * The worker that holds a lease.
	 *
	 * @param workerId its id
	 * @param name its host and process; {@code null}: it is not registered any more
	 * @param dead whether the others have given it up, or nobody knows it
	 * @param silence how long ago its latest heartbeat was
	 */
	public record Holder(long workerId, @Nullable String name, boolean dead, @Nullable Duration silence) {
	}

	/**
	 * The job that has a unique key.
	 *
	 * @param id its id
	 * @param state its state
	 */
	public record KeyHolder(long id, String state) {
	}

	/**
	 * A worker that could run the job.
	 *
	 * @param workerId its id
	 * @param name its host and process
	 * @param slots how many jobs of the queue it runs at once
	 * @param held how many it holds in these slots and before them
	 * @param typeLimit how many jobs of the type it runs at once; {@code null}: as many
	 * as it has slots
	 * @param heldOfType how many jobs of the type it holds
	 */
	public record Candidate(long workerId, String name, int slots, int held, @Nullable Integer typeLimit,
			int heldOfType) {

		/** Whether it has a slot for one more job of the queue. */
		public boolean hasSlot() {
			return this.held < this.slots;
		}

		/** Whether it may run one more job of the type. */
		public boolean mayRunType() {
			return this.typeLimit == null || this.heldOfType < this.typeLimit;
		}

	}

	/**
	 * What a blocked job waits for: jobs, a batch, or nothing any more.
	 *
	 * @param jobId one of the jobs, one that failed if there is any; {@code null}: none
	 * @param type its type; {@code null}: it is over
	 * @param state its state; {@code null}: it is over
	 * @param jobs how many jobs it waits for; {@value #MAX_AWAITED_JOBS} stands for as
	 * many or more
	 * @param batchId the batch, or {@code null}
	 * @param batchName the name of the batch
	 * @param batchOpen whether the batch waits to be closed
	 * @param batchTotal how many jobs the batch has
	 * @param batchPending how many of these are not over
	 */
	public record Awaited(@Nullable Long jobId, @Nullable String type, @Nullable String state, int jobs,
			@Nullable Long batchId, @Nullable String batchName, boolean batchOpen, long batchTotal, long batchPending) {

		/** Where counting jobs stops. */
		public static final int MAX_AWAITED_JOBS = 1000;

	}

	/**
	 * An open transaction that has locked the job.
	 *
	 * @param processId the server process
	 * @param application what it calls itself
	 * @param since when its transaction began; {@code null}: only its role may see that
	 */
	public record Locker(int processId, String application, @Nullable Instant since) {
	}

}
