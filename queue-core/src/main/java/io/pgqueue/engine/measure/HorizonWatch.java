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
	static final long SLOWING_DEAD_ROWS = 1_000_000;

	/** So many are ordinary: autovacuum begins at 5,000. */
	static final long ORDINARY_DEAD_ROWS = 50_000;

	/** A transaction that began so many transactions ago is no short one. */
	static final long MIN_PIN_AGE = 10_000;

	/** So soon is worth a warning. */
	static final Duration WARN_AHEAD = Duration.ofMinutes(15);

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
		Optional<HorizonPin> oldest = pins.stream().filter((pin) -> pin.age() >= MIN_PIN_AGE).findFirst();
		if (deadRows < ORDINARY_DEAD_ROWS) {
			return new Judgement(false, "");
		}
		if (oldest.isEmpty()) {
			return new Judgement(true, "");
		}
		boolean soon = deadRows >= SLOWING_DEAD_ROWS
				|| untilSlowing(deadRows).filter((left) -> left.compareTo(WARN_AHEAD) <= 0).isPresent();
		return new Judgement(false, soon ? warning(deadRows, oldest.get()) : "");
	}

	private Optional<Duration> untilSlowing(long deadRows) {
		return (this.rowsPerSecond <= 0) ? Optional.empty()
				: Optional.of(Duration.ofSeconds((long) ((SLOWING_DEAD_ROWS - deadRows) / this.rowsPerSecond)));
	}

	private String warning(long deadRows, HorizonPin pin) {
		String since = (pin.seconds() != null)
				? ", open for " + Times.readable(Duration.ofSeconds(pin.seconds().longValue())) : "";
		String growth = (deadRows >= SLOWING_DEAD_ROWS) ? ""
				: untilSlowing(deadRows).map((left) -> ", a million in about " + Times.readable(left)).orElse("");
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
