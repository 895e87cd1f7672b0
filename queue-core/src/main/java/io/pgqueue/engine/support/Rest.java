package io.pgqueue.engine.support;

import java.time.Duration;

/**
 * How long to rest after something that is done again and again, so that it takes no more
 * than a small part of the time, however slow it has become.
 *
 * @param times how many times as long as it took
 */
public record Rest(int times) {

	/** What took a millisecond is followed by twenty without it. */
	public static final Rest TWENTYFOLD = new Rest(20);

	/**
	 * How long to rest.
	 * @param taken how long it took
	 */
	public Duration after(Duration taken) {
		return taken.multipliedBy(this.times);
	}

	/**
	 * How long to rest if it is not to be done more often than it must be anyway.
	 * @param taken how long it took
	 * @param shortest how long to rest at least
	 */
	public Duration after(Duration taken, Duration shortest) {
		Duration rest = after(taken);
		return (rest.compareTo(shortest) > 0) ? rest : shortest;
	}

}
