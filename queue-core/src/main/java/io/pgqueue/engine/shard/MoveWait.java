package io.pgqueue.engine.shard;

import java.time.Duration;
import java.util.function.Supplier;

import org.springframework.dao.ConcurrencyFailureException;

/** Waits until a move between shards has ended, with pauses between the attempts. */
final class MoveWait {

	/** A move takes a small part of this, unless its process has died. */
	private static final Duration LONGEST = Duration.ofSeconds(10);

	/** A move takes less, unless its process has died or the database is slow. */
	private static final Duration OVERDUE = Duration.ofMillis(500);

	private static final Duration MIN_PAUSE = Duration.ofMillis(2);

	private static final Duration MAX_PAUSE = Duration.ofMillis(50);

	private final Runnable overdue;

	private final long begin = System.nanoTime();

	private long nextOverdue = this.begin + OVERDUE.toNanos();

	private Duration pause = MIN_PAUSE;

	/**
	 * Creates the wait.
	 * @param overdue called again and again while the move takes long; returns at once
	 */
	MoveWait(Runnable overdue) {
		this.overdue = overdue;
	}

	/**
	 * Pauses before the next attempt.
	 * @param failure thrown if the move has not ended after 10 seconds
	 */
	void rest(Supplier<ConcurrencyFailureException> failure) {
		long now = System.nanoTime();
		if (now - this.begin > LONGEST.toNanos()) {
			throw failure.get();
		}
		if (now - this.nextOverdue >= 0) {
			this.overdue.run();
			this.nextOverdue = now + OVERDUE.toNanos();
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
