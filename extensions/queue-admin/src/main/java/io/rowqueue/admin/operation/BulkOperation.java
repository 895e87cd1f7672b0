package io.rowqueue.admin.operation;

import java.util.Set;

import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import org.jspecify.annotations.Nullable;

/**
 * A change of all jobs that a filter selects. It applies to the jobs that the filter
 * selects when it starts: a job that is enqueued, or claimed for another attempt, after
 * its start is not changed. Immutable: every method that sets a value returns a changed
 * copy.
 *
 * @since 0.1.0
 */
public final class BulkOperation {

	private final JobChange change;

	private final JobFilter filter;

	private final Operation.Actor actor;

	private final @Nullable String reason;

	private final @Nullable Long mostJobs;

	private BulkOperation(JobChange change, JobFilter filter, Operation.Actor actor, @Nullable String reason,
			@Nullable Long mostJobs) {
		this.change = change;
		this.filter = filter;
		this.actor = actor;
		this.reason = reason;
		this.mostJobs = mostJobs;
	}

	/**
	 * Creates an operation.
	 * @param change what is done
	 * @param filter which jobs; not {@link JobFilter#ALL}, as an unset variable in a
	 * script would select it, and not those that have finished, except to erase them
	 * @param who the name of the person or program
	 * @param via what is used: {@code dashboard}, {@code endpoint}, {@code code} or a
	 * name of your own
	 * @return the operation
	 * @throws IllegalArgumentException if the change cannot be made to such jobs
	 */
	public static BulkOperation of(JobChange change, JobFilter filter, String who, String via) {
		filter.requireSelective();
		if (filter.isFinished() && change.kind() != JobChange.Kind.ERASE) {
			throw new IllegalArgumentException("jobs that have succeeded or were cancelled cannot be changed");
		}
		if (change.kind() == JobChange.Kind.RETRY && !Set.of(JobListState.FAILED).equals(filter.states())) {
			throw new IllegalArgumentException(
					"retry is for failed jobs: the filter needs state=failed and no other state");
		}
		return new BulkOperation(change, filter, new Operation.Actor(who, via, null), null, null);
	}

	/**
	 * Sets the address that the request came from.
	 * @param address the address, or {@code null}
	 * @return a changed copy
	 */
	public BulkOperation address(@Nullable String address) {
		return new BulkOperation(this.change, this.filter, new Operation.Actor(who(), via(), address), this.reason,
				this.mostJobs);
	}

	/**
	 * Sets the reason.
	 * @param reason the reason, or {@code null}
	 * @return a changed copy
	 */
	public BulkOperation reason(@Nullable String reason) {
		return new BulkOperation(this.change, this.filter, this.actor, reason, this.mostJobs);
	}

	/**
	 * Sets the maximum number of jobs.
	 * @param jobs the number, or {@code null} for any
	 * @return a changed copy
	 */
	public BulkOperation mostJobs(@Nullable Long jobs) {
		if (jobs != null && jobs < 1) {
			throw new IllegalArgumentException("the maximum number of jobs must be positive, not " + jobs);
		}
		return new BulkOperation(this.change, this.filter, this.actor, this.reason, jobs);
	}

	/** Returns what is done. */
	public JobChange change() {
		return this.change;
	}

	/** Returns which jobs it is done to. */
	public JobFilter filter() {
		return this.filter;
	}

	/** Returns the name of the person or program. */
	public String who() {
		return this.actor.who();
	}

	/** Returns what is used. */
	public String via() {
		return this.actor.via();
	}

	/** Returns the address that the request came from, or {@code null}. */
	public @Nullable String address() {
		return this.actor.address();
	}

	/** Returns the reason, or {@code null}. */
	public @Nullable String reason() {
		return this.reason;
	}

	/** Returns the maximum number of jobs, or {@code null} for any. */
	public @Nullable Long mostJobs() {
		return this.mostJobs;
	}

}
