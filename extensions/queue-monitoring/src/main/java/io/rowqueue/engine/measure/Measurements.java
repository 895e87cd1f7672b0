package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.Optional;

import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/**
 * The figures for meters and health, in memory. At each interval, one process of the
 * cluster measures, and all others read its result, which is one row. A measurement that
 * takes long is followed by a longer pause, up to a maximum.
 */
public final class Measurements {

	private static final String TASK = "measure";

	/** The pause after a measurement, as a multiple of its duration. */
	private static final int REST_FACTOR = 50;

	/** Figures that are older than two minutes raise an alert. */
	static final Duration LONGEST_REST = Duration.ofSeconds(100);

	private final MeasurementStore store;

	private final MaintenanceStore tasks;

	private final Duration interval;

	private final Duration overdue;

	private long lastNanos;

	/**
	 * The shorter of the last two durations, since a measurement that waited for a lock
	 * says nothing about the next one.
	 */
	private long usualNanos;

	private volatile @Nullable Reading latest;

	private volatile boolean requested;

	private volatile Runnable onRequest = () -> {
	};

	/**
	 * Creates the measurements.
	 * @param store measures, and reads measurements
	 * @param tasks decides which process measures
	 * @param interval the time between measurements of the cluster
	 * @param overdue how long after its deadline a queued job is overdue
	 */
	public Measurements(MeasurementStore store, MaintenanceStore tasks, Duration interval, Duration overdue) {
		this.store = store;
		this.tasks = tasks;
		this.interval = interval;
		this.overdue = overdue;
	}

	/**
	 * Reads the latest measurement, and measures if that is old and it is the turn of
	 * this process. Must be called by one thread at a time.
	 */
	public void refresh() {
		Optional<Measurement> found = this.store.read();
		if (isOld(found) && this.tasks.take(TASK, pause())) {
			long begin = System.nanoTime();
			this.store.measure(this.overdue);
			long nanos = System.nanoTime() - begin;
			this.usualNanos = Math.min(nanos, this.lastNanos);
			this.lastNanos = nanos;
			found = this.store.read();
		}
		this.latest = found.map((measurement) -> new Reading(measurement, System.nanoTime())).orElse(null);
	}

	/**
	 * Asks for the first measurement, which otherwise comes one interval after the start:
	 * most of what starts is not looked at so soon.
	 */
	public void request() {
		if (!this.requested) {
			this.requested = true;
			this.onRequest.run();
		}
	}

	/** Returns whether somebody has asked. */
	public boolean isRequested() {
		return this.requested;
	}

	/**
	 * Sets what the first request does.
	 * @param action returns at once
	 */
	public void onRequest(Runnable action) {
		this.onRequest = action;
	}

	private boolean isOld(Optional<Measurement> found) {
		return found.map((measurement) -> measurement.age().compareTo(this.interval) >= 0).orElse(true);
	}

	private Duration pause() {
		return pause(Duration.ofNanos(this.usualNanos), this.interval);
	}

	static Duration pause(Duration usual, Duration interval) {
		return Times.longer(Times.shorter(usual.multipliedBy(REST_FACTOR), LONGEST_REST), interval);
	}

	/**
	 * Returns the measurement that was read last, from memory. The first call
	 * {@linkplain #request() asks} for one.
	 * @return the measurement with its current age; empty if none was ever read
	 */
	public Optional<Measurement> latest() {
		request();
		Reading reading = this.latest;
		return (reading == null) ? Optional.empty()
				: Optional.of(new Measurement(reading.measurement.age().plusNanos(System.nanoTime() - reading.at),
						reading.measurement.figures()));
	}

	/** Returns the interval of the cluster. */
	public Duration interval() {
		return this.interval;
	}

	/** Returns the longest time from one measurement of the cluster to the next. */
	public Duration longestPause() {
		return Times.longer(LONGEST_REST, this.interval);
	}

	private record Reading(Measurement measurement, long at) {

	}

}
