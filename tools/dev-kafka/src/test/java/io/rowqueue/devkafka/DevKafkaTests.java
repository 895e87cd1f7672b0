package io.rowqueue.devkafka;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Tag("thorough")
class DevKafkaTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@Test
	void aBrokerThatWasKilledComesBackWithItsDataOnItsPort() throws Exception {
		try (DevKafka kafka = DevKafka.start(1, Map.of())) {
			String servers = kafka.bootstrapServers();
			create(kafka, "kept", 1);
			kafka.broker().kill();
			assertThat(kafka.broker().isRunning()).isFalse();
			kafka.broker().start();
			assertThat(kafka.bootstrapServers()).isEqualTo(servers);
			try (Admin admin = admin(kafka)) {
				assertThat(admin.listTopics().names().get()).contains("kept");
			}
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void aFrozenBrokerDoesNotAnswerUntilItIsResumed() throws Exception {
		try (DevKafka kafka = DevKafka.start(1, Map.of())) {
			kafka.broker().freeze();
			try (Admin admin = admin(kafka)) {
				assertThatExceptionOfType(ExecutionException.class)
					.isThrownBy(() -> admin.describeCluster().nodes().get());
			}
			kafka.broker().resume();
			await().atMost(PATIENCE).ignoreExceptions().until(() -> {
				try (Admin admin = admin(kafka)) {
					return admin.describeCluster().nodes().get().size() == 1;
				}
			});
		}
	}

	@Test
	void threeBrokersKeepThreeCopies() throws Exception {
		try (DevKafka kafka = DevKafka.start(3, Map.of())) {
			create(kafka, "copied", 2);
			try (Admin admin = admin(kafka)) {
				assertThat(admin.describeTopics(List.of("copied")).allTopicNames().get().get("copied").partitions())
					.allSatisfy((partition) -> assertThat(partition.replicas()).hasSize(3));
			}
		}
	}

	@Test
	void keepsItsDataInADirectory(@TempDir Path directory) throws Exception {
		try (DevKafka kafka = DevKafka.in(directory)) {
			create(kafka, "kept", 1);
		}
		try (DevKafka kafka = DevKafka.in(directory); Admin admin = admin(kafka)) {
			assertThat(admin.listTopics().names().get()).contains("kept");
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void endsWithTheProcessThatStartedIt() throws Exception {
		Process parent = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath(), Parent.class.getName())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		ProcessHandle broker;
		try (BufferedReader output = parent.inputReader()) {
			String line = output.readLine();
			while (line != null && !line.equals(Parent.STARTED)) {
				line = output.readLine();
			}
			assertThat(line).isEqualTo(Parent.STARTED);
			broker = parent.toHandle().children().findFirst().orElseThrow();
		}
		finally {
			parent.destroyForcibly().waitFor();
		}
		await().atMost(PATIENCE).until(() -> !broker.isAlive());
	}

	private static String classPath() {
		String surefire = System.getProperty("surefire.test.class.path");
		return (surefire != null) ? surefire : System.getProperty("java.class.path");
	}

	private static void create(DevKafka kafka, String topic, int partitions) throws Exception {
		try (Admin admin = admin(kafka)) {
			admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty()))).all().get();
		}
	}

	private static Admin admin(DevKafka kafka) {
		return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers(), "default.api.timeout.ms", 5_000,
				"request.timeout.ms", 4_000));
	}

	/** A process that starts a broker and is killed. */
	static final class Parent {

		static final String STARTED = "started";

		private Parent() {
		}

		public static void main(String[] args) throws InterruptedException {
			DevKafka.shared();
			System.out.println(STARTED);
			Thread.sleep(Duration.ofMinutes(10).toMillis());
		}

	}

}
