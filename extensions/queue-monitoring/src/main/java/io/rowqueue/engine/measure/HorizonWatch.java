package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.rowqueue.engine.support.LogText;
import io.rowqueue.engine.support.Times;

/**
 * Detects whether dead rows will become a problem. Not thread-safe.
 */
final class HorizonWatch {

	/** The number of dead rows from which on claims and sweeps take noticeably longer. */
	static final long SLOWING_DEAD_ROWS = 1_000_000;

	/** A usual number of dead rows; autovacuum begins at 5,000. */
	static final long ORDINARY_DEAD_ROWS = 50_000;

	/** The age, in transactions, from which on a transaction is not considered short. */
	static final long MIN_PIN_AGE = 10_000;

	/** How long before {@link #SLOWING_DEAD_ROWS} are reached to warn. */
	static final Duration WARN_AHEAD = Duration.ofMinutes(15);

	private final LongSupplier nanoTime;

	private long lastRows = -1;

	private long lastTime;

	private double rowsPerSecond;

	HorizonWatch(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Judges the latest figures. */
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
		// all roles can choose the names of their sessions and prepared transactions
		return "A " + pin.kind() + ", " + LogText.oneLine(pin.who()) + since + ", began " + pin.age()
				+ " transactions ago and keeps the server from removing dead rows: " + deadRows
				+ " of the table of jobs" + growth + ". The queue becomes slower and larger until that ends";
	}

	/**
	 * The action to take.
	 *
	 * @param vacuum whether there are dead rows that can be removed and autovacuum has
	 * not
	 * @param warning the warning to log, or an empty text
	 */
	record Judgement(boolean vacuum, String warning) {

	}

}
