package io.pgqueue.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A registered worker.
 *
 * @param id its id
 * @param name its host and process
 * @param startedAt since when, by the database's clock
 * @param heartbeatAge how long ago it was last heard of
 * @param deadAt when the others gave it up, or {@code null}
 * @param listening whether its session was open when it last tried
 * @param queues the queues that it works for; {@code *}: all that it does not name
 * @param types the types that it can run
 * @param slots how many jobs it runs at once
 * @param held how many jobs it holds, those included that wait for a slot
 */
public record WorkerView(long id, String name, Instant startedAt, Duration heartbeatAge, @Nullable Instant deadAt,
		boolean listening, List<String> queues, List<String> types, int slots, int held) {

}
