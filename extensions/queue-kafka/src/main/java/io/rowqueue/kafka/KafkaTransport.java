package io.rowqueue.kafka;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportException;
import io.rowqueue.transport.TransportSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/**
 * Kafka as the transport of jobs. Each type has a topic, and a group of the same name
 * that all its workers belong to. Nothing is sent to the broker before it is needed.
 */
public final class KafkaTransport implements JobTransport, AutoCloseable {

	private static final Duration LAG_AGE = Duration.ofSeconds(5);

	private final KafkaSettings settings;

	private final TransportSettings transportSettings;

	private final ClientSettings clients;

	private final BrokerAdmin admin;

	private final CarriedTypes carriedTypes;

	private final ConsumerFactory consumers;

	private final GroupProgress progress;

	private final Lag lag;

	/**
	 * Creates a transport.
	 * @param settings what is carried, and how
	 * @param transportSettings how the queue uses the transport
	 * @param clients how to reach the brokers
	 */
	public KafkaTransport(KafkaSettings settings, TransportSettings transportSettings, ClientSettings clients) {
		this.settings = settings;
		this.transportSettings = transportSettings;
		this.clients = clients;
		this.admin = new BrokerAdmin(clients);
		this.carriedTypes = new CarriedTypes(this.admin, settings);
		this.consumers = new ConsumerFactory(clients);
		this.progress = new GroupProgress(this.admin);
		this.lag = new Lag(this.carriedTypes, this.progress, LAG_AGE);
	}

	@Override
	public String name() {
		return "Kafka";
	}

	@Override
	public Set<String> types() {
		return this.settings.types();
	}

	@Override
	public TransportSettings settings() {
		return this.transportSettings;
	}

	/**
	 * Creates topics that are missing, configures groups, and checks both.
	 * @throws BrokerRefusalException if the broker cannot carry jobs as it is set up
	 * @throws TransportException if the broker cannot be reached
	 */
	public void prepare() {
		types().forEach(this.carriedTypes::get);
	}

	/** A type that the broker cannot carry does not keep jobs of the others. */
	@Override
	public JobPublisher createPublisher() {
		CheckedTopics topics = new CheckedTopics(this::topic, System::nanoTime);
		types().forEach(topics::of);
		return new KafkaPublisher(this.clients, topics, KafkaProducer::new);
	}

	/** Jobs of types that are not carried any more may still be in the outbox. */
	private String topic(String type) {
		if (types().contains(type)) {
			this.carriedTypes.get(type);
		}
		return Names.topic(this.settings.schema(), type);
	}

	@Override
	public JobConsumer createConsumer(String type) {
		return this.consumers.create(this.carriedTypes.get(type));
	}

	@Override
	public @Nullable JobConsumer createDeadLetterConsumer(String type) {
		CarriedType carried = this.carriedTypes.get(type);
		return carried.deadLetters() ? this.consumers.create(carried.ofDeadLetters()) : null;
	}

	/** A type whose records cannot be deleted does not keep those of the others. */
	@Override
	public void deleteAcknowledged() {
		AcknowledgedRecords records = new AcknowledgedRecords(this.admin, this.progress);
		TransportException failure = null;
		for (String type : types()) {
			try {
				records.delete(this.carriedTypes.get(type));
			}
			catch (TransportException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	@Override
	public OptionalLong lag(String type) {
		return this.lag.of(type);
	}

	/**
	 * Returns why the broker did not answer the last question about the lag of a type.
	 * @param type one of {@link #types()}
	 * @return the message; empty if it has answered, or has not been asked yet
	 */
	public Optional<String> lagError(String type) {
		return this.lag.error(type);
	}

	@Override
	public void close() {
		this.lag.close();
		this.admin.close();
	}

}
