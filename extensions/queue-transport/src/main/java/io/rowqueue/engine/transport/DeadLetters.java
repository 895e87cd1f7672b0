package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.rowqueue.engine.outbox.BrokerOutage;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.transport.ParkStore.ParkedJob;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Stores the jobs of one type that the broker has given up, as failed ones: they were
 * delivered too often, and no process has started or parked them.
 */
final class DeadLetters {

	private static final int MAX_JOBS = 100;

	private static final Duration WAIT = Duration.ofSeconds(1);

	private static final Logger logger = JobLog.logger();

	private final String name;

	private final String brokerName;

	private final ParkStore store;

	private final ForeignRecords foreign;

	private final BrokerOutage broker;

	private final Loop loop;

	private final Pace tries = Pace.dueNow(Duration.ZERO);

	/** What could not be stored. */
	private List<Delivery> unstored = List.of();

	private final ThreadConsumer consumer;

	DeadLetters(String type, String brokerName, Supplier<@Nullable JobConsumer> consumers, ParkStore store,
			ForeignRecords foreign, BrokerOutage broker, Outage outage) {
		this.foreign = foreign;
		this.name = "rowqueue-dead-" + type;
		this.brokerName = brokerName;
		this.consumer = new ThreadConsumer(consumers);
		this.store = store;
		this.broker = broker;
		this.loop = new Loop(this.name, outage, () -> Duration.ZERO, this::turn);
	}

	void start() {
		this.loop.start();
	}

	void stop() {
		this.loop.stop();
	}

	/** Ends the thread; the consumer is closed when it has ended. */
	void close(Duration timeout) throws InterruptedException {
		this.loop.stop();
		this.consumer.wakeUp();
		this.consumer.closeAfter(this.loop, timeout);
	}

	private void turn() throws InterruptedException {
		try {
			JobConsumer open = this.consumer.open();
			if (open == null) {
				this.loop.stop(); // this broker gives up no job
				return;
			}
			if (this.unstored.isEmpty()) {
				this.unstored = open.poll(MAX_JOBS, WAIT);
				this.broker.over(this.name);
			}
			store(open);
		}
		catch (TransportException ex) {
			this.broker.report(this.name, ex);
			this.tries.failed();
			Thread.sleep(this.tries.remaining().toMillis());
		}
		finally {
			if (this.loop.isStopped()) {
				this.consumer.ended();
			}
		}
	}

	private void store(JobConsumer open) {
		for (Delivery delivery : this.foreign.store(this.unstored)) {
			String error = "given up by " + this.brokerName + " after " + delivery.count()
					+ " deliveries: no process has started the job, or each one that did has died";
			List<Long> fresh = SafeParking.park(List.of(new ParkedJob(delivery.message(), delivery.count())),
					(jobs) -> this.store.fail(jobs, error));
			if (!fresh.isEmpty()) {
				logger.error("Job {} ({}) has failed: {}", delivery.message().id(), delivery.message().type(), error);
			}
		}
		if (!this.unstored.isEmpty()) {
			open.acknowledge(this.unstored);
			this.unstored = List.of();
		}
	}

}
