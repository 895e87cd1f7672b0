package io.rowqueue;

import org.jspecify.annotations.Nullable;

/**
 * One of several jobs that run in one call of their handler. Each of them is completed,
 * retried and fenced separately.
 *
 * @param <P> the type that the payload is mapped to
 * @since 0.1.0
 */
public interface CoalescedJob<P> {

	/**
	 * Returns the payload of this job.
	 * @return the payload, or {@code null} if the job has none
	 */
	@Nullable P payload();

	/**
	 * Returns the context of this job's attempt.
	 * @return the context, which the other jobs of the call do not share
	 */
	JobContext context();

	/**
	 * Fails the attempt of this job, but not those of the other jobs of the call, as if
	 * the handler had thrown the error for this job. {@link SnoozeJobException},
	 * {@link FailJobException} and {@link CancelJobException} have their usual meaning.
	 * @param error the error; the last call takes precedence
	 */
	void fail(Throwable error);

}
