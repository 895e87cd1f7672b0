package io.rowqueue.devkafka;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;

/**
 * The program of a broker's process. It ends with the process that started it, however
 * that ended: the other end of its standard input is closed then.
 */
final class BrokerProcess {

	/** The line that says that the broker accepts requests. */
	static final String READY = "broker is ready";

	/** The system property that names a directory to delete at the end. */
	static final String TEMPORARY = "dev-kafka.temporary";

	private BrokerProcess() {
	}

	/**
	 * Formats the storage if it is new, and runs the broker.
	 * @param args the file of the settings, the id of the cluster, and features with
	 * their levels
	 */
	public static void main(String[] args) throws IOException {
		endWithParent();
		Properties settings = new Properties();
		try (Reader reader = Files.newBufferedReader(Path.of(args[0]))) {
			settings.load(reader);
		}
		List<String> format = new ArrayList<>(
				List.of("format", "--config", args[0], "--cluster-id", args[1], "--ignore-formatted"));
		Arrays.stream(args).skip(2).forEach((feature) -> format.addAll(List.of("--feature", feature)));
		int status = StorageTool.execute(format.toArray(String[]::new), System.out);
		if (status != 0) {
			System.exit(status);
		}
		KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
		Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
		server.startup();
		System.out.println(READY);
		server.awaitShutdown();
	}

	private static void endWithParent() {
		Thread thread = new Thread(() -> {
			try {
				while (System.in.read() >= 0) {
					// nothing is written to it
				}
			}
			catch (IOException ex) {
				System.out.println("The process that started this broker cannot be observed: " + ex);
			}
			String temporary = System.getProperty(TEMPORARY);
			if (temporary != null) {
				delete(Path.of(temporary)); // the other brokers end as well
			}
			Runtime.getRuntime().halt(0);
		}, "parent");
		thread.setDaemon(true);
		thread.start();
	}

	/** As far as the broker, which still runs, lets it. */
	private static void delete(Path directory) {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			System.out.println(directory + " is not deleted: " + ex);
		}
	}

}
