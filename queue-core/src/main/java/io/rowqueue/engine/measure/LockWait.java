package io.rowqueue.engine.measure;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A session that waits for a lock of another one.
 *
 * @param pid its process
 * @param application what it calls itself
 * @param lock what it waits for, such as {@code transactionid} or {@code relation}
 * @param since when its statement began, or {@code null} if the role may not see that
 * @param blockedBy the processes that it waits for
 */
public record LockWait(int pid, String application, String lock, @Nullable Instant since, List<Integer> blockedBy) {

}
