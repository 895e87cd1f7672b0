package io.rowqueue.engine.figures;

import java.time.Instant;

/**
 * What was measured in a minute or hour.
 *
 * @param queue the queue, or empty for all
 * @param state the state or type, or empty
 * @param at the beginning of the minute or hour
 * @param value the latest value of a minute, or the average of an hour
 * @param highest the highest value
 */
public record Gauge(String queue, String state, Instant at, double value, double highest) {

}
