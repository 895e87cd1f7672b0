package io.rowqueue.engine.lease;

/**
 * Lines of an attempt's log that are written together.
 *
 * @param lease the lease under which the handler runs
 * @param number 1 for the first lines of the attempt
 * @param lines the lines, an array in JSON
 */
public record LogPart(Lease lease, int number, String lines) {

}
