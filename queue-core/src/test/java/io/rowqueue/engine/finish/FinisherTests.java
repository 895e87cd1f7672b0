package io.rowqueue.engine.finish;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobState;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome.Released;
import io.rowqueue.engine.attempt.AttemptOutcome.Succeeded;
import io.rowqueue.engine.claim.ClaimingWorker;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FinisherTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final HikariDataSource pool = this.engine.pool(1);

	private final Stores store = new Stores(new JdbcTemplate(this.pool), new JdbcTemplate(this.pool),
			SchemaName.DEFAULT, true);

	private final long worker = this.engine.workerStore()
		.register(WorkerIdentities.of("test", List.of("*"), List.of("test")));

	private final Arrivals.Builder queuedAgain = new Arrivals.Builder();

	private final AtomicInteger caughtUp = new AtomicInteger();

	private final Finisher finisher = new Finisher(
			ClaimingWorker.outcomeWriter(this.store, this.worker, this.queuedAgain::add),
			this.caughtUp::incrementAndGet);

	@Test
	void theFinisherStoresOutcomesTogether() throws InterruptedException {
		List<ActiveJob> jobs = claim(3);
		this.finisher.add(new Succeeded(jobs.get(0), null));
		this.finisher.add(new Released(jobs.get(1)));
		this.finisher.add(new Succeeded(jobs.get(2), null));
		assertThat(this.finisher.unwritten()).hasSize(3);
		this.finisher.turn();
		assertThat(this.finisher.unwritten()).isEmpty();
		assertThat(jobs).extracting((job) -> this.engine.job(job.id()).state())
			.containsExactly(JobState.SUCCEEDED, JobState.QUEUED, JobState.SUCCEEDED);
		assertThat(this.queuedAgain.build()).isEqualTo(Arrivals.of("default"));
	}

	@Test
	void theFinisherRetriesOutcomesThatCouldNotBeStored() throws InterruptedException {
		ActiveJob job = claim(1).get(0);
		this.finisher.add(new Succeeded(job, null));
		this.engine.jdbc().execute("alter table rowqueue.job rename to hidden");
		try {
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(this.finisher::turn);
			assertThat(this.finisher.unwritten()).containsExactly(job.job().lease());
			assertThat(this.finisher.flush(Duration.ofMillis(1))).isFalse();
		}
		finally {
			this.engine.jdbc().execute("alter table rowqueue.hidden rename to job");
		}
		this.finisher.turn();
		assertThat(this.finisher.flush(Duration.ofMillis(1))).isTrue();
		assertThat(this.engine.job(job.id()).state()).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void theFinisherDelaysTheNextClaimWhileTooManyOutcomesWait() throws InterruptedException {
		for (int i = 0; i < Finisher.MAX_UNWRITTEN - 1; i++) {
			this.finisher.add(new Succeeded(TestJobs.job(-i), null));
		}
		assertThat(this.finisher.isBehind()).isFalse();
		this.finisher.add(new Succeeded(TestJobs.job(-Finisher.MAX_UNWRITTEN), null));
		assertThat(this.finisher.isBehind()).isTrue();
		this.finisher.turn();
		assertThat(this.finisher.isBehind()).isFalse();
		assertThat(this.caughtUp).hasValue(1);
		assertThat(this.finisher.unwritten()).hasSize(Finisher.MAX_UNWRITTEN - Finisher.MAX_OUTCOMES);
		this.finisher.turn();
		assertThat(this.caughtUp).hasValue(1);
	}

	@Test
	void theFinisherReportsWhenAllOutcomesAreStored() throws InterruptedException {
		assertThat(this.finisher.flush(Duration.ZERO)).isTrue();
		this.finisher.add(new Succeeded(claim(1).get(0), null));
		CompletableFuture<Void> turn = Async.run(this::turn);
		assertThat(this.finisher.flush(Duration.ofDays(1))).isTrue();
		assertThat(turn).succeedsWithin(Engine.PATIENCE);
	}

	@Test
	void theFinisherReleasesItsThreadAndItsWaitersAtTheEnd() {
		CompletableFuture<Void> turn = Async.run(this::turn);
		this.finisher.end();
		assertThat(turn).succeedsWithin(Engine.PATIENCE);
		this.finisher.add(new Succeeded(TestJobs.job(1), null));
		assertThat(Async.supply(this::flushForever)).succeedsWithin(Engine.PATIENCE).isEqualTo(false);
	}

	private boolean flushForever() {
		try {
			return this.finisher.flush(Duration.ofDays(1));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void turn() {
		try {
			this.finisher.turn();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<ActiveJob> claim(int count) {
		for (int i = 0; i < count; i++) {
			this.engine.enqueue("test");
		}
		List<ClaimedJob> claimed = this.store
			.claim(new Claim(this.worker, Map.of("*", count),
					List.of(new PoolLane("*", new LaneHead(new Lane("default", "test", 0), LaneHead.NO_MARK)))))
			.jobs();
		return claimed.stream().map((job) -> new ActiveJob(job, HandlerOptions.NONE.maxAttempts(3), 0)).toList();
	}

}
