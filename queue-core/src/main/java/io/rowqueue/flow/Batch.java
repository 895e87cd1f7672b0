package io.rowqueue.flow;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * A group of jobs that are counted together, see {@link JobQueue#enqueueBatch}.
 * Immutable: every method that sets a value returns a changed copy, and throws
 * {@link IllegalArgumentException} if the value is not allowed.
 *
 * <pre class="code">
 * queue.enqueueBatch(Batch.named("import").onFinish(JobRequest.of("import-summary", id)), rows)
 * </pre>
 *
 * A batch has finished when it is closed and each of its jobs has succeeded, failed
 * permanently or been cancelled. This is detected once, within half a second, and starts
 * the callbacks of the batch. If jobs of a finished batch are retried, its counts change,
 * but its callbacks do not run again.
 *
 * @since 0.1.0
 */
public final class Batch {

	private final String name;

	private final boolean open;

	private final List<Callback> callbacks;

	private Batch(String name, boolean open, List<Callback> callbacks) {
		RequestChecks.name("name", name);
		this.name = name;
		this.open = open;
		this.callbacks = List.copyOf(callbacks);
	}

	/**
	 * Creates a batch that finishes as soon as its jobs have finished.
	 * @param name a name for people, of at most {@value JobRequest#MAX_NAME_LENGTH}
	 * characters, which need not be unique
	 * @return a batch without callbacks
	 */
	public static Batch named(String name) {
		return new Batch(name, false, List.of());
	}

	/**
	 * Keeps the batch open until {@link JobQueue#closeBatch} is called, so that jobs can
	 * be added later. Jobs of the batch can add others to it without this.
	 * @return a changed copy
	 */
	public Batch keepOpen() {
		return new Batch(this.name, true, this.callbacks);
	}

	/**
	 * Adds a job that runs when all jobs of the batch have succeeded, or when the batch
	 * is empty. It is cancelled if a job of the batch has not succeeded.
	 * @param request the job
	 * @return a changed copy
	 */
	public Batch onSuccess(JobRequest request) {
		return with(Event.SUCCESS, request);
	}

	/**
	 * Adds a job that runs when the batch has finished and at least one of its jobs has
	 * failed permanently. It is cancelled if no job has failed.
	 * @param request the job
	 * @return a changed copy
	 */
	public Batch onFailure(JobRequest request) {
		return with(Event.FAILURE, request);
	}

	/**
	 * Adds a job that runs when the batch has finished, whether or not its jobs have
	 * succeeded.
	 * @param request the job
	 * @return a changed copy
	 */
	public Batch onFinish(JobRequest request) {
		return with(Event.FINISH, request);
	}

	private Batch with(Event event, JobRequest request) {
		Assert.isTrue(request.unique() == null && request.predecessors().ids().isEmpty(),
				"a callback of a batch cannot have a unique key or predecessors");
		List<Callback> all = new ArrayList<>(this.callbacks);
		all.add(new Callback(event, request));
		return new Batch(this.name, this.open, all);
	}

	/** Returns the name of the batch. */
	public String name() {
		return this.name;
	}

	/** Returns whether the batch stays open until it is closed. */
	public boolean open() {
		return this.open;
	}

	/** Returns the jobs that run when the batch has finished; they are not counted. */
	public List<Callback> callbacks() {
		return this.callbacks;
	}

	@Override
	public String toString() {
		return "Batch[" + this.name + "]";
	}

	/** The way in which a batch finished. */
	public enum Event {

		/** All of its jobs have succeeded. */
		SUCCESS,

		/** At least one of its jobs has failed permanently. */
		FAILURE,

		/** Any of them. */
		FINISH

	}

	/**
	 * A job that runs when a batch has finished.
	 *
	 * @param event the condition for the job
	 * @param request the job
	 */
	public record Callback(Event event, JobRequest request) {

	}

}
