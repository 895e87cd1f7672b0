package io.rowqueue.engine.outbox;

import java.time.Duration;

import io.rowqueue.engine.support.Pace;

/**
 * Where a relay begins to read the outbox, so that it does not read rows again and again
 * that are deleted but still visible to an old snapshot. Ids are not committed in their
 * order: the relay reads again what it has read during the last second or two, and once a
 * second everything.
 */
final class OutboxMark {

	private static final Duration GENERATION = Duration.ofSeconds(1);

	private final Pace everything = Pace.dueNow(GENERATION);

	private final Pace generation = new Pace(GENERATION);

	private long mark;

	/** The mark of the next generation. */
	private long highest;

	/** Behind a full batch, while there are more jobs. */
	private long behindBatch;

	/** Returns the smallest id to read. */
	long from() {
		return this.everything.isDue() ? 0 : Math.max(this.mark, this.behindBatch);
	}

	/**
	 * A batch was read.
	 * @param from where it began
	 * @param last the largest id; 0 if there was no job
	 * @param full whether there may be more
	 * @param taken how long that took
	 */
	void read(long from, long last, boolean full, Duration taken) {
		if (from == 0) {
			this.everything.rest(taken);
		}
		if (this.generation.nextIfDue()) {
			this.mark = this.highest;
		}
		this.highest = Math.max(this.highest, last);
		this.behindBatch = full ? last + 1 : 0;
	}

}
