package io.rowqueue.engine.measure;

import org.jspecify.annotations.Nullable;

/**
 * A transaction or slot that prevents the removal of dead rows, in this database or in
 * all.
 *
 * @param kind {@code session}, {@code prepared transaction}, {@code replication slot} or
 * {@code standby}
 * @param who its process, application or name
 * @param age its age in transactions
 * @param seconds how long its transaction is open, or {@code null} if that is unknown or
 * the role may not read it
 */
public record HorizonPin(String kind, String who, long age, @Nullable Double seconds) {

}
