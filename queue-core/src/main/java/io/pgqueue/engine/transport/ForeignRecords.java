package io.pgqueue.engine.transport;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Consumer;

import io.pgqueue.engine.codec.JobHeaders;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.support.HeaderNames;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.support.RequestChecks;
import io.pgqueue.engine.transport.GivenIdStore.Given;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.transport.Delivery;
import io.pgqueue.transport.JobMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

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

	/** Whether a delivery was found to be of a foreign record. */
	boolean isKnown(Delivery delivery) {
		return this.known.contains(delivery);
	}

	/**
	 * Stores those of the deliveries that are of foreign records, and returns the others.
	 * If it throws an exception, nothing is known of any of them.
	 */
	List<Delivery> store(Collection<Delivery> deliveries) {
		List<Delivery> own = new ArrayList<>(deliveries.size());
		Arrivals.Builder arrivals = new Arrivals.Builder();
		for (Delivery delivery : deliveries) {
			String objection = objection(delivery);
			if (objection == null) {
				own.add(delivery);
			}
			else {
				store(delivery, objection);
				arrivals.add(delivery.message().queue());
			}
		}
		if (own.size() < deliveries.size()) {
			this.queued.accept(arrivals.build());
		}
		return own;
	}

	/** Returns why the queue cannot have published it; {@code null}: it can have. */
	private @Nullable String objection(Delivery delivery) {
		if (isKnown(delivery)) {
			return "as found before";
		}
		String objection = objection(delivery.message());
		if (objection != null) {
			this.known.add(delivery);
		}
		return objection;
	}

	private @Nullable String objection(JobMessage message) {
		if (!isGiven(message.id())) {
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
		if (message.headers() != null && JobHeaders.read(message.headers()).isEmpty()) {
			return "its headers are no JSON object of texts";
		}
		return SafeParking.isTime(message.createdAt()) ? null : "its time is before 1970 or after 9999";
	}

	private boolean isGiven(long id) {
		Given latest = this.given;
		if (latest == null || !latest.contains(id)) {
			latest = this.ids.read();
			this.given = latest;
		}
		return latest.contains(id);
	}

	private void store(Delivery delivery, String objection) {
		JobMessage record = delivery.message();
		JobMessage job = JobMessage.of(record.id(), record.type(), record.queue(), 0)
			.maxAttempts(record.maxAttempts())
			.payload(record.payload())
			.headers(JobHeaders.write(plain(JobHeaders.read(record.headers()))));
		long id = SafeParking.enqueue(job, (storable) -> this.store.enqueue(storable, delivery.origin()));
		this.parked.parked(record.queue(), record.type(), REASON);
		logger.warn("The queue has not published {} ({}): it is job {} ({})", delivery.origin(), objection, id,
				record.type());
	}

	/** Those that a program may choose. */
	private static Map<String, String> plain(Map<String, String> headers) {
		Map<String, String> plain = new TreeMap<>(headers);
		plain.keySet().removeAll(HeaderNames.RESERVED);
		return plain;
	}

}
