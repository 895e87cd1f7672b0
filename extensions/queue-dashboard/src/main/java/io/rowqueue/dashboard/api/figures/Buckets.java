package io.rowqueue.dashboard.api.figures;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.rowqueue.engine.figures.Counts;
import io.rowqueue.engine.figures.FigureRange;
import io.rowqueue.engine.figures.Gauge;
import io.rowqueue.engine.figures.Tally;
import org.jspecify.annotations.Nullable;

/**
 * The points of a chart: times of the same length, the last of which may not be over. The
 * current minute is not among them, since processes write it after it has ended.
 *
 * @param first the beginning of the first point
 * @param step how long each point is
 * @param points how many there are
 * @param at when the chart was read
 */
public record Buckets(Instant first, Duration step, int points, Instant at) {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	/** By then each process has written the minute that has ended. */
	private static final Duration WRITTEN_AFTER = Duration.ofSeconds(10);

	public static Buckets of(FigureRange range, Instant at) {
		return of(range.step(), (int) range.length().dividedBy(range.step()), at);
	}

	/** Minutes that each process has written: the last one does not grow any more. */
	public static Buckets ofMinutes(int points, Instant at) {
		return of(MINUTE, points, at.minus(WRITTEN_AFTER));
	}

	private static Buckets of(Duration length, int points, Instant at) {
		long step = length.toSeconds();
		long last = Math.floorDiv(at.minus(MINUTE).getEpochSecond(), step) * step;
		return new Buckets(Instant.ofEpochSecond(last - (points - 1) * step), length, points, at);
	}

	public List<Instant> times() {
		return all((point) -> this.first.plus(this.step.multipliedBy(point)));
	}

	/** Whether figures of the last point are still to come. */
	public boolean isLastUnfinished() {
		return end(this.points - 1).plus(WRITTEN_AFTER).isAfter(this.at);
	}

	/** How many minutes of a point processes have written. */
	public double minutes(int point) {
		Instant end = end(point).isAfter(written()) ? written() : end(point);
		return Math.max(1, Duration.between(this.first.plus(this.step.multipliedBy(point)), end).toMinutes());
	}

	/** The end of the latest minute that each process has written. */
	private Instant written() {
		return this.at.minus(WRITTEN_AFTER).truncatedTo(ChronoUnit.MINUTES);
	}

	private Instant end(int point) {
		return this.first.plus(this.step.multipliedBy(point + 1L));
	}

	private int index(Instant time) {
		long index = Math.floorDiv(time.getEpochSecond() - this.first.getEpochSecond(), this.step.toSeconds());
		return (index >= 0 && index < this.points) ? (int) index : -1;
	}

	/** The counts of each point; {@code null} where nothing was counted. */
	public List<@Nullable Counts> counts(List<Tally> tallies) {
		List<@Nullable Counts> sums = all((point) -> null);
		for (Tally tally : tallies) {
			int point = index(tally.at());
			if (point >= 0 && (this.step.equals(MINUTE) || tally.at().isBefore(written()))) {
				Counts before = sums.get(point);
				sums.set(point, (before != null) ? before.plus(tally.counts()) : tally.counts());
			}
		}
		return sums;
	}

	/** The highest value of each point; {@code null} where nothing was measured. */
	public List<@Nullable Double> highest(List<Gauge> gauges) {
		List<@Nullable Double> values = all((point) -> null);
		for (Gauge gauge : gauges) {
			int point = index(gauge.at());
			if (point >= 0) {
				Double before = values.get(point);
				values.set(point, (before != null) ? Math.max(before, gauge.highest()) : gauge.highest());
			}
		}
		return values;
	}

	private <T extends @Nullable Object> List<T> all(Function<Integer, T> value) {
		List<T> values = new ArrayList<>(this.points);
		for (int point = 0; point < this.points; point++) {
			values.add(value.apply(point));
		}
		return values;
	}

}
