package io.rowqueue;

import java.time.Instant;

import org.slf4j.event.Level;

/**
 * A line of the log of a job.
 *
 * @param attempt the number of the attempt that logged it
 * @param lease the lease token of that attempt; later attempts have higher tokens
 * @param at when it was logged: the time of the claim by the database's clock, and the
 * time that has passed since then in the process of the worker
 * @param level the level
 * @param text the text, which may have several lines
 * @see JobLogger
 * @since 0.1.0
 */
public record JobLogLine(int attempt, int lease, Instant at, Level level, String text) {

}
