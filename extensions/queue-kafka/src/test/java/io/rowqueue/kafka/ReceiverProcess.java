package io.rowqueue.kafka;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.TransportException;
import io.rowqueue.transport.TransportSettings;

import static org.assertj.core.api.Assertions.assertThat;

/** A process that receives jobs and acknowledges none. */
final class ReceiverProcess implements AutoCloseable {

	/** Written when it has received the jobs. */
	static final String RECEIVED = "received";

	/** Written after a long pause, if it may start none of the jobs. */
	static final String REVOKED = "revoked";

	private static final String OWNED = "owned";

	private static final Duration LONG_PAUSE = Duration.ofSeconds(4);

	private final Process process;

	private final Iterator<String> lines;

	private ReceiverProcess(Process process) {
		this.process = process;
		this.lines = process.inputReader().lines().iterator();
	}

	static ReceiverProcess start(String type, GroupType groupType, int jobs) throws IOException {
		return new ReceiverProcess(
				new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
						"-XX:TieredStopAtLevel=1", "-cp", classPath(), ReceiverProcess.class.getName(),
						TestBroker.kafka().bootstrapServers(), type, groupType.name(), Integer.toString(jobs))
					.redirectError(ProcessBuilder.Redirect.INHERIT)
					.start());
	}

	private static String classPath() {
		String surefire = System.getProperty("surefire.test.class.path");
		return (surefire != null) ? surefire
				: System.getProperty("java.class.path").replace(':', File.pathSeparatorChar);
	}

	/** Fails if it writes any of the other lines before. */
	void awaitLine(String expected) {
		String line = "";
		while (!Set.of(RECEIVED, REVOKED, OWNED).contains(line) && this.lines.hasNext()) {
			line = this.lines.next();
		}
		assertThat(line).isEqualTo(expected);
	}

	void signal(String name) throws IOException, InterruptedException {
		int status = new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).inheritIO()
			.start()
			.waitFor();
		assertThat(status).isZero();
	}

	/** As {@code kill -9} does. */
	@Override
	public void close() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	public static void main(String[] args) throws InterruptedException {
		KafkaTransport transport = new KafkaTransport(
				new KafkaSettings("rowqueue", Set.of(args[1]), GroupType.valueOf(args[2]), 1, true),
				TransportSettings.DEFAULT, ClientSettings.of(args[0]));
		JobConsumer consumer = Polling.patiently(() -> transport.createConsumer(args[1]));
		List<Delivery> received = Polling.poll(consumer, Integer.parseInt(args[3]));
		System.out.println(RECEIVED);
		long latest = System.nanoTime();
		while (true) {
			if (System.nanoTime() - latest > LONG_PAUSE.toNanos()) {
				System.out.println(received.stream().allMatch(consumer::isRevoked) ? REVOKED : OWNED);
			}
			latest = System.nanoTime();
			try {
				consumer.poll(0, Duration.ofMillis(100));
			}
			catch (TransportException ex) {
				System.err.println(ex.getMessage());
			}
		}
	}

}
