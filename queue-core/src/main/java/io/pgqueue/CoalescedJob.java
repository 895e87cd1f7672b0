package io.pgqueue;

import org.jspecify.annotations.Nullable;

/**
 * One of the jobs that are run in one call of their handler. Each of them is completed,
 * retried and fenced on its own.
 *
 * @param <P> what the payload is mapped to
 * @since 0.1.0
 */
public interface CoalescedJob<P> {

	/**
	 * The payload.
	 * @return {@code null} if the job has none
	 */
	@Nullable P payload();

	/**
	 * What is known about the attempt of this job.
	 * @return its own context
	 */
	JobContext context();

	/**
	 * Fails the attempt of this job alone: it ends as if its handler had thrown this,
	 * whatever becomes of the others. {@link SnoozeJobException},
	 * {@link FailJobException} and {@link CancelJobException} mean here what they mean
	 * when they are thrown.
	 * @param error why; the latest counts
	 */
	void fail(Throwable error);

}
