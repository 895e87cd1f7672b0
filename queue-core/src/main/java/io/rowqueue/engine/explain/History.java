package io.rowqueue.engine.explain;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What has happened to the latest jobs that have ended, of all queues: the basis of
 * estimates.
 *
 * @param known {@code false}: it was not read
 * @param ends how many jobs of the queue have ended in the last ten minutes
 * @param endsPerSecond how many of them have ended per second
 * @param shortRun the run time that one of ten jobs of the type stays below, or
 * {@code null} if none has succeeded
 * @param longRun the run time that one of ten jobs of the type exceeds
 */
public record History(boolean known, long ends, double endsPerSecond, @Nullable Duration shortRun,
		@Nullable Duration longRun) {

	/** The number of jobs that are read. */
	static final int JOBS = 1000;

	/** It was not read. */
	public static final History UNREAD = new History(false, 0, 0, null, null);

}
