package io.pgqueue.store;

import java.time.Duration;
import java.util.List;

/**
 * What was measured last, by whichever process did.
 *
 * @param age how long ago
 * @param figures the numbers
 */
public record Measurement(Duration age, List<Figure> figures) {

}
