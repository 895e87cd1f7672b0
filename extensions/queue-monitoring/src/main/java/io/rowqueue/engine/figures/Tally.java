package io.rowqueue.engine.figures;

import java.time.Instant;

/**
 * What happened to jobs in a minute or hour.
 *
 * @param name the name of a queue or type, or empty for all jobs
 * @param at its beginning
 * @param version the version of the application
 * @param counts what happened
 */
public record Tally(String name, Instant at, String version, Counts counts) {

}
