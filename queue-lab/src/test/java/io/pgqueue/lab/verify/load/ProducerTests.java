package io.pgqueue.lab.verify.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.pgqueue.lab.verify.site.Site;
import io.pgqueue.postgres.Database;
import io.pgqueue.postgres.DevPostgres;

class ProducerTests {

	private static final int ROUNDS = 4;

	@TempDir
	private Path directory;

	private final CyclicBarrier together = new CyclicBarrier(ROUNDS);

	@Test
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

	private Void startAndEnd(String round) throws Exception {
		for (int i = 0; i < 3; i++) {
			Database database = DevPostgres.shared().createDatabase("producer");
			Map<String, String> properties = Map.of("spring.datasource.url", database.url(),
					"spring.datasource.username", database.username(), "spring.datasource.password",
					database.password(), "queue.schema.name", Site.SCHEMA);
			Path ledgers = Files.createDirectories(this.directory.resolve(round + "-" + i));
			this.together.await();
			Producer.create(properties, ledgers, 1, List.of("mail")).close();
		}
		return null;
	}

}
