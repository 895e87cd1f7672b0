package io.rowqueue.engine.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.ChildProcesses;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Real processes that die in the middle of transactional jobs. */
@Tag("thorough")
class CrashingProcessTests {

	/** A process ends before the optimizing compiler has paid off. */
	private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

	private static final int JOBS = Dose.of(24, 120);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final RecoveryStore others = this.engine.recovery();

	@Test
	void everyJobTakesEffectOnce() throws Exception {
		long seed = Seed.of(this);
		this.engine.jdbc().execute("create table effect (job_id bigint not null)");
		List<Long> ids = IntStream.range(0, JOBS).mapToObj((i) -> this.engine.enqueue("test")).toList();
		int crashes = 0;
		while (!isOver()) {
			Process process = start(CrashingWorker.class, Long.toString(seed + crashes));
			try {
				Awaitility.await().until(() -> !process.isAlive() || isOver());
			}
			finally {
				process.destroyForcibly().waitFor();
			}
			crashes++;
			recover();
		}
		assertThat(crashes).isGreaterThanOrEqualTo(JOBS / CrashingWorker.MAX_JOBS);
		assertThat(this.engine.jdbc().queryForList("select job_id from effect", Long.class)).as("seed %d", seed)
			.containsExactlyInAnyOrderElementsOf(ids);
		assertThat(this.engine.finished()).isEqualTo(JOBS);
	}

	@Test
	void aHandlerThatExitsItsProcessFailsAfterOneRunMoreThanItsAttempts() throws Exception {
		this.engine.jdbc().execute("create table run (job_id bigint not null, attempt integer not null)");
		long id = this.engine.enqueue(JobRequest.of("exit").maxAttempts(2));
		for (int starts = 0; this.engine.job(id).state() != JobState.FAILED; starts++) {
			assertThat(starts).isLessThan(10);
			Process process = start(ExitingWorker.class);
			try {
				Awaitility.await().until(() -> !process.isAlive());
			}
			finally {
				process.destroyForcibly().waitFor();
			}
			recover();
		}
		assertThat(this.engine.jdbc().queryForList("select attempt from run where job_id = ?", Integer.class, id))
			.hasSize(3);
		assertThat(this.engine.failures(id)).hasSize(2);
		assertThat(this.engine.job(id).lastError()).contains("did not answer the interrupt of the shutdown",
				"System.exit");
	}

	private boolean isOver() {
		return this.engine.jobs() == 0;
	}

	/**
	 * What maintenance does some seconds later, once the server has ended the sessions.
	 */
	private void recover() {
		this.engine.declareWorkersDead();
		Awaitility.await().until(() -> {
			this.others.recover(1000, 10_000);
			return this.engine.leased() == 0;
		});
	}

	private Process start(Class<?> main, String... arguments) throws IOException {
		PGSimpleDataSource database = this.engine.dataSource();
		List<String> all = new ArrayList<>(List.of(database.getUrl(), database.getUser(), database.getPassword()));
		all.addAll(List.of(arguments));
		return ChildProcesses.start(List.of(QUICK_COMPILER), main, all.toArray(String[]::new));
	}

}
