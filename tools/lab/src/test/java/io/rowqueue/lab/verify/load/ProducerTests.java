package io.rowqueue.lab.verify.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class ProducerTests {

	private static final int ROUNDS = 4;

	@TempDir
	private Path directory;

	private final CyclicBarrier together = new CyclicBarrier(ROUNDS);

	@Test
	@Tag("thorough")
	void producersOfSeveralRoundsStartAndEndAtTheSameTime() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(ROUNDS);
		CompletionService<Void> rounds = new ExecutorCompletionService<>(threads);
		try {
			for (int i = 0; i < ROUNDS; i++) {
				String round = "round-" + i;
				rounds.submit(() -> startAndEnd(round));
			}
			for (int i = 0; i < ROUNDS; i++) {
				rounds.take().get(); // throws what kept a producer from starting
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void aThreadThatDiesIsToldOf() throws Exception {
		try (Producer producer = create("dead", 100, List.of())) {
			producer.start(new SplittableRandom(1)); // none of its types can be chosen
			await().until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(ProducerTests::isProducing));
			assertThatIllegalStateException().isThrownBy(producer::stop).withMessageContaining("thread");
		}
	}

	@Test
	void theReasonOfAFailedEnqueueIsRecorded() throws Exception {
		try (Producer producer = create("failing", 100, List.of("no such type".repeat(100)))) {
			producer.start(new SplittableRandom(1));
			Path errors = this.directory.resolve("failing").resolve("producer.errors");
			await().until(() -> Files.exists(errors) && Files.size(errors) > 0);
			long begin = System.nanoTime();
			producer.stop();
			assertThat(producer.load().rate()).isEqualTo(100);
			assertThat(producer.load().end()).isGreaterThanOrEqualTo(begin);
			assertThat(producer.load().begin()).isLessThan(begin);
		}
		Path ledgers = this.directory.resolve("failing");
		assertThat(LedgerFile.read(ledgers)).extracting(Entry::event).contains(Event.UNKNOWN);
		assertThat(Files.readString(ledgers.resolve("producer.errors"))).containsPattern("\\d+\t\\[1\\]\t.*Exception")
			.contains("\tat io.rowqueue");
	}

	private static boolean isProducing(Thread thread) {
		return thread.getName().startsWith("producer-");
	}

	private Producer create(String round, int rate, List<String> types) throws Exception {
		Database database = DevPostgres.shared().createDatabase("producer");
		Map<String, String> properties = Map.of("spring.datasource.url", database.url(), "spring.datasource.username",
				database.username(), "spring.datasource.password", database.password(), "rowqueue.schema.name",
				Site.SCHEMA);
		return Producer.create(properties, Files.createDirectories(this.directory.resolve(round)), rate, types,
				Traffic.USUAL);
	}

	private Void startAndEnd(String round) throws Exception {
		for (int i = 0; i < 2; i++) {
			this.together.await();
			create(round + "-" + i, 1, List.of("mail")).close();
		}
		return null;
	}

}
