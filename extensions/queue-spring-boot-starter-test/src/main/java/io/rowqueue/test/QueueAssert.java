package io.rowqueue.test;

import java.util.List;

import io.rowqueue.Job;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/**
 * Assertions on the jobs that were enqueued since the test began, whatever their state.
 *
 * @since 0.1.0
 */
public final class QueueAssert extends AbstractAssert<QueueAssert, EnqueuedJobs> {

	QueueAssert(EnqueuedJobs actual) {
		super(actual, QueueAssert.class);
	}

	/**
	 * Verifies that no job was enqueued.
	 * @return this
	 */
	public QueueAssert hasNoJobs() {
		return hasJobs(0);
	}

	/**
	 * Verifies the number of enqueued jobs.
	 * @param expected the number of jobs
	 * @return this
	 */
	public QueueAssert hasJobs(int expected) {
		int jobs = this.actual.all().size();
		if (jobs != expected) {
			throw failure("Expected %s, but found %s. %s", number(expected), jobs, this.actual.describe());
		}
		return this;
	}

	/**
	 * Verifies the number of enqueued jobs of a type.
	 * @param type the type
	 * @param expected the number of jobs
	 * @return this
	 */
	public QueueAssert hasJobs(String type, int expected) {
		int jobs = ofType(type).size();
		if (jobs != expected) {
			throw failure("Expected %s of the type '%s', but found %s. %s", number(expected), type, jobs,
					this.actual.describe());
		}
		return this;
	}

	/**
	 * Verifies that no job of a type was enqueued.
	 * @param type the type
	 * @return this
	 */
	public QueueAssert hasNoJob(String type) {
		return hasJobs(type, 0);
	}

	/**
	 * Verifies that exactly one job of a type was enqueued.
	 * @param type the type
	 * @return assertions on that job
	 */
	public JobAssert hasJob(String type) {
		hasJobs(type, 1);
		return new JobAssert(ofType(type).get(0), this.actual);
	}

	/**
	 * Returns assertions on all enqueued jobs.
	 * @return assertions on the jobs, the oldest first
	 */
	public ListAssert<Job> jobs() {
		return Assertions.assertThat(this.actual.all());
	}

	/**
	 * Returns assertions on the enqueued jobs of a type.
	 * @param type the type
	 * @return assertions on the jobs, the oldest first
	 */
	public ListAssert<Job> jobs(String type) {
		return Assertions.assertThat(ofType(type));
	}

	private List<Job> ofType(String type) {
		return this.actual.all().stream().filter((job) -> job.type().equals(type)).toList();
	}

	private static String number(int jobs) {
		return (jobs == 1) ? "1 job" : jobs + " jobs";
	}

}
