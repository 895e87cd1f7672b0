package io.rowqueue.lab.scale;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.rowqueue.JobQueue;
import io.rowqueue.devkafka.DevKafka;
import io.rowqueue.lab.Sql;
import io.rowqueue.lab.scale.ScaleServer.Usage;
import io.rowqueue.postgres.Database;

/**
 * What a job costs that Kafka carries, beside one that is in the database only; and how
 * fast a full topic is drained, beside a full table and bare consumers.
 */
final class CarriedJobsRun {

	private static final String TOPIC = "rowqueue.rowqueue." + Instance.TYPE;

	/** Each publication waits for its answer. */
	private static final int THREADS = 32;

	/** Handlers that do a little, in microseconds of computing. */
	private static final List<Integer> WORK_MICROS = List.of(5, 20);

	/** Drains take turns. */
	private static final int ROUNDS = 3;

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
			history.put("rowqueue.kafka.history", "true");
			measure("flies, outbox, with history", history);
			for (int round = 1; round <= ROUNDS; round++) {
				drains(kafka, round);
			}
		}
	}

	/**
	 * The bare consumers read first: what Rowqueue has acknowledged may be deleted. They
	 * may have records of earlier rounds as well.
	 */
	private void drains(DevKafka kafka, int round) throws Exception {
		Database full = this.server.createDatabase();
		fill(full, Map.of());
		double database = drain(full, Map.of(), 0);
		Database empty = this.server.createDatabase();
		fill(empty, carried(kafka));
		double counted = BareConsumer.counting(kafka.bootstrapServers(), TOPIC).read("counts-" + round);
		double handled = BareConsumer.handling(kafka.bootstrapServers(), TOPIC, 0).read("handles-" + round);
		double topic = drain(empty, carried(kafka), 0);
		this.report
			.accept(("round %d: drain of the table %,.0f jobs/s, of the topic %,.0f jobs/s (%.2f); a bare consumer that"
					+ " counts %,.0f records/s (%.2f of it), one that reads the payload and calls a handler %,.0f records/s (%.2f of it)")
				.formatted(round, database, topic, topic / database, counted, topic / counted, handled,
						topic / handled));
		for (int work : WORK_MICROS) {
			drainsWithWork(kafka, round, work);
		}
	}

	private void drainsWithWork(DevKafka kafka, int round, int work) throws Exception {
		Database empty = this.server.createDatabase();
		fill(empty, carried(kafka));
		double handled = BareConsumer.handling(kafka.bootstrapServers(), TOPIC, work)
			.read("works-" + work + "-" + round);
		double topic = drain(empty, carried(kafka), work);
		this.report.accept(
				"round %d, handlers that compute for %d µs: topic %,.0f jobs/s; a bare consumer %,.0f records/s (%.2f of it)"
					.formatted(round, work, topic, handled, topic / handled));
	}

	private static Map<String, Object> carried(DevKafka kafka) {
		return Map.of("rowqueue.kafka.types", Instance.TYPE, "rowqueue.kafka.group-type", "consumer",
				"rowqueue.kafka.properties[bootstrap.servers]", kafka.bootstrapServers());
	}

	/** Enqueues and runs at the same time, by an instance that is warm. */
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
	}

	/** Returns jobs per second, from the first that runs until the last is over. */
	private double drain(Database database, Map<String, Object> properties, int work) throws Exception {
		this.server.settle();
		Map<String, Object> working = new HashMap<>(properties);
		working.put(Instance.WORK, work);
		try (Instance worker = Instance.start(database, working)) {
			worker.awaitRan(this.jobs);
			awaitWritten(database);
			return this.jobs / worker.secondsSinceFirstRun();
		}
	}

	/**
	 * A process without a worker has no relay: what is carried is published directly, by
	 * many threads.
	 */
	private void fill(Database database, Map<String, Object> properties) throws InterruptedException {
		Map<String, Object> filling = new HashMap<>(properties);
		filling.put("rowqueue.worker.enabled", "false");
		if (properties.isEmpty()) {
			try (Instance filler = Instance.start(database, filling)) {
				filler.enqueue(this.jobs);
			}
			return;
		}
		filling.put("rowqueue.kafka.enqueue", "direct");
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
		while (Sql.number(database, "select count(*) from rowqueue.leased_jobs") > 0) {
			Thread.sleep(5);
		}
	}

}
