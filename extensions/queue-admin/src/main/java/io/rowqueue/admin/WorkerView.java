package io.rowqueue.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A registered worker.
 *
 * @param id the id
 * @param name the host and process
 * @param startedAt when the worker was registered, by the database's clock
 * @param heartbeatAge the time since its last heartbeat
 * @param deadAt when it was declared dead, or {@code null}
 * @param listening whether its notification session was open at the last check
 * @param queues the queues that it has slots for; {@code *} for all others
 * @param types the types that it has handlers for
 * @param slots how many jobs it runs at the same time
 * @param held how many jobs it holds, including those that wait for a slot
 * @param quiet whether it claims no more jobs until it is resumed
 * @param queueSlots how many jobs it runs at the same time, by queue; {@code *} for all
 * others
 * @param lease how old its heartbeat may become before it is declared dead
 */
public record WorkerView(long id, String name, Instant startedAt, Duration heartbeatAge, @Nullable Instant deadAt,
		boolean listening, List<String> queues, List<String> types, int slots, int held, boolean quiet,
		Map<String, Integer> queueSlots, Duration lease) {

}
