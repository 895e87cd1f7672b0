package io.pgqueue.engine.measure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.pgqueue.engine.support.LogText;
import io.pgqueue.engine.support.Times;

/**
 * Judges whether dead rows become a problem, before they are one. Used by one thread.
 */
final class HorizonWatch {

	/** From so many dead rows on, claims and sweeps take noticeably longer. */
	static final long MANY = 1_000_000;

	/** So many are ordinary: autovacuum begins at 5,000. */
	static final long FEW = 50_000;

	/** A transaction that began so many transactions ago is no short one. */
	static final long OLD = 10_000;

	/** So soon is worth a warning. */
	static final Duration SOON = Duration.ofMinutes(15);

	private final LongSupplier nanoTime;

	private long lastRows = -1;

	private long lastTime;

	private double rowsPerSecond;

	HorizonWatch(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** What follows from the latest look. */
	Judgement look(long deadRows, List<HorizonPin> pins) {
		long now = this.nanoTime.getAsLong();
		if (this.lastRows >= 0 && now > this.lastTime) {
			this.rowsPerSecond = (deadRows - this.lastRows) * 1e9 / (now - this.lastTime);
		}
		this.lastRows = deadRows;
		this.lastTime = now;
		Optional<HorizonPin> oldest = pins.stream().filter((pin) -> pin.age() >= OLD).findFirst();
		if (deadRows < FEW) {
			return new Judgement(false, "");
		}
		if (oldest.isEmpty()) {
			return new Judgement(true, "");
		}
		boolean soon = deadRows >= MANY || untilMany(deadRows).filter((left) -> left.compareTo(SOON) <= 0).isPresent();
		return new Judgement(false, soon ? warning(deadRows, oldest.get()) : "");
	}

	private Optional<Duration> untilMany(long deadRows) {
		return (this.rowsPerSecond <= 0) ? Optional.empty()
				: Optional.of(Duration.ofSeconds((long) ((MANY - deadRows) / this.rowsPerSecond)));
	}

	private String warning(long deadRows, HorizonPin pin) {
		String since = (pin.seconds() != null)
				? ", open for " + Times.readable(Duration.ofSeconds(pin.seconds().longValue())) : "";
		String growth = (deadRows >= MANY) ? ""
				: untilMany(deadRows).map((left) -> ", a million in about " + Times.readable(left)).orElse("");
		// any role names its sessions and prepared transactions as it likes
		return "A " + pin.kind() + ", " + LogText.oneLine(pin.who()) + since + ", began " + pin.age()
				+ " transactions ago and keeps the server from removing dead rows: " + deadRows
				+ " of the table of jobs" + growth + ". The queue works on but gets slower and bigger until that ends";
	}

	/**
	 * What to do.
	 *
	 * @param vacuum whether dead rows could be removed that nobody removes
	 * @param warning what to say; empty: nothing
	 */
	record Judgement(boolean vacuum, String warning) {

	}

}
