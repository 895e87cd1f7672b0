package io.rowqueue.kafka;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.transport.TransportException;

/** Checks topic and group of each type once, when the broker can be reached. */
final class CarriedTypes {

	private final KafkaSettings settings;

	private final Topics topics;

	private final Groups groups;

	private final Map<String, CarriedType> checked = new ConcurrentHashMap<>();

	CarriedTypes(BrokerAdmin admin, KafkaSettings settings) {
		this.settings = settings;
		this.topics = new Topics(admin, settings);
		this.groups = new Groups(admin, this.topics);
	}

	/**
	 * Returns the type, after its topic and its group have been checked.
	 * @throws BrokerRefusalException if the broker cannot carry it
	 * @throws TransportException if the broker cannot be reached
	 */
	CarriedType get(String type) {
		CarriedType known = this.checked.get(type);
		return (known != null) ? known : check(type);
	}

	private synchronized CarriedType check(String type) {
		CarriedType known = this.checked.get(type);
		if (known == null) {
			if (!this.settings.types().contains(type)) {
				throw new IllegalArgumentException("Kafka does not carry jobs of the type " + type);
			}
			String topic = Names.topic(this.settings.schema(), type);
			this.topics.prepare(topic);
			known = this.groups.prepare(type, topic, this.settings.groupType());
			this.checked.put(type, known);
		}
		return known;
	}

}
