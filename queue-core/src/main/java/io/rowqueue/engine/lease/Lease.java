package io.rowqueue.engine.lease;

/**
 * A worker's right to run one attempt of a job. Every write about a leased job names it,
 * together with the worker, and is refused if the lease is no longer the job's.
 *
 * @param jobId the job
 * @param token the lease token, which grows with each claim of the job
 */
public record Lease(long jobId, int token) {

}
