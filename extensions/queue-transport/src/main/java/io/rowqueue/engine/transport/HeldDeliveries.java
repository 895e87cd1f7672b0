package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.engine.attempt.ActiveJob;

/**
 * The jobs that a broker delivered to this worker and that have not ended. Thread-safe.
 */
final class HeldDeliveries {

	private final Map<Long, ActiveJob> jobs = new ConcurrentHashMap<>();

	void add(ActiveJob job) {
		this.jobs.put(job.id(), job);
	}

	/** Removes the job if a broker delivered it. */
	void remove(ActiveJob job) {
		if (CarriedJob.of(job) != null) {
			this.jobs.remove(job.id(), job);
		}
	}

	Optional<ActiveJob> find(long id) {
		return Optional.ofNullable(this.jobs.get(id));
	}

	/** Whether the broker answers for a job of this type. */
	boolean hasUnparked(String type) {
		return this.jobs.values().stream().anyMatch((job) -> job.type().equals(type) && !carried(job).isParked());
	}

	/** Whether a job must be parked that is not parked yet. */
	boolean isParking() {
		return this.jobs.values().stream().anyMatch((job) -> carried(job).isParking());
	}

	/** The broker should not deliver to others what cannot be parked now. */
	void renew() {
		this.jobs.values()
			.stream()
			.map(HeldDeliveries::carried)
			.filter(CarriedJob::isParking)
			.forEach(CarriedJob::renew);
	}

	/**
	 * Returns the jobs that were delivered so long ago that they must be parked, and
	 * those whose handlers report progress.
	 */
	List<ActiveJob> old(Duration age, int limit) {
		return this.jobs.values().stream().filter((job) -> isOld(job, age)).limit(limit).toList();
	}

	private static boolean isOld(ActiveJob job, Duration age) {
		CarriedJob carried = carried(job);
		return !carried.isParked() && !carried.isLost()
				&& (Duration.ofNanos(carried.nanosSinceDelivery()).compareTo(age) >= 0 || job.hasUnwrittenProgress());
	}

	/** Returns what a delivered job has from its broker. */
	static CarriedJob carried(ActiveJob job) {
		return Objects.requireNonNull(CarriedJob.of(job));
	}

}
