package io.pgqueue.engine.shard;

import java.time.Duration;
import java.util.function.Supplier;

import org.springframework.dao.ConcurrencyFailureException;

/** Waits until a move between shards has ended, with pauses between the attempts. */
final class MoveWait {

	/** A move takes a small part of this, unless its process has died. */
	private static final Duration LONGEST = Duration.ofSeconds(10);

	private static final Duration MIN_PAUSE = Duration.ofMillis(2);

	private static final Duration MAX_PAUSE = Duration.ofMillis(50);

	private final long begin = System.nanoTime();

	private Duration pause = MIN_PAUSE;

	/**
	 * Pauses before the next attempt.
	 * @param failure thrown if the move has not ended after 10 seconds
	 */
	void rest(Supplier<ConcurrencyFailureException> failure) {
		if (System.nanoTime() - this.begin > LONGEST.toNanos()) {
			throw failure.get();
		}
		try {
			Thread.sleep(this.pause.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure.get();
		}
		Duration doubled = this.pause.multipliedBy(2);
		this.pause = (doubled.compareTo(MAX_PAUSE) < 0) ? doubled : MAX_PAUSE;
	}

}
