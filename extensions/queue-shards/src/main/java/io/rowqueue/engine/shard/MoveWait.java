package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.function.Supplier;

import org.springframework.dao.ConcurrencyFailureException;

/** Waits until a move between shards has ended, with pauses between the attempts. */
final class MoveWait {

	/** A move takes a small part of this, unless its process has died. */
	static final Duration LONGEST = Duration.ofSeconds(10);

	/** A move takes less, unless its process has died or the database is slow. */
	private static final Duration OVERDUE = Duration.ofMillis(500);

	private static final Duration MIN_PAUSE = Duration.ofMillis(2);

	private static final Duration MAX_PAUSE = Duration.ofMillis(50);

	private final Runnable overdue;

	private final Duration longest;

	private final long begin = System.nanoTime();

	private long nextOverdue = this.begin + OVERDUE.toNanos();

	private Duration pause = MIN_PAUSE;

	/**
	 * Creates the wait.
	 * @param overdue called again and again while the move takes long; returns at once
	 * @param longest how long to wait
	 */
	MoveWait(Runnable overdue, Duration longest) {
		this.overdue = overdue;
		this.longest = longest;
	}

	/**
	 * Pauses before the next attempt.
	 * @param failure thrown if the move has not ended in time
	 */
	void rest(Supplier<ConcurrencyFailureException> failure) {
		long now = System.nanoTime();
		if (Duration.ofNanos(now - this.begin).compareTo(this.longest) > 0) {
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
