package io.rowqueue.test.recording;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.rowqueue.Job;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobReference;
import org.jspecify.annotations.Nullable;

/** A job of a {@link RecordingJobQueue}. As none runs, each of them waits. */
final class RecordedJobReference implements JobReference {

	private final RecordedJobs jobs;

	private final Supplier<Optional<Job>> job;

	RecordedJobReference(RecordedJobs jobs, Supplier<Optional<Job>> job) {
		this.jobs = jobs;
		this.job = job;
	}

	@Override
	public Optional<Job> find() {
		return this.job.get();
	}

	@Override
	public CancelResult cancel() {
		boolean cancelled = find().filter((found) -> this.jobs.remove(found.id())).isPresent();
		return cancelled ? CancelResult.CANCELLED : CancelResult.NOT_FOUND;
	}

	@Override
	public boolean reschedule(Duration delay) {
		return reschedule(Instant.now().plus(delay));
	}

	@Override
	public boolean reschedule(Instant runAt) {
		return change((request) -> request.runAt(runAt));
	}

	@Override
	public boolean prioritize(int priority) {
		return change((request) -> request.priority(priority));
	}

	@Override
	public boolean replacePayload(@Nullable Object payload) {
		throw new JobQueueException(
				"@RecordJobs records the payloads of enqueues only." + " Test what replaces a payload on PostgreSQL.");
	}

	private boolean change(UnaryOperator<JobRequest> change) {
		return find().filter((found) -> this.jobs.change(found.id(), change)).isPresent();
	}

}
