package io.pgqueue.engine.measure;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who keeps the server from removing dead rows, in this database or in all.
 *
 * @param kind {@code session}, {@code prepared transaction}, {@code replication slot} or
 * {@code standby}
 * @param who its process, application or name
 * @param age how many transactions ago it began
 * @param seconds how long its transaction is open; {@code null}: unknown, or not allowed
 * to be known
 */
public record HorizonPin(String kind, String who, long age, @Nullable Double seconds) {

}
