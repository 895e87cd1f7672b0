package io.rowqueue.engine.job;

import io.rowqueue.engine.lease.ClaimedJob;
import org.jspecify.annotations.Nullable;

/**
 * A job that was stored with a lease if it may run now.
 *
 * @param id the id of the job
 * @param leased the job with its lease; {@code null}: it was queued
 */
public record StoredJob(long id, @Nullable ClaimedJob leased) {

}
