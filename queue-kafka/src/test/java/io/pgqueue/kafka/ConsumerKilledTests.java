package io.pgqueue.kafka;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.pgqueue.transport.Delivery;
import io.pgqueue.transport.JobConsumer;
import io.pgqueue.transport.JobPublisher;
import io.pgqueue.transport.TransportSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a process may have started when it was killed is not delivered as new. */
class ConsumerKilledTests {

	private static final int JOBS = 10;

	@ParameterizedTest
	@EnumSource(names = { "CONSUMER", "SHARE" })
	void countsTheDeliveriesOfADeadProcess(GroupType groupType) throws Exception {
		String type = TestBroker.newType();
		try (KafkaTransport transport = TestBroker.transport(groupType, 1, type);
				JobPublisher publisher = transport.createPublisher()) {
			publisher.publish(Polling.jobs(type, 0, JOBS));
			killAProcessThatHasReceived(type, groupType);
			try (JobConsumer consumer = transport.createConsumer(type)) {
				List<Delivery> again = Polling.settle(consumer, JOBS);
				assertThat(again).hasSize(JOBS).extracting(Delivery::count).containsOnly(2);
				publisher.publish(Polling.jobs(type, JOBS, 3_000));
				List<Delivery> later = Polling.settle(consumer, 3_000);
				assertThat(later.get(later.size() - 1).count()).isEqualTo(1);
			}
		}
	}

	private static void killAProcessThatHasReceived(String type, GroupType groupType) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", classPath(), Receiver.class.getName(),
				TestBroker.kafka().bootstrapServers(), type, groupType.name())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try {
			var lines = process.inputReader().lines().iterator();
			String line = "";
			while (!line.equals(Receiver.RECEIVED) && lines.hasNext()) {
				line = lines.next();
			}
			assertThat(line).isEqualTo(Receiver.RECEIVED);
		}
		finally {
			process.destroyForcibly().waitFor();
		}
	}

	private static String classPath() {
		String surefire = System.getProperty("surefire.test.class.path");
		return (surefire != null) ? surefire
				: System.getProperty("java.class.path").replace(':', File.pathSeparatorChar);
	}

	/** A process that receives jobs and acknowledges none. */
	static final class Receiver {

		static final String RECEIVED = "received";

		private Receiver() {
		}

		public static void main(String[] args) throws InterruptedException {
			KafkaTransport transport = new KafkaTransport(
					new KafkaSettings("pgqueue", Set.of(args[1]), GroupType.valueOf(args[2]), 1, true),
					TransportSettings.DEFAULT, ClientSettings.of(args[0]));
			JobConsumer consumer = transport.createConsumer(args[1]);
			Polling.poll(consumer, JOBS);
			System.out.println(RECEIVED);
			while (true) {
				consumer.poll(0, Duration.ofMillis(100));
			}
		}

	}

}
