package io.rowqueue.engine.outbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows since when the message broker cannot be reached. Writes one line when it goes
 * away and one when it is back, however many threads notice.
 */
public final class BrokerOutage {

	private static final Logger logger = LoggerFactory.getLogger(BrokerOutage.class);

	private final String broker;

	/** Since when each thread fails. */
	private final Map<String, Long> failing = new HashMap<>();

	private long since;

	/** When the latest thread found the broker again; 0: it was never away. */
	private volatile long backAt;

	/**
	 * Creates an outage that has not begun.
	 * @param broker the name of the broker
	 */
	public BrokerOutage(String broker) {
		this.broker = broker;
	}

	/**
	 * A request failed and will be tried again.
	 * @param who the thread
	 */
	public synchronized void report(String who, Throwable error) {
		long now = System.nanoTime();
		if (this.failing.isEmpty()) {
			this.since = now;
			logger.warn("{} is away or refuses requests; {} tries again until it answers. {}", this.broker, who,
					ErrorText.summaryOfRoot(error));
		}
		this.failing.putIfAbsent(who, now);
	}

	/**
	 * A request succeeded.
	 * @param who the thread
	 */
	public synchronized void over(String who) {
		if (this.failing.remove(who) == null) {
			return;
		}
		this.backAt = System.nanoTime();
		if (this.failing.isEmpty()) {
			logger.info("{} is back after {}", this.broker, Times.readable(Duration.ofNanos(this.backAt - this.since)));
		}
	}

	/**
	 * Returns how long a thread has been failing.
	 * @param who the thread
	 * @return the time since its first failure, zero if its latest request succeeded
	 */
	public synchronized Duration age(String who) {
		Long began = this.failing.get(who);
		return (began != null) ? Duration.ofNanos(System.nanoTime() - began) : Duration.ZERO;
	}

	/** Whether any thread fails, or did until less than that long ago. */
	public synchronized boolean wasWithin(Duration time) {
		return !this.failing.isEmpty() || (this.backAt != 0 && System.nanoTime() - this.backAt < time.toNanos());
	}

}
