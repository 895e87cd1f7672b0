package io.rowqueue.engine.lease;

import org.jspecify.annotations.Nullable;

/**
 * Progress that a handler has reported.
 *
 * @param lease the lease under which it runs
 * @param revision grows with each report of the attempt, so that a later report is never
 * replaced by an earlier one
 * @param done how much is done
 * @param total how much there is to do; 0 if unknown
 * @param message a text for people, or {@code null}
 */
public record ProgressReport(Lease lease, int revision, long done, long total, @Nullable String message) {

}
