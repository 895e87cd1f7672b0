package io.rowqueue.devkafka;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka for development and tests that needs nothing installed: one broker or
 * several, each in a process of its own, on ports of the loopback address. The processes
 * end when it is closed, and when this JVM ends in whatever way.
 */
public final class DevKafka implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DevKafka.class);

	/** Any id is as good as another: nothing else runs on these ports. */
	private static final String CLUSTER = "cGdxdWV1ZS1kZXYta2Fma2E";

	private static @Nullable DevKafka sharedKafka;

	private final List<DevBroker> brokers;

	private final Path home;

	private final boolean temporary;

	private DevKafka(Path home, boolean temporary, List<DevBroker> brokers) {
		this.home = home;
		this.temporary = temporary;
		this.brokers = brokers;
	}

	/**
	 * The broker for the tests of this JVM. It ends with the JVM.
	 * @return the broker, running
	 */
	public static DevKafka shared() {
		synchronized (DevKafka.class) {
			if (sharedKafka == null) {
				sharedKafka = start(1, Map.of());
			}
			return sharedKafka;
		}
	}

	/**
	 * Starts brokers whose data is deleted when they are closed.
	 * @param brokers how many; topics have up to three replicas
	 * @param settings settings of {@code server.properties}; {@code feature.NAME} is the
	 * level of a feature of the new cluster
	 * @return the brokers, running
	 * @throws IllegalStateException if one of them does not start
	 */
	public static DevKafka start(int brokers, Map<String, String> settings) {
		return start(Directories.temporary(), true, brokers, settings);
	}

	/**
	 * Starts one broker with its data in a directory.
	 * @param directory where data and log are kept; created if absent
	 * @return the broker, running
	 * @throws IllegalStateException if it does not start
	 */
	public static DevKafka in(Path directory) {
		return start(directory.toAbsolutePath().normalize(), false, 1, Map.of());
	}

	private static DevKafka start(Path home, boolean temporary, int count, Map<String, String> settings) {
		List<Integer> ports = Ports.free(2 * count);
		List<String> format = new ArrayList<>(List.of(CLUSTER));
		Map<String, String> all = new LinkedHashMap<>(BrokerSettings.ofCluster(ports.subList(count, 2 * count)));
		settings.forEach((name, value) -> {
			if (name.startsWith("feature.")) {
				format.add(name.substring("feature.".length()) + "=" + value);
			}
			else {
				all.put(name, value);
			}
		});
		List<DevBroker> brokers = new ArrayList<>();
		for (int id = 1; id <= count; id++) {
			Map<String, String> own = new LinkedHashMap<>(all);
			own.putAll(BrokerSettings.ofBroker(id, ports.get(id - 1), ports.get(count + id - 1)));
			brokers.add(new DevBroker(id, ports.get(id - 1), home.resolve("broker-" + id), own, temporary ? home : null,
					format));
		}
		DevKafka kafka = new DevKafka(home, temporary, List.copyOf(brokers));
		try {
			brokers.forEach(DevBroker::launch);
			brokers.forEach(DevBroker::awaitReady);
		}
		catch (RuntimeException ex) {
			kafka.killAll();
			throw ex;
		}
		logger.info("Kafka {} at {}", version(), kafka.bootstrapServers());
		return kafka;
	}

	/**
	 * The version of the brokers.
	 * @return version, such as {@code 4.2.1}
	 */
	public static String version() {
		return BrokerClassPath.version();
	}

	/**
	 * The addresses of the brokers, as {@code bootstrap.servers} takes them.
	 * @return host and port of each, separated by commas
	 */
	public String bootstrapServers() {
		return this.brokers.stream().map((broker) -> "127.0.0.1:" + broker.port()).collect(Collectors.joining(","));
	}

	/**
	 * The brokers.
	 * @return brokers in the order of their numbers
	 */
	public List<DevBroker> brokers() {
		return this.brokers;
	}

	/**
	 * The only broker, or the first one.
	 * @return broker 1
	 */
	public DevBroker broker() {
		return this.brokers.get(0);
	}

	/** Stops the brokers; temporary data is deleted. */
	@Override
	public void close() {
		if (!this.temporary) {
			this.brokers.forEach(DevBroker::stop);
		}
		killAll();
	}

	private void killAll() {
		this.brokers.forEach(DevBroker::kill);
		if (this.temporary && Files.exists(this.home)) {
			Directories.delete(this.home);
		}
	}

}
