package io.pgqueue.lab.scale;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.pgqueue.JobQueue;
import io.pgqueue.devkafka.DevKafka;
import io.pgqueue.lab.Sql;
import io.pgqueue.lab.scale.ScaleServer.Usage;
import io.pgqueue.postgres.Database;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What a job costs that Kafka carries, beside one that is in the database only; and how
 * fast a full topic is drained, beside a consumer that only counts.
 */
final class CarriedJobsRun {

	private static final String TOPIC = "pgqueue.pgqueue." + Instance.TYPE;

	/** Each publication waits for its answer. */
	private static final int THREADS = 32;

	/** When nothing has come for so long, the topic has been read. */
	private static final Duration END = Duration.ofSeconds(3);

	private final ScaleServer server;

	private final int jobs;

	private final Consumer<String> report;

	CarriedJobsRun(ScaleServer server, int jobs, Consumer<String> report) {
		this.server = server;
		this.jobs = jobs;
		this.report = report;
	}

	void run() throws Exception {
		measure("rests in the database", Map.of());
		try (DevKafka kafka = DevKafka.start(1, Map.of())) {
			measure("flies, outbox", carried(kafka));
			Map<String, Object> history = new HashMap<>(carried(kafka));
			history.put("pgqueue.kafka.history", "true");
			measure("flies, outbox, with history", history);
			bareConsumer(kafka);
		}
	}

	private static Map<String, Object> carried(DevKafka kafka) {
		return Map.of("pgqueue.kafka.types", Instance.TYPE, "pgqueue.kafka.group-type", "consumer",
				"pgqueue.kafka.properties[bootstrap.servers]", kafka.bootstrapServers());
	}

	/** Enqueues and publishes first, and drains then, by an instance that is warm. */
	private void measure(String name, Map<String, Object> properties) throws Exception {
		Database database = this.server.createDatabase();
		try (Instance worker = Instance.start(database, properties)) {
			worker.enqueue(this.jobs / 2);
			worker.awaitRan(this.jobs / 2);
			this.server.settle();
			Usage begin = this.server.usage();
			worker.enqueue(this.jobs);
			worker.awaitRan(this.jobs / 2 + this.jobs);
			awaitWritten(database);
			this.report.accept(name + ", enqueued (1,000 a commit) and run together: "
					+ this.server.usage().since(begin).each(this.jobs));
		}
		drain(name, database, properties);
	}

	private void drain(String name, Database database, Map<String, Object> properties) throws Exception {
		fill(database, properties);
		this.server.settle();
		Usage begin = this.server.usage();
		try (Instance worker = Instance.start(database, properties)) {
			worker.awaitRan(1);
			Usage first = this.server.usage();
			worker.awaitRan(this.jobs);
			awaitWritten(database);
			Usage drained = this.server.usage();
			this.report.accept(name + ", drain of " + this.jobs + ": " + drained.since(first).each(this.jobs) + " ("
					+ "%.1f s with the start of the application)".formatted(drained.since(begin).seconds()));
		}
	}

	/**
	 * A process without a worker has no relay: what is carried is published directly, by
	 * many threads.
	 */
	private void fill(Database database, Map<String, Object> properties) throws InterruptedException {
		Map<String, Object> filling = new HashMap<>(properties);
		filling.put("pgqueue.worker.enabled", "false");
		if (properties.isEmpty()) {
			try (Instance filler = Instance.start(database, filling)) {
				filler.enqueue(this.jobs);
			}
			return;
		}
		filling.put("pgqueue.kafka.enqueue", "direct");
		try (Instance filler = Instance.start(database, filling)) {
			JobQueue queue = filler.bean(JobQueue.class);
			List<Thread> threads = IntStream.range(0, THREADS)
				.mapToObj((number) -> new Thread(() -> IntStream.range(number, this.jobs)
					.filter((job) -> job % THREADS == number)
					.forEach((job) -> queue.enqueue(Instance.request()))))
				.toList();
			threads.forEach(Thread::start);
			for (Thread thread : threads) {
				thread.join();
			}
		}
	}

	private static void awaitWritten(Database database) throws SQLException, InterruptedException {
		while (Sql.number(database, "select count(*) from pgqueue.leased_jobs") > 0) {
			Thread.sleep(5);
		}
	}

	/** Reads the same records. */
	private void bareConsumer(DevKafka kafka) {
		Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", "bare",
				"auto.offset.reset", "earliest", "key.deserializer", ByteArrayDeserializer.class, "value.deserializer",
				ByteArrayDeserializer.class);
		try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
			consumer.subscribe(List.of(TOPIC));
			long records = 0;
			long begin = 0;
			long latest = 0;
			while (latest == 0 || System.nanoTime() - latest < END.toNanos()) {
				int polled = consumer.poll(Duration.ofMillis(200)).count();
				if (polled > 0) {
					records += polled;
					latest = System.nanoTime();
					begin = (begin == 0) ? latest : begin;
				}
			}
			this.report.accept("a bare consumer of the topic, %,d records: %,.0f records/s".formatted(records,
					records / ((latest - begin) / 1e9)));
		}
	}

}
