package io.rowqueue.engine.measure;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A table of the queue.
 *
 * @param name its name; that of a partitioned table stands for all partitions
 * @param liveRows the server's estimate of its rows
 * @param deadRows the server's estimate of its dead rows
 * @param bytes its size with indexes
 * @param lastVacuumAt when it was vacuumed last, or {@code null}
 */
public record TableSize(String name, long liveRows, long deadRows, long bytes, @Nullable Instant lastVacuumAt) {

}
