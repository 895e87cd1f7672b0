package io.rowqueue.engine.transport;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Consumer;

import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.support.HeaderNames;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.transport.GivenIdStore.Given;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Records that the queue cannot have published: any program that may write to a topic can
 * do so. They are enqueued as from SQL, once each, and get an id like any other job, so
 * that no record chooses the id of a later job. Thread-safe.
 */
final class ForeignRecords {

	private static final String REASON = "foreign";

	private static final Logger logger = JobLog.logger();

	private final GivenIdStore ids;

	private final ParkStore store;

	private final Consumer<Arrivals> queued;

	private final StoreListener parked;

	/** What was found to be foreign stays it, although its id may be given meanwhile. */
	private final Set<Delivery> known = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private volatile @Nullable Given given;

	/**
	 * Creates it.
	 * @param queued notified of jobs that can be claimed
	 * @param parked notified of stored jobs
	 */
	ForeignRecords(GivenIdStore ids, ParkStore store, Consumer<Arrivals> queued, StoreListener parked) {
		this.ids = ids;
		this.store = store;
		this.queued = queued;
		this.parked = parked;
	}

	/**
	 * Reads which ids were given. Regularly, so that jobs go on while the database is
	 * away, which gives none then.
	 */
	void look() {
		this.given = this.ids.read();
	}

	/** Whether a delivery was found to be of a foreign record. */
	boolean isKnown(Delivery delivery) {
		return this.known.contains(delivery);
	}

	/**
	 * Stores those of the deliveries that are of foreign records, and returns the others.
	 * If it throws an exception, nothing is known of any of them.
	 */
	List<Delivery> store(Collection<Delivery> deliveries) {
		Given latest = given(deliveries);
		List<Delivery> own = new ArrayList<>(deliveries.size());
		Map<Delivery, String> foreign = new LinkedHashMap<>();
		for (Delivery delivery : deliveries) {
			String objection = isKnown(delivery) ? "as found before" : objection(delivery.message(), latest);
			if (objection == null) {
				own.add(delivery);
			}
			else {
				foreign.put(delivery, objection);
			}
		}
		if (!foreign.isEmpty()) {
			this.known.addAll(foreign.keySet()); // each that is stored gives an id
			foreign.forEach(this::store);
			Arrivals.Builder arrivals = new Arrivals.Builder();
			foreign.keySet().forEach((delivery) -> arrivals.add(SafeParking.name(delivery.message().queue())));
			this.queued.accept(arrivals.build());
		}
		return own;
	}

	/** Reads it only if an id is higher than those that were given the last time. */
	private Given given(Collection<Delivery> deliveries) {
		Given latest = this.given;
		if (latest == null || !deliveries.stream().map(Delivery::message).allMatch(latest::contains)) {
			latest = this.ids.read();
			this.given = latest;
		}
		return latest;
	}

	/** Returns why the queue cannot have published it; {@code null}: it can have. */
	private static @Nullable String objection(JobMessage message, Given given) {
		if (message.id() <= 0) {
			return "it has no id";
		}
		if (!given.contains(message)) {
			return "the id " + message.id() + " was given to no job";
		}
		try {
			RequestChecks.name("queue", message.queue());
			if (message.maxAttempts() != null) {
				RequestChecks.smallint("max attempts", 1, message.maxAttempts());
			}
		}
		catch (IllegalArgumentException ex) {
			return ex.getMessage();
		}
		if (message.headers() != null && !message.headers().startsWith("{")) {
			return "its headers are no JSON object";
		}
		return SafeParking.isTime(message.createdAt()) ? null : "its time is before 1970 or after 9999";
	}

	private void store(Delivery delivery, String objection) {
		JobMessage record = delivery.message();
		JobMessage job = JobMessage.of(record.id(), record.type(), record.queue(), 0)
			.maxAttempts(record.maxAttempts())
			.payload(record.payload())
			.headers(JsonTexts.write(plain(JsonTexts.read(record.headers()))));
		long id = SafeParking.enqueue(job, (storable) -> this.store.enqueue(storable, delivery.origin()));
		this.parked.parked(SafeParking.name(record.queue()), record.type(), REASON);
		logger.atLevel((record.id() <= 0) ? Level.DEBUG : Level.WARN)
			.log("The queue has not published {} ({}): it is job {} ({})", delivery.origin(), objection, id,
					record.type());
	}

	/** Those that a program may choose. */
	private static Map<String, String> plain(Map<String, String> headers) {
		Map<String, String> plain = new TreeMap<>(headers);
		plain.keySet().removeAll(HeaderNames.RESERVED);
		return plain;
	}

}
