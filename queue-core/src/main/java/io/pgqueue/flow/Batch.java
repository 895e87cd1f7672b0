package io.pgqueue.flow;

import java.util.ArrayList;
import java.util.List;

import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * Many jobs that are counted together: {@link JobQueue#enqueueBatch}. Immutable: every
 * method returns a changed copy.
 *
 * <pre class="code">
 * queue.enqueueBatch(Batch.named("import").onFinish(JobRequest.of("import-summary", id)), rows)
 * </pre>
 *
 * A batch is over when it is closed and each of its jobs has succeeded, failed for good
 * or was cancelled. That is decided once, within half a second, and lets those jobs run
 * that wait for it. Jobs of a batch can be retried after that: the numbers change then,
 * and nothing else.
 *
 * @param name for people, at most {@value JobRequest#MAX_NAME_LENGTH} characters; it need
 * not be unique
 * @param open whether it waits to be {@linkplain JobQueue#closeBatch closed}
 * @param callbacks the jobs that run when it is over; they do not count as its jobs
 * @since 0.1.0
 */
public record Batch(String name, boolean open, List<Callback> callbacks) {

	/** Checks the name. */
	public Batch {
		RequestChecks.name("name", name);
		callbacks = List.copyOf(callbacks);
	}

	/**
	 * A batch that is over as soon as its jobs are.
	 * @param name for people
	 * @return a batch without callbacks
	 */
	public static Batch named(String name) {
		return new Batch(name, false, List.of());
	}

	/**
	 * Keeps the batch open until {@link JobQueue#closeBatch}: for jobs that are added
	 * from outside, bit by bit. Jobs of a batch can add to it without that.
	 * @return a changed copy
	 */
	public Batch keepOpen() {
		return new Batch(this.name, true, this.callbacks);
	}

	/**
	 * Has a job run when all jobs of the batch have succeeded; also if it has none. It is
	 * cancelled if one has not.
	 * @param request what to run
	 * @return a changed copy
	 */
	public Batch onSuccess(JobRequest request) {
		return with(Event.SUCCESS, request);
	}

	/**
	 * Has a job run when the batch is over and at least one of its jobs has failed for
	 * good. It is cancelled if none has.
	 * @param request what to run
	 * @return a changed copy
	 */
	public Batch onFailure(JobRequest request) {
		return with(Event.FAILURE, request);
	}

	/**
	 * Has a job run when the batch is over, whatever became of its jobs.
	 * @param request what to run
	 * @return a changed copy
	 */
	public Batch onFinish(JobRequest request) {
		return with(Event.FINISH, request);
	}

	private Batch with(Event event, JobRequest request) {
		Assert.isTrue(request.unique() == null && request.predecessors().ids().isEmpty(),
				"a job that runs after a batch has no unique key and runs after no other jobs");
		List<Callback> all = new ArrayList<>(this.callbacks);
		all.add(new Callback(event, request));
		return new Batch(this.name, this.open, all);
	}

	/** How a batch ended. */
	public enum Event {

		/** All of its jobs have succeeded. */
		SUCCESS,

		/** At least one has failed. */
		FAILURE,

		/** However that was. */
		FINISH

	}

	/**
	 * A job that runs when a batch is over.
	 *
	 * @param event how it is to have ended
	 * @param request what to run
	 */
	public record Callback(Event event, JobRequest request) {

	}

}
