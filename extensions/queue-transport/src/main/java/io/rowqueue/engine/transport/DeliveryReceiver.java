package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.claim.WakeFlag;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.outbox.BrokerOutage;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.transport.AvailabilityStore.Availability;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.TransportException;

/**
 * Receives the jobs of one type, in a thread of its own, as many as the pools have room
 * for, and brings them to the slots. Jobs that may have been started elsewhere, that this
 * worker cannot run now, or whose pool has long been full, are parked.
 */
final class DeliveryReceiver {

	/** How long the consumer waits for jobs. */
	private static final Duration WAIT = Duration.ofMillis(500);

	/** How soon the consumer is called again while there is no room. */
	private static final Duration PAUSE = Duration.ofMillis(50);

	/** How many jobs of a type that is not run here are parked at once. */
	private static final int JOBS_TO_PARK = 200;

	private final String type;

	private final String name;

	/** Its turns succeed while it cannot park. */
	private final String parkingName;

	private final ReceiverParts parts;

	private final BrokerOutage broker;

	private final Outage outage;

	private final Loop loop;

	private final WakeFlag wakeFlag = new WakeFlag();

	private final Pace parkAgain = Pace.dueNow(Duration.ZERO);

	private final Pace pollAgain = Pace.dueNow(Duration.ZERO);

	private final CountDownLatch quiet = new CountDownLatch(1);

	private final DeliveryRoom room;

	/** What is to be parked, and could not be. */
	private List<Delivery> unparked = List.of();

	private final ThreadConsumer consumer;

	private volatile boolean stopping;

	DeliveryReceiver(String type, Supplier<JobConsumer> consumers, ReceiverParts parts, BrokerOutage broker,
			Outage outage) {
		this.type = type;
		this.name = "rowqueue-receiver-" + type;
		this.parkingName = this.name + " (parking)";
		this.consumer = new ThreadConsumer(consumers);
		this.parts = parts;
		this.room = new DeliveryRoom(type, parts.pools(), parts.parking().patience(), System::nanoTime);
		this.broker = broker;
		this.outage = outage;
		this.loop = new Loop(this.name, outage, this::turn);
	}

	void start() {
		this.loop.start();
	}

	/** There may be room. */
	void reconsider() {
		this.wakeFlag.raise();
	}

	/** Receives no more jobs; the consumer stays. */
	void stopReceiving() {
		this.stopping = true;
		this.wakeFlag.raise();
		this.consumer.wakeUp();
	}

	/** Waits until no more jobs can come. Returns whether that came true in time. */
	boolean awaitQuiet(Duration timeout) throws InterruptedException {
		return this.quiet.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** Lets the turn that is under way be the last. */
	void stop() {
		this.loop.stop();
		stopReceiving();
	}

	/** Ends the thread; the consumer is closed when it has ended. */
	void close(Duration timeout) throws InterruptedException {
		stop();
		this.consumer.closeAfter(this.loop, timeout);
	}

	void turn() throws InterruptedException {
		boolean last = this.stopping;
		try {
			if (this.pollAgain.isDue()) {
				receive();
			}
			else {
				this.wakeFlag.await(PAUSE);
			}
		}
		catch (TransportException ex) {
			this.broker.report(this.name, ex);
			this.pollAgain.failed();
		}
		finally {
			if (last) {
				this.quiet.countDown();
			}
			if (this.loop.isStopped()) {
				this.consumer.ended();
			}
		}
	}

	private void receive() throws InterruptedException {
		if (this.parts.pools().isQuiet() && this.unparked.isEmpty()
				&& !this.parts.parking().held().hasUnparked(this.type)) {
			this.consumer.leave(); // others get what this worker would keep
			this.wakeFlag.await(PAUSE);
			return;
		}
		JobConsumer open = Objects.requireNonNull(this.consumer.open());
		parkAgain(open);
		Availability available = this.parts.availability().get();
		int room = (available != null) ? room(available) : 0;
		List<Delivery> deliveries = (room > 0) ? open.poll(room, WAIT) : open.poll(0, Duration.ZERO);
		this.broker.over(this.name);
		this.pollAgain.hurry();
		if (!deliveries.isEmpty() && available != null) {
			take(open, deliveries, available);
		}
		if (room > 0) {
			this.room.share(deliveries.size() >= room);
		}
		else {
			this.wakeFlag.await(PAUSE);
		}
	}

	/** How many jobs to receive. */
	private int room(Availability available) {
		if (this.stopping || !this.unparked.isEmpty() || this.parts.parking().isBehind()
				|| this.parts.finisher().isBehind() || available.pausedTypes().contains(this.type)) {
			return 0;
		}
		if (available.limitedTypes().contains(this.type)) {
			return JOBS_TO_PARK;
		}
		return this.room.jobs();
	}

	private void parkAgain(JobConsumer open) {
		if (this.unparked.isEmpty() || !this.parkAgain.isDue()) {
			return;
		}
		List<Delivery> again = this.unparked;
		this.unparked = List.of();
		park(open, again, "again");
	}

	private void take(JobConsumer open, List<Delivery> deliveries, Availability available) {
		Map<String, List<Delivery>> parked = new HashMap<>();
		Map<Pool, List<ActiveJob>> jobs = new HashMap<>();
		Set<Pool> blocked = new HashSet<>();
		Map<Long, CarriedJob> received = new HashMap<>();
		for (Delivery delivery : this.parts.lookUp().remaining(open, own(open, deliveries))) {
			if (isHeld(open, delivery, received)) {
				continue;
			}
			Pool pool = pool(delivery, available).orElse(null);
			if (delivery.count() > 1 || pool == null) {
				add(parked, (delivery.count() > 1) ? "again" : "unavailable", delivery);
			}
			else if (this.room.isBlocked(pool)) {
				blocked.add(pool);
				add(parked, "full", delivery);
			}
			else {
				CarriedJob carried = new CarriedJob(open, delivery, this.parts.parking());
				received.put(delivery.message().id(), carried);
				jobs.computeIfAbsent(pool, (added) -> new ArrayList<>()).add(this.parts.job(carried, available));
			}
		}
		dispatch(jobs);
		this.room.delivered(jobs.keySet(), blocked);
		parked.forEach((reason, some) -> park(open, some, reason));
	}

	/**
	 * Acknowledges the records that the queue has not published when they are stored, and
	 * returns the others: none if the database that has to be asked is away.
	 */
	private List<Delivery> own(JobConsumer open, List<Delivery> deliveries) {
		List<Delivery> own;
		try {
			own = this.parts.foreign().store(deliveries);
		}
		catch (RuntimeException ex) {
			unparked(open, deliveries, ex);
			return List.of();
		}
		if (own.size() < deliveries.size()) {
			List<Delivery> foreign = new ArrayList<>(deliveries);
			foreign.removeAll(own);
			open.acknowledge(foreign);
		}
		return own;
	}

	private static void add(Map<String, List<Delivery>> parked, String reason, Delivery delivery) {
		parked.computeIfAbsent(reason, (added) -> new ArrayList<>()).add(delivery);
	}

	/**
	 * This is the second delivery of a job of those just received, or the job was
	 * delivered before and has not ended here.
	 */
	private boolean isHeld(JobConsumer open, Delivery delivery, Map<Long, CarriedJob> received) {
		long id = delivery.message().id();
		CarriedJob carried = received.get(id);
		if (carried == null) {
			carried = this.parts.parking().held().find(id).map(CarriedJob::of).orElse(null);
		}
		if (carried == null) {
			return false;
		}
		return switch (carried.deliveredAgain(delivery)) {
			case DUPLICATE -> true;
			case LATE -> {
				open.acknowledge(List.of(delivery));
				yield true;
			}
			case NEW -> false;
		};
	}

	/** Nothing if this worker does not run the job now. */
	private Optional<Pool> pool(Delivery delivery, Availability available) {
		String jobType = delivery.message().type();
		String queue = delivery.message().queue();
		boolean run = this.type.equals(jobType) && !available.limitedTypes().contains(jobType)
				&& !available.isClosed(queue);
		return run ? this.parts.pools().of(queue) : Optional.empty();
	}

	private void dispatch(Map<Pool, List<ActiveJob>> jobs) {
		jobs.forEach((pool, own) -> {
			own.forEach(this.parts.parking().held()::add);
			own.sort(ActiveJob.MOST_URGENT_FIRST);
			if (!pool.jobs().add(own)) {
				this.parts.finisher().release(own);
			}
		});
	}

	private void park(JobConsumer open, List<Delivery> deliveries, String reason) {
		try {
			this.parts.parking().queue(this.parts.foreign().store(deliveries), reason);
			this.parkAgain.hurry();
			this.outage.over(this.parkingName);
			open.acknowledge(deliveries);
		}
		catch (RuntimeException ex) {
			unparked(open, deliveries, ex);
		}
	}

	private void unparked(JobConsumer open, List<Delivery> deliveries, RuntimeException error) {
		this.outage.report(this.parkingName, error);
		this.parkAgain.failed();
		List<Delivery> all = new ArrayList<>(this.unparked);
		all.addAll(deliveries);
		this.unparked = all;
		open.renew(deliveries);
	}

}
