package io.rowqueue.lab.verify.load;

/**
 * What the producers were to do.
 *
 * @param rate jobs a second
 * @param begin {@link System#nanoTime()} of its begin
 * @param end and of its end
 */
public record Load(int rate, long begin, long end) {

}
