package io.rowqueue.kafka.autoconfigure;

import io.rowqueue.kafka.BrokerRefusalException;
import io.rowqueue.kafka.KafkaTransport;
import io.rowqueue.transport.TransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Prepares topics and groups before the worker starts. An application starts without
 * Kafka, but not with one that loses jobs.
 */
class BrokerCheck implements SmartLifecycle {

	/** Before the worker, which starts with the phase {@code DEFAULT_PHASE - 100}. */
	private static final int PHASE = DEFAULT_PHASE - 200;

	private static final Logger logger = LoggerFactory.getLogger(BrokerCheck.class);

	private final KafkaTransport transport;

	private volatile boolean running;

	BrokerCheck(KafkaTransport transport) {
		this.transport = transport;
	}

	@Override
	public void start() {
		this.running = true;
		try {
			this.transport.prepare();
			logger.info("Kafka carries jobs of the types {}", this.transport.types());
		}
		catch (BrokerRefusalException ex) {
			throw ex;
		}
		catch (TransportException ex) {
			logger.warn("Kafka cannot be reached: jobs of the types {} wait in the database. {}",
					this.transport.types(), ex.getMessage());
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
