package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Distinguishes the first of many similar events from those of the same minute that
 * follow it.
 *
 * @param <K> what makes two events alike
 */
public final class FirstOfAMinute<K> {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private static final int MAX_KEYS = 1000;

	private final Map<K, Long> latest = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/** Creates it with nothing known. */
	public FirstOfAMinute() {
		this(System::nanoTime);
	}

	FirstOfAMinute(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Whether none of its kind was the first within the last minute. */
	public boolean test(K event) {
		long now = this.nanoTime.getAsLong();
		Long before = this.latest.get(event);
		if (before != null && now - before < MINUTE) {
			return false;
		}
		if (this.latest.size() >= MAX_KEYS) {
			this.latest.clear();
		}
		return (before != null) ? this.latest.replace(event, before, now) : this.latest.putIfAbsent(event, now) == null;
	}

}
