package io.rowqueue.kafka;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.postgres.Dose;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A whole application whose jobs Kafka carries. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE, properties = { "rowqueue.kafka.types=push",
		"rowqueue.kafka.partitions=3", "rowqueue.retry.initial-delay=200ms", "rowqueue.retry.max-delay=1s" })
class KafkaRunTests {

	private static final int JOBS = Dose.of(200, 600);

	@Autowired
	private JobQueue queue;

	@Autowired
	private TransactionTemplate transactions;

	@Autowired
	private PushHandler handler;

	@Autowired
	private KafkaTransport transport;

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry properties) {
		Database database = DevPostgres.shared().createDatabase("kafka");
		properties.add("spring.datasource.url", database::url);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
		properties.add("spring.datasource.hikari.minimum-idle", () -> 0);
		properties.add("spring.kafka.bootstrap-servers", () -> TestBroker.kafka().bootstrapServers());
	}

	@Test
	void committedJobsRunAndRolledBackOnesDoNot() {
		Set<Long> committed = new HashSet<>();
		Set<Long> rolledBack = new HashSet<>();
		Set<Long> failing = new HashSet<>();
		for (int i = 0; i < JOBS; i++) {
			int number = i;
			boolean roll = number % 5 == 0;
			long id = this.transactions.execute((status) -> {
				long enqueued = this.queue.enqueue("push", new Push(number, number % 20 == 3)).id();
				if (roll) {
					status.setRollbackOnly();
				}
				return enqueued;
			});
			(roll ? rolledBack : committed).add(id);
			if (number % 20 == 3) {
				failing.add(id);
			}
		}

		await().untilAsserted(() -> assertThat(this.handler.succeeded.keySet()).isEqualTo(committed));
		assertThat(this.handler.runs.keySet()).doesNotContainAnyElementsOf(rolledBack);
		assertThat(this.handler.runs.entrySet())
			.allSatisfy((runs) -> assertThat(runs.getValue()).hasValue(failing.contains(runs.getKey()) ? 2 : 1));
		await().untilAsserted(() -> assertThat(failing).allSatisfy((id) -> assertThat(this.queue.find(id)).get()
			.extracting(Job::state, Job::attempt)
			.containsExactly(JobState.SUCCEEDED, 2)));
		Set<Long> carried = new HashSet<>(committed);
		carried.removeAll(failing);
		assertThat(carried).allSatisfy((id) -> assertThat(this.queue.find(id)).isEmpty());
		await().untilAsserted(() -> assertThat(this.transport.lag("push")).hasValue(0));
	}

	record Push(int number, boolean failsOnce) {

	}

	static class PushHandler {

		private final Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();

		private final Map<Long, Boolean> succeeded = new ConcurrentHashMap<>();

		@JobHandler("push")
		void push(Push push, JobContext job) {
			int run = this.runs.computeIfAbsent(job.id(), (id) -> new AtomicInteger()).incrementAndGet();
			if (push.failsOnce() && run == 1) {
				throw new IllegalStateException("fails once");
			}
			this.succeeded.put(job.id(), true);
		}

		boolean hasSucceeded(long id) {
			return this.succeeded.containsKey(id);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(PushHandler.class)
	static class Application {

	}

}
