package io.rowqueue.engine.figures;

import java.time.Duration;

/**
 * How long figures are kept.
 *
 * @param minutes those by minute
 * @param hours those by hour, and the processes that ran
 */
public record KeptFigures(Duration minutes, Duration hours) {

}
