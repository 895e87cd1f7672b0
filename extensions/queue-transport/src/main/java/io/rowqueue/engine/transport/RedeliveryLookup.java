package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rowqueue.engine.outbox.BrokerOutage;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.transport.AvailabilityStore.Availability;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds deliveries of jobs that the database has taken over or that have finished. A
 * broker that was away, or that has refused an acknowledgement, may deliver such jobs
 * again as if it were the first time: for a minute from then on each delivery is looked
 * up. So is each as long as the database knows of jobs that were moved from the outbox:
 * the broker may have stored them without an answer, and deliver them after all others.
 */
final class RedeliveryLookup {

	private static final Duration TIME = Duration.ofMinutes(1);

	/** More are not remembered while the database is away. */
	private static final int MAX_REFUSED = 100_000;

	private static final Logger logger = LoggerFactory.getLogger(RedeliveryLookup.class);

	private final ParkStore store;

	private final ForeignRecords foreign;

	private final BrokerOutage broker;

	private final Supplier<@Nullable Availability> availability;

	/** Jobs that have ended or are parked, although the broker may not know. */
	private final Set<Long> refused = ConcurrentHashMap.newKeySet();

	private volatile long refusedAt;

	private volatile boolean refusedOnce;

	RedeliveryLookup(ParkStore store, ForeignRecords foreign, BrokerOutage broker,
			Supplier<@Nullable Availability> availability) {
		this.store = store;
		this.foreign = foreign;
		this.broker = broker;
		this.availability = availability;
	}

	/** The broker may not have received these acknowledgements. Returns at once. */
	void refused(Collection<Delivery> deliveries) {
		if (this.refused.size() < MAX_REFUSED) {
			deliveries.stream()
				.filter((delivery) -> !this.foreign.isKnown(delivery))
				.forEach((delivery) -> this.refused.add(delivery.message().id()));
		}
		this.refusedAt = System.nanoTime();
		this.refusedOnce = true;
	}

	/** Records that these jobs have ended. */
	void writeRefused() {
		while (!this.refused.isEmpty()) {
			List<Long> ids = this.refused.stream().limit(1000).toList();
			this.store.over(ids);
			ids.forEach(this.refused::remove);
		}
	}

	/** Acknowledges the deliveries that are late, and returns the others. */
	List<Delivery> remaining(JobConsumer consumer, List<Delivery> deliveries) {
		if (!isNeeded()) {
			return deliveries;
		}
		Set<Long> known = known(deliveries);
		List<Delivery> late = new ArrayList<>();
		List<Delivery> remaining = new ArrayList<>();
		deliveries.forEach((delivery) -> (known.contains(delivery.message().id()) ? late : remaining).add(delivery));
		if (!late.isEmpty()) {
			consumer.acknowledge(late);
		}
		return remaining;
	}

	private boolean isNeeded() {
		@Nullable Availability read = this.availability.get();
		return read == null || read.moved() || (this.refusedOnce && System.nanoTime() - this.refusedAt < TIME.toNanos())
				|| this.broker.wasWithin(TIME);
	}

	private Set<Long> known(List<Delivery> deliveries) {
		List<Long> ids = deliveries.stream().map((delivery) -> delivery.message().id()).toList();
		Set<Long> known = ids.stream().filter(this.refused::contains).collect(Collectors.toCollection(HashSet::new));
		try {
			writeRefused(); // before another process gets one of them
			known.addAll(this.store.known(ids));
		}
		catch (RuntimeException ex) {
			logger.debug("Not all late deliveries can be recognized now: {}", ErrorText.summaryOfRoot(ex));
		}
		return known;
	}

}
