package io.rowqueue.lab.verify.fault;

import java.time.Duration;

/**
 * How long workers that are not heard of keep their jobs.
 *
 * @param worker those of most types
 * @param type those of the type with a lease of its own
 */
public record Leases(Duration worker, Duration type) {

	/** The shortest that Rowqueue allows. */
	private static final Duration LEAST = Duration.ofSeconds(5);

	/**
	 * With a lease for the type that is shorter than the one of the worker, if it can be.
	 */
	public static Leases of(Duration worker) {
		return new Leases(worker, (worker.compareTo(LEAST) > 0) ? LEAST : LEAST.plusSeconds(2));
	}

	/** The longer one. */
	public Duration longest() {
		return (this.worker.compareTo(this.type) > 0) ? this.worker : this.type;
	}

	/** The shorter one. */
	Duration shortest() {
		return (this.worker.compareTo(this.type) > 0) ? this.type : this.worker;
	}

}
