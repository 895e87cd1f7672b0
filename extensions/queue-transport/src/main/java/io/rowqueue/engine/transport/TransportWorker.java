package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.outbox.OutboxStore;
import io.rowqueue.engine.outbox.Relay;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.SlotListener;
import io.rowqueue.engine.outbox.BrokerOutage;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.transport.AvailabilityStore.Availability;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.listen.JobListener;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a worker that publishes new jobs to a broker and runs those that the broker
 * delivers, in the slots that claimed jobs run in.
 */
public final class TransportWorker implements WorkerPart, SlotListener {

	private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

	private static final Duration MAX_PARKING_INTERVAL = Duration.ofMillis(250);

	private static final Duration LAST_DELIVERIES = Duration.ofSeconds(3);

	private static final Logger logger = LoggerFactory.getLogger(TransportWorker.class);

	private final TransportParts parts;

	private final ParkStore parked;

	private final AvailabilityStore available;

	private final Pools pools;

	private final JobParking parking;

	private final ForeignRecords foreign;

	private final BrokerOutage broker;

	private final RedeliveryLookup lookUp;

	private final Relay relay;

	private final Loop parkingLoop;

	private final Pace look = Pace.dueNow(LOOK_EVERY);

	private final Outage outage;

	private volatile List<DeliveryReceiver> receivers = List.of();

	private List<DeadLetters> deadLetters = List.of();

	private volatile @Nullable Availability availability;

	private boolean closed;

	/**
	 * Creates it.
	 * @param workerId the worker, to which parked jobs are leased
	 * @param pools run the jobs
	 * @param wakeUps notified of jobs that can be claimed
	 * @param hooks who else takes part in running jobs
	 * @param listener notified of outcomes that do not count; it must return at once
	 * @param outage notified of failures and successes of the database
	 */
	public TransportWorker(TransportParts parts, long workerId, Pools pools, WakeUps wakeUps, WorkerHooks hooks,
			JobListener listener, Outage outage) {
		JobTransport transport = parts.transport();
		QueueDatabase database = parts.database();
		this.parts = parts;
		this.parked = new ParkStore(database);
		this.available = new AvailabilityStore(database);
		this.pools = pools;
		this.outage = outage;
		this.broker = new BrokerOutage(transport.name());
		this.parking = new JobParking(this.parked, workerId, transport.settings(), wakeUps::jobsArrived, listener,
				hooks.store());
		this.foreign = new ForeignRecords(new GivenIdStore(database), this.parked, wakeUps::jobsArrived, hooks.store());
		this.lookUp = new RedeliveryLookup(this.parked, this.foreign, this.broker, () -> this.availability);
		this.relay = new Relay(new OutboxStore(database, parts.dataSource()), transport, wakeUps, this.broker, outage);
		this.parkingLoop = new Loop("rowqueue-parking", outage,
				Times.shorter(transport.settings().parkAfter().dividedBy(4), MAX_PARKING_INTERVAL), this::park);
	}

	@Override
	public synchronized void start(Set<String> handled, TypeOptions options, Finisher finisher) {
		if (this.closed) {
			return; // the worker was stopped while it started
		}
		this.relay.start();
		if (this.parts.receives()) {
			receive(handled, options, finisher);
		}
	}

	private void receive(Set<String> handled, TypeOptions options, Finisher finisher) {
		ReceiverParts shared = new ReceiverParts(this.pools, options, finisher, this.parking, this.foreign, this.lookUp,
				() -> this.availability);
		this.receivers = this.parts.transport()
			.types()
			.stream()
			.filter(handled::contains)
			.map((type) -> new DeliveryReceiver(type, () -> consumer(type), shared, this.broker, this.outage))
			.toList();
		this.deadLetters = this.parts.transport()
			.types()
			.stream()
			.filter(handled::contains)
			.map((type) -> new DeadLetters(type, this.parts.transport().name(),
					() -> this.parts.transport().createDeadLetterConsumer(type), this.parked, this.foreign, this.broker,
					this.outage))
			.toList();
		this.deadLetters.forEach(DeadLetters::start);
		this.parkingLoop.start();
		this.receivers.forEach(DeliveryReceiver::start);
	}

	private JobConsumer consumer(String type) {
		JobConsumer consumer = this.parts.transport().createConsumer(type);
		consumer.onAcknowledgeFailure(this.lookUp::refused);
		return consumer;
	}

	private void park() {
		try {
			if (this.look.nextIfDue()) {
				this.availability = this.available.read();
				this.foreign.look();
			}
			this.parking.parkOld();
		}
		finally {
			this.parking.held().renew();
		}
		this.lookUp.writeRefused();
	}

	@Override
	public void jobsArrived(Arrivals arrivals) {
		if (arrivals.outbox()) {
			this.relay.wake();
		}
	}

	@Override
	public Consumer<AttemptOutcome> finished(Consumer<AttemptOutcome> written) {
		return (outcome) -> {
			CarriedJob carried = CarriedJob.of(outcome.job());
			if (carried == null || !this.parking.settle(outcome, carried)) {
				written.accept(outcome);
			}
		};
	}

	@Override
	public SlotListener slots(SlotListener claims) {
		return new SlotListener() {

			@Override
			public void slotFreed(Pool pool, String type) {
				claims.slotFreed(pool, type);
				TransportWorker.this.slotFreed(pool, type);
			}

			@Override
			public void slotTaken(Pool pool) {
				claims.slotTaken(pool);
				TransportWorker.this.slotTaken(pool);
			}

		};
	}

	@Override
	public UnaryOperator<List<AttemptOutcome>> leased() {
		return this.parking::lease;
	}

	@Override
	public void written(List<AttemptOutcome> outcomes) {
		this.parking.ended(outcomes);
	}

	@Override
	public void slotFreed(Pool pool, String type) {
		this.receivers.forEach(DeliveryReceiver::reconsider);
	}

	@Override
	public void slotTaken(Pool pool) {
		this.receivers.forEach(DeliveryReceiver::reconsider);
	}

	@Override
	public synchronized void stopReceiving() throws InterruptedException {
		this.relay.stop();
		this.receivers.forEach(DeliveryReceiver::stopReceiving);
		long deadline = System.nanoTime() + LAST_DELIVERIES.toNanos();
		for (DeliveryReceiver receiver : this.receivers) {
			receiver.awaitQuiet(Duration.ofNanos(deadline - System.nanoTime()));
		}
	}

	@Override
	public synchronized void close() throws InterruptedException {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.parkingLoop.stop();
		this.receivers.forEach(DeliveryReceiver::stop);
		this.deadLetters.forEach(DeadLetters::stop);
		this.relay.stop();
		List<Leaving> parts = new ArrayList<>();
		this.receivers.forEach((receiver) -> parts.add(receiver::close));
		this.deadLetters.forEach((letters) -> parts.add(letters::close));
		parts.add(this.relay::close);
		try {
			leave(parts);
		}
		finally {
			writeRefused();
		}
	}

	/** After an interrupt, no further thread is waited for. */
	private void leave(List<Leaving> parts) throws InterruptedException {
		@Nullable InterruptedException interrupted = null;
		long deadline = System.nanoTime() + LAST_DELIVERIES.toNanos();
		for (Leaving part : parts) {
			try {
				leave(part, (interrupted != null) ? Duration.ZERO : Duration.ofNanos(deadline - System.nanoTime()));
			}
			catch (InterruptedException ex) {
				interrupted = ex;
			}
		}
		if (interrupted != null) {
			throw interrupted;
		}
	}

	/** What the last clients have reported, nobody writes later. */
	private void writeRefused() {
		try {
			this.lookUp.writeRefused();
		}
		catch (RuntimeException ex) {
			logger.warn("Jobs that have ended may run again: neither the broker nor the database knows it. {}",
					ErrorText.summaryOfRoot(ex));
		}
	}

	/** The worker ends in any case, and the broker notices that it is gone. */
	private void leave(Leaving part, Duration timeout) throws InterruptedException {
		try {
			part.close(timeout);
		}
		catch (RuntimeException ex) {
			logger.warn("{} was not left in an orderly way, and notices later that this process has left: {}",
					this.parts.transport().name(), ErrorText.summaryOfRoot(ex));
			logger.debug("{} was not left in an orderly way", this.parts.transport().name(), ex);
		}
	}

	/** Ends a thread, and leaves the broker then, or has the thread leave it. */
	@FunctionalInterface
	private interface Leaving {

		void close(Duration timeout) throws InterruptedException;

	}

}
