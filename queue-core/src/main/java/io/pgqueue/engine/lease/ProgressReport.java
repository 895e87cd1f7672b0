package io.pgqueue.engine.lease;

import org.jspecify.annotations.Nullable;

/**
 * What a handler told of its progress.
 *
 * @param lease the lease under which it runs
 * @param revision grows with each report of the attempt: a later one is never replaced by
 * an earlier one
 * @param done how much is done
 * @param total how much there is; 0: not known
 * @param message for people, or {@code null}
 */
public record ProgressReport(Lease lease, int revision, long done, long total, @Nullable String message) {

}
