package io.rowqueue.devkafka;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Settings of small brokers, each of which is a controller as well. */
final class BrokerSettings {

	private static final String HOST = "127.0.0.1:";

	private BrokerSettings() {
	}

	/** Settings that all brokers of a cluster have. */
	static Map<String, String> ofCluster(List<Integer> controllerPorts) {
		int brokers = controllerPorts.size();
		String replicas = Integer.toString(Math.min(brokers, 3));
		String required = (brokers > 1) ? "2" : "1";
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("process.roles", "broker,controller");
		settings.put("controller.quorum.voters",
				IntStream.rangeClosed(1, brokers)
					.mapToObj((id) -> id + "@" + HOST + controllerPorts.get(id - 1))
					.collect(Collectors.joining(",")));
		settings.put("controller.listener.names", "CONTROLLER");
		settings.put("inter.broker.listener.name", "PLAINTEXT");
		settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
		settings.put("auto.create.topics.enable", "false");
		settings.put("default.replication.factor", replicas);
		settings.put("min.insync.replicas", required);
		for (String topic : List.of("offsets.topic", "share.coordinator.state.topic", "transaction.state.log")) {
			settings.put(topic + ".replication.factor", replicas);
			settings.put(topic + ".num.partitions", "2");
		}
		settings.put("share.coordinator.state.topic.min.isr", required);
		settings.put("transaction.state.log.min.isr", required);
		settings.put("group.initial.rebalance.delay.ms", "0");
		// the memory and the threads of a server with many cores and topics
		settings.put("num.network.threads", "2");
		settings.put("num.io.threads", "2");
		settings.put("background.threads", "2");
		settings.put("log.cleaner.dedupe.buffer.size", "4194304");
		settings.put("log.segment.bytes", "16777216");
		settings.put("log.index.size.max.bytes", "262144");
		settings.put("metadata.log.segment.bytes", "8388608");
		// a dead broker is noticed soon
		settings.put("broker.heartbeat.interval.ms", "500");
		settings.put("broker.session.timeout.ms", "3000");
		return settings;
	}

	/** Settings of one broker. */
	static Map<String, String> ofBroker(int id, int port, int controllerPort) {
		String listeners = "PLAINTEXT://" + HOST + port + ",CONTROLLER://" + HOST + controllerPort;
		return Map.of("node.id", Integer.toString(id), "listeners", listeners, "advertised.listeners", listeners);
	}

}
