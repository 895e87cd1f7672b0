package io.pgqueue.store;

import java.util.List;

/**
 * What a sweep over the queued jobs found.
 *
 * @param heads every lane that has queued jobs, the most urgent first
 * @param mark where a lane begins that was empty: a second before the sweep
 */
public record Sweep(List<LaneHead> heads, String mark) {

}
