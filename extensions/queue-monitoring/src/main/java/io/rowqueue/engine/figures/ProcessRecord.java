package io.rowqueue.engine.figures;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A process that runs or ran jobs.
 *
 * @param workerId the id of its worker
 * @param info what it said of itself
 * @param startedAt when it started
 * @param endedAt when it ended, or {@code null} if it runs
 * @param how {@code stopped}, {@code lost} or {@code null}
 * @param succeeded how many jobs have succeeded
 * @param failed how many attempts have failed
 * @param succeededPerMinute how many jobs succeeded a minute, in its latest report
 * @param failedPerMinute how many attempts failed a minute, in its latest report
 * @param load how busy it was in its latest report
 * @param seenAt when that was; a process that does nothing does not report it again
 */
public record ProcessRecord(long workerId, ProcessInfo info, Instant startedAt, @Nullable Instant endedAt,
		@Nullable String how, long succeeded, long failed, double succeededPerMinute, double failedPerMinute,
		ProcessLoad load, Instant seenAt) {

}
