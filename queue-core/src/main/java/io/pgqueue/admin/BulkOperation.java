package io.pgqueue.admin;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A change of all jobs that a filter selects. It applies to the jobs that the filter
 * selects when it starts: jobs that are enqueued, or claimed for another attempt, after its
 * start are not changed.
 *
 * @param change what is done
 * @param filter which jobs; not those that have finished
 * @param mostJobs the maximum number of jobs, or {@code null} for any number
 * @param who the name of the person or program
 * @param via what is used: {@code dashboard}, {@code endpoint}, {@code code} or a name of
 * your own
 * @param address the address that the request came from, or {@code null}
 * @param reason why, or {@code null}
 * @since 0.1.0
 */
public record BulkOperation(JobChange change, JobFilter filter, @Nullable Long mostJobs, String who, String via,
		@Nullable String address, @Nullable String reason) {

	/** Checks that the change can be made. */
	public BulkOperation {
		if (filter.isFinished()) {
			throw new IllegalArgumentException("jobs that have succeeded or were cancelled cannot be changed");
		}
		if (change.kind() == JobChange.Kind.RETRY && !Set.of(JobListState.FAILED).equals(filter.states())) {
			throw new IllegalArgumentException("retry is for failed jobs: the filter needs state=failed and no other state");
		}
		if (mostJobs != null && mostJobs < 1) {
			throw new IllegalArgumentException("the maximum number of jobs must be positive, not " + mostJobs);
		}
	}

	/**
	 * A change by code.
	 * @param change what is done
	 * @param filter which jobs
	 * @param who the name of the program
	 */
	public static BulkOperation of(JobChange change, JobFilter filter, String who) {
		return new BulkOperation(change, filter, null, who, "code", null, null);
	}

	/** Returns the same with a reason. */
	public BulkOperation because(String reason) {
		return new BulkOperation(this.change, this.filter, this.mostJobs, this.who, this.via, this.address, reason);
	}

	/** Returns the same for a maximum number of jobs. */
	public BulkOperation atMost(long jobs) {
		return new BulkOperation(this.change, this.filter, jobs, this.who, this.via, this.address, this.reason);
	}

}
