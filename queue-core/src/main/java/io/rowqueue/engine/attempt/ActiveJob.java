package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.StopReason;
import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.support.HeaderNames;
import io.rowqueue.engine.support.Times;
import io.rowqueue.masking.SensitiveText;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/** A job that this worker holds: its lease, the run of its handler and its outcome. */
public final class ActiveJob {

	/** By urgency, then by priority and deadline. */
	public static final Comparator<ActiveJob> MOST_URGENT_FIRST = ActiveJob::compareUrgency;

	private final ClaimedJob job;

	private final int urgency;

	private final HandlerOptions options;

	private final int maxAttempts;

	private final HandlerReports reports = new HandlerReports(this);

	private final AttemptContext context = new AttemptContext(this);

	private final long claimedAt = System.nanoTime();

	/** How a broker delivered it; {@code null}: it was claimed. */
	private final @Nullable Carrier carried;

	/** A payload that was read when the job began, because of its size. */
	private @Nullable String deferredPayload;

	private volatile boolean markedRunning;

	/** The jobs that run in one call with this one; {@code null}: it runs alone. */
	private volatile @Nullable List<ActiveJob> together;

	private boolean concluded;

	private boolean leaseEnded;

	private @Nullable Thread thread;

	private boolean interrupted;

	private volatile @Nullable StopReason stopReason;

	private volatile long startedAt;

	private volatile boolean begun;

	private @Nullable TimeoutException timeout;

	private volatile @Nullable ConnectionLoss lostTransaction;

	private @Nullable Map<String, String> logContext;

	private volatile @Nullable Wait pendingWait;

	private volatile boolean abandoned;

	/**
	 * Creates the job.
	 * @param options how it is run, attempts included
	 * @param urgency of the jobs that wait for a slot, the one with the biggest number
	 * goes first
	 */
	public ActiveJob(ClaimedJob job, HandlerOptions options, int urgency) {
		this(job, options, urgency, null);
	}

	/**
	 * Creates a job that a broker delivered.
	 * @param job as if it had been claimed
	 * @param options how it is run, attempts included
	 * @param urgency of the jobs that wait for a slot, the one with the biggest number
	 * goes first
	 * @param carried how it was delivered; {@code null}: it was claimed
	 */
	public ActiveJob(ClaimedJob job, HandlerOptions options, int urgency, @Nullable Carrier carried) {
		this.carried = carried;
		this.job = job;
		this.urgency = urgency;
		this.options = options;
		this.maxAttempts = (job.maxAttempts() != null) ? job.maxAttempts()
				: Objects.requireNonNull(options.maxAttempts());
	}

	private static int compareUrgency(ActiveJob one, ActiveJob other) {
		return (one.urgency != other.urgency) ? Integer.compare(other.urgency, one.urgency)
				: ClaimedJob.MOST_URGENT_FIRST.compare(one.job, other.job);
	}

	public ClaimedJob job() {
		return this.job;
	}

	/** How a broker delivered it; {@code null}: it was claimed. */
	public @Nullable Carrier carrier() {
		return this.carried;
	}

	/** Whether this worker has its lease in the database. */
	public boolean isLeased() {
		return this.carried == null || this.carried.isParked();
	}

	/** Whether its handler has reported progress that is not in the database. */
	public boolean hasUnwrittenProgress() {
		return this.reports.unwrittenProgress() != null;
	}

	/** The payload, also one that was read when the job began. */
	@Nullable String payload() {
		return (this.deferredPayload != null) ? this.deferredPayload : this.job.payload();
	}

	/** Sets a payload that the claim has not read, because of its size. */
	void payload(String deferred) {
		this.deferredPayload = deferred;
	}

	public HandlerOptions options() {
		return this.options;
	}

	/** What handlers, listeners and interceptors see of the job. */
	public JobContext context() {
		return this.context;
	}

	/** Lets the handler, which is about to be called, use these. */
	void giveAccess(Steps steps, JobQueries otherJobs, @Nullable Waits waits) {
		this.context.begin(steps, otherJobs, waits);
	}

	/** What its handler reports. */
	HandlerReports reports() {
		return this.reports;
	}

	/** Masks a text before it is stored. */
	public String mask(SensitiveText kind, String text) {
		return this.reports.mask(kind, text);
	}

	/** Runs the jobs in one call. */
	public void runTogether(List<ActiveJob> jobs) {
		jobs.forEach((job) -> job.together = jobs);
	}

	/** The jobs that run in one call with this one, itself included. */
	public List<ActiveJob> together() {
		List<ActiveJob> jobs = this.together;
		return (jobs != null) ? jobs : List.of(this);
	}

	/** Whether other jobs run in one call with it. */
	public boolean isCoalesced() {
		List<ActiveJob> jobs = this.together;
		return jobs != null && jobs.size() > 1;
	}

	/** Whether it takes a slot: of the jobs of one call, the first one does. */
	public boolean hasSlot() {
		List<ActiveJob> jobs = this.together;
		return jobs == null || jobs.get(0) == this;
	}

	/**
	 * A job that runs in one call with others is asked to stop, so that these continue;
	 * unless the reason concerns the call, or there is no job left to continue for.
	 */
	public void interrupt(StopReason reason) {
		if (!isCoalesced() || reason == StopReason.SHUTDOWN) {
			askToStop(reason);
			interruptHandler();
			return;
		}
		List<ActiveJob> call = together();
		((reason == StopReason.TIMED_OUT) ? call : List.of(this)).forEach((job) -> job.askToStop(reason));
		if (call.stream().allMatch(ActiveJob::isToStop)) {
			call.forEach(ActiveJob::interruptHandler);
		}
	}

	boolean isToStop() {
		return stopReason() != null || isConcluded();
	}

	/** The calling thread runs the handler from now on. */
	public synchronized void begin() {
		this.thread = Thread.currentThread();
		this.startedAt = System.nanoTime();
		this.begun = true;
		if (this.interrupted) {
			this.thread.interrupt();
		}
	}

	/** The handler is called with this job and another one that has the thread. */
	synchronized void beginBeside() {
		this.startedAt = System.nanoTime();
		this.begun = true;
	}

	/** Whether the handler was called. */
	public boolean hasBegun() {
		return this.begun;
	}

	/**
	 * The handler has ended: from now on nothing interrupts this thread because of it.
	 */
	synchronized void end() {
		this.thread = null;
		Thread.interrupted();
	}

	/** Asks the handler to stop, without an interrupt. */
	public synchronized void askToStop(StopReason reason) {
		@Nullable StopReason before = this.stopReason;
		if (before == null || reason.compareTo(before) < 0) {
			this.stopReason = reason;
		}
	}

	synchronized void interruptHandler() {
		this.interrupted = true;
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

	/** Interrupts the handler if it runs for longer than it may, once. */
	public synchronized void timeOut(Duration limit) {
		Thread running = this.thread;
		if (this.timeout == null && running != null && isOver(limit)) {
			this.timeout = new TimeoutException("timed out after " + Times.readable(limit));
			this.timeout.setStackTrace(running.getStackTrace()); // where it hangs
			interrupt(StopReason.TIMED_OUT);
		}
	}

	/** Another thread takes its slot, because the handler does not end. */
	public void abandon() {
		this.abandoned = true;
	}

	/** Whether another thread has its slot. */
	public boolean isAbandoned() {
		return this.abandoned;
	}

	/** The queue's own part of its transaction has failed. */
	public void lostTransaction(ConnectionLoss when) {
		this.lostTransaction = when;
	}

	public @Nullable ConnectionLoss lostTransaction() {
		return this.lostTransaction;
	}

	/** The handler waits: its attempt ends, even if it catches the exception. */
	void suspend(Wait wait) {
		this.pendingWait = wait;
	}

	/** What the handler waits for; {@code null}: nothing. */
	@Nullable Wait pendingWait() {
		return this.pendingWait;
	}

	/** Keeps what the calling thread logs with, for a line that another thread writes. */
	void keepLogContext() {
		this.logContext = MDC.getCopyOfContextMap();
	}

	@Nullable Map<String, String> logContext() {
		return this.logContext;
	}

	/** An error whose stack trace shows what the handler is doing now. */
	IllegalStateException stuck(String message) {
		IllegalStateException error = new IllegalStateException(message);
		error.setStackTrace(stack());
		return error;
	}

	private synchronized StackTraceElement[] stack() {
		return (this.thread != null) ? this.thread.getStackTrace() : new StackTraceElement[0];
	}

	/** Writes to the log of the job what its handler is doing now. */
	public void logStack() {
		StackTraceElement[] stack = together().get(0).stack();
		if (stack.length > 0) {
			this.reports.begunLog()
				.log(Level.INFO, "What the handler is doing:{}",
						Stream.of(stack).map((frame) -> "\n\tat " + frame).collect(Collectors.joining()));
		}
	}

	/** That the handler ran for too long, and what it was doing then. */
	public synchronized @Nullable TimeoutException timeout() {
		return this.timeout;
	}

	/** How long the handler has been running. */
	public long nanosSinceBegin() {
		return System.nanoTime() - this.startedAt;
	}

	/** Whether the handler runs, and has been running that long. */
	public synchronized boolean isOver(Duration limit) {
		return this.thread != null && Duration.ofNanos(nanosSinceBegin()).compareTo(limit) >= 0;
	}

	/** Why the handler is to stop; {@code null}: it is not. */
	public @Nullable StopReason stopReason() {
		return this.stopReason;
	}

	/**
	 * Whether the caller decides the outcome of the attempt: true for the first caller
	 * only.
	 */
	public synchronized boolean conclude() {
		boolean first = !this.concluded;
		this.concluded = true;
		return first;
	}

	/** Whether the outcome of the attempt has been decided. */
	public synchronized boolean isConcluded() {
		return this.concluded;
	}

	/** Ends the lease; returns true for the first caller only. */
	public synchronized boolean endLease() {
		boolean first = !this.leaseEnded;
		this.leaseEnded = true;
		return first;
	}

	/** How long ago it was due, by the database's clock until the claim. */
	Duration sinceDue() {
		return since(this.job.runAt());
	}

	/** How long ago it was enqueued, by the database's clock until the claim. */
	Duration sinceEnqueue() {
		return since(this.job.createdAt());
	}

	/** Whether this worker has held it for that long. */
	public boolean isHeldFor(Duration time) {
		return System.nanoTime() - this.claimedAt >= time.toNanos();
	}

	private Duration since(long micros) {
		long before = Math.max(0, this.job.leasedAt() - micros);
		return Duration.ofSeconds(before / 1_000_000, before % 1_000_000 * 1000 + System.nanoTime() - this.claimedAt);
	}

	/** The window that the job runs in, if it has one of its own. */
	public @Nullable String window() {
		return header(HeaderNames.WINDOW);
	}

	/**
	 * Whether no attempt of the job counts that has ended, and the attempt begins too
	 * late, by the database's clock until the claim.
	 */
	boolean isExpired() {
		String time = expiry();
		return time != null && !Instant.parse(time).isAfter(now());
	}

	/** Whether this attempt is the reason that the job does not expire any more. */
	public boolean keepsFromExpiring() {
		return hasBegun() && expiry() != null;
	}

	private @Nullable String expiry() {
		return (this.job.attempt() == 1) ? header(HeaderNames.EXPIRES_AT) : null;
	}

	private @Nullable String header(String name) {
		String headers = this.job.headers();
		return (headers != null && headers.contains(name)) ? JsonTexts.read(headers).get(name) : null;
	}

	/** The time, by the database's clock until the claim. */
	Instant now() {
		return this.job.claimedAt().plusNanos(System.nanoTime() - this.claimedAt);
	}

	/**
	 * Whether an earlier lease of the job ended without costing an attempt. One of them
	 * may have killed its worker, so that the database must know when this one begins.
	 */
	boolean hadFreeLease() {
		return this.job.freeLeases() > 0;
	}

	/** Whether the job has been running for that long and is not marked as running. */
	public boolean mustBeMarkedRunning(long afterNanos) {
		return !this.markedRunning && hasBegun() && nanosSinceBegin() >= afterNanos;
	}

	/** The job is marked as running in the database. */
	public void markedRunning() {
		this.markedRunning = true;
	}

	public long id() {
		return this.job.lease().jobId();
	}

	public String type() {
		return this.job.type();
	}

	public String queue() {
		return this.job.queue();
	}

	int attempt() {
		return this.job.attempt();
	}

	int maxAttempts() {
		return this.maxAttempts;
	}

	@Override
	public String toString() {
		return "Job " + id() + " (" + type() + ")";
	}

}
