package io.rowqueue.dashboard.api.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

import org.jspecify.annotations.Nullable;

/**
 * When the waiting jobs of a queue will have started, if jobs go on to arrive and to take
 * as long as they did: a fluid model, minute by minute. It is no promise.
 *
 * @param kind {@code idle}, {@code drains}, {@code steady}, {@code grows} or
 * {@code stopped}
 * @param minutes how long it takes until nothing waits, or {@code null} if it does not
 * end within a week
 * @param earliest the same with the highest capacity of the last hour
 * @param latest the same with the lowest capacity of the last hour
 * @param capacityPerMinute how many jobs can run in a minute while it may
 * @param arrivalsPerMinute how many jobs arrive in a minute
 * @param neededSlots how many slots keep up with the arrivals
 * @param backlog how many jobs will wait, at even distances
 * @param backlogStepMinutes the distance between two of them
 */
public record Forecast(String kind, @Nullable Long minutes, @Nullable Long earliest, @Nullable Long latest,
		double capacityPerMinute, double arrivalsPerMinute, @Nullable Integer neededSlots, List<Long> backlog,
		int backlogStepMinutes) {

	static final int MAX_MINUTES = 7 * 24 * 60;

	private static final int POINTS = 120;

	private static final double MINUTE_MILLIS = 60_000;

	/** Two numbers of jobs a minute that differ by less are the same. */
	private static final double SAME = 0.02;

	/**
	 * What is known of a queue.
	 *
	 * @param waiting how many jobs wait
	 * @param arrivalsPerMinute how many jobs arrive in a minute
	 * @param runMillis how long a job takes on average, or a negative number if that is
	 * not known
	 * @param slots how many jobs the workers run at once
	 * @param concurrency how many the limit allows at once, or {@code null}
	 * @param ratePerMinute how many the limit allows to start in a minute, or
	 * {@code null}
	 * @param seen how many were started in minutes with waiting jobs, from few to many;
	 * empty if that is not known
	 * @param isOpen whether jobs may run in a minute from now
	 */
	record Given(double waiting, double arrivalsPerMinute, double runMillis, int slots, @Nullable Integer concurrency,
			@Nullable Double ratePerMinute, List<Double> seen, LongPredicate isOpen) {

		/**
		 * As many as were really started, or what the slots allow if that is not known.
		 */
		double capacity(double share) {
			double allowed = (this.ratePerMinute != null) ? this.ratePerMinute : Double.MAX_VALUE;
			return Math.min(allowed, (this.seen.isEmpty() || this.slots == 0) ? bySlots()
					: this.seen.get((int) Math.round(share * (this.seen.size() - 1))));
		}

		private double bySlots() {
			int usable = (this.concurrency != null) ? Math.min(this.slots, this.concurrency) : this.slots;
			return (this.runMillis > 0) ? usable * MINUTE_MILLIS / this.runMillis : 0;
		}

	}

	static Forecast of(Given given) {
		double capacity = given.capacity(0.5);
		Long minutes = minutesUntilNothingWaits(given, capacity);
		int step = Math.max(1, (int) Math.ceil(((minutes != null) ? minutes : 24 * 60) / (double) POINTS));
		return new Forecast(kind(given, capacity, minutes), minutes,
				minutesUntilNothingWaits(given, given.capacity(0.9)),
				minutesUntilNothingWaits(given, given.capacity(0.1)), rounded(capacity),
				rounded(given.arrivalsPerMinute()), neededSlots(given), backlog(given, capacity, step), step);
	}

	private static @Nullable Integer neededSlots(Given given) {
		return (given.runMillis() > 0) ? (int) Math.ceil(given.arrivalsPerMinute() * given.runMillis() / MINUTE_MILLIS)
				: null;
	}

	private static @Nullable Long minutesUntilNothingWaits(Given given, double capacity) {
		double waiting = given.waiting();
		for (long minute = 0; minute < MAX_MINUTES; minute++) {
			if (waiting < 1) {
				return minute;
			}
			waiting = after(given, capacity, waiting, minute);
		}
		return null;
	}

	/**
	 * How long it takes until jobs have started, if no further job is before them;
	 * {@code null}: more than a week.
	 */
	static @Nullable Long minutesUntilStarted(Given given, double jobs) {
		double capacity = given.capacity(0.5);
		double waiting = jobs;
		for (long minute = 0; minute < MAX_MINUTES; minute++) {
			if (waiting < 1) {
				return minute;
			}
			waiting -= given.isOpen().test(minute) ? capacity : 0;
		}
		return null;
	}

	private static double after(Given given, double capacity, double waiting, long minute) {
		return Math.max(0, waiting + given.arrivalsPerMinute() - (given.isOpen().test(minute) ? capacity : 0));
	}

	private static List<Long> backlog(Given given, double capacity, int step) {
		List<Long> points = new ArrayList<>();
		double waiting = given.waiting();
		for (long minute = 0; minute <= (long) POINTS * step; minute++) {
			if (minute % step == 0) {
				points.add(Math.round(waiting));
			}
			waiting = after(given, capacity, waiting, minute);
		}
		return points;
	}

	private static String kind(Given given, double capacity, @Nullable Long minutes) {
		double growth = given.arrivalsPerMinute() - capacity;
		if (given.waiting() < 1 && growth <= 0) {
			return "idle";
		}
		if (capacity <= 0) {
			return "stopped";
		}
		if (minutes != null && growth < 0) {
			return "drains";
		}
		return (growth <= SAME * given.arrivalsPerMinute()) ? "steady" : "grows";
	}

	private static double rounded(double value) {
		return Math.round(value * 10) / 10.0;
	}

}
