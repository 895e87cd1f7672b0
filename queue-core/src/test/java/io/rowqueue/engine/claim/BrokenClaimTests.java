package io.rowqueue.engine.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnseenRuns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several claims are under way. Some have committed, and another one has not when
 * something ends.
 */
class BrokenClaimTests {

	private static final int JOBS = 3000;

	/** How many one claim brings; the first one shows that there is plenty. */
	private static final int WHOLE = Pool.MAX_JOBS_PER_CLAIM;

	/** Room for the claim that is held up, and for two others beside it. */
	private static final int SLOTS = 3 * WHOLE + 100;

	private static final Duration LONG = Duration.ofSeconds(50);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final RecoveryStore others = this.engine.recovery();

	/** The lease tokens with which each job was run. */
	private final Map<Long, List<Integer>> runs = new ConcurrentHashMap<>();

	private final CountDownLatch end = new CountDownLatch(1);

	@AutoClose
	private final Connection other = this.engine.dataSource().getConnection();

	private List<Long> ids = List.of();

	BrokenClaimTests() throws SQLException {
	}

	/** One job of the second claim can be taken when the test unlocks it. */
	@BeforeEach
	void enqueue() throws SQLException {
		this.ids = this.engine.queue()
			.enqueueAll(Collections.nCopies(JOBS, JobRequest.of("test")))
			.stream()
			.map(EnqueueResult::id)
			.toList();
		this.engine.jdbc().execute("""
				create function wait_for_the_test() returns trigger language plpgsql as $$ begin
					perform pg_advisory_xact_lock(7, 7);
					return new;
				end $$""");
		this.engine.jdbc()
			.execute("create trigger wait_for_the_test before update on rowqueue.job for each row when (old.id = "
					+ this.ids.get(WHOLE + 300) + " and old.state = 'queued' and new.state = 'starting')"
					+ " execute function wait_for_the_test()");
		try (Statement lock = this.other.createStatement()) {
			lock.execute("select pg_advisory_lock(7, 7)");
		}
	}

	@AfterEach
	void release() {
		this.end.countDown();
	}

	@Test
	void aWorkerRunsTheOthersMeanwhileAndTheseWhenTheSessionOfTheirClaimHasEnded() throws SQLException {
		try (Log log = Log.ofTheEngine()) {
			worker().handle("test", (payload, context) -> run(context)).start();
			int heldUp = awaitOneHeldUp();
			await("the others are run").until(() -> finished() == JOBS - WHOLE);
			assertThat(this.engine.number("select pg_terminate_backend(?, 10000)::integer", heldUp)).isOne();
			this.other.close();
			this.engine.awaitAllOver();
			assertThat(this.runs.keySet()).containsExactlyInAnyOrderElementsOf(this.ids);
			assertThat(this.runs.values()).as("none was forgotten and claimed again").containsOnly(List.of(1));
			await("back").until(() -> log.lines(Level.INFO)
				.stream()
				.anyMatch((line) -> line.startsWith("The database is available again")));
			assertThat(log.lines(Level.WARN)).singleElement().asString().startsWith("The database is not available");
		}
	}

	@Test
	void anotherWorkerRunsWhatTheOthersBroughtWhenTheWorkerDies() throws SQLException {
		try (UnseenRuns unseen = UnseenRuns.ofFirstLeases(this.engine)) {
			TestProcess mortal = worker().handle("test", (payload, context) -> {
				if (context.id() >= this.ids.get(WHOLE)) {
					this.end.await(); // as if it had been killed
				}
				run(context);
			}).start();
			awaitOneHeldUp();
			await("what the first one brought is run").until(() -> finished() == WHOLE);
			await("two others have committed").until(() -> leased().size() == 2 * WHOLE);
			List<Long> brought = leased();
			assertThat(brought).doesNotContain(this.ids.get(WHOLE + 300));
			mortal.loseDatabase();
			this.engine.jdbc().update("update rowqueue.worker set heartbeat_at = now() - interval '1 hour'");
			assertThat(this.others.declareDead(Duration.ofMinutes(1), Duration.ZERO)).hasSize(1);
			assertThat(this.others.recover(1, JOBS)).extracting(RecoveredJob::id)
				.containsExactlyInAnyOrderElementsOf(brought);
			worker().handle("test", (payload, context) -> run(context)).start();
			this.other.close(); // the server may only now see that the worker is gone
			await("all have run").until(() -> {
				this.others.recover(1, JOBS);
				return finished() == JOBS;
			});
			assertThat(this.runs.keySet()).containsExactlyInAnyOrderElementsOf(this.ids);
			assertThat(this.runs.values()).allMatch((tokens) -> tokens.size() == 1);
			assertThat(brought).allMatch((id) -> this.runs.getOrDefault(id, List.of()).equals(List.of(2)));
			assertThat(this.engine.count("job_finished where state <> 'succeeded'")).isZero();
		}
	}

	/** Returns the session of the claim that is held up. */
	private int awaitOneHeldUp() {
		String heldUp = "select coalesce(min(pid), 0) from pg_locks where locktype = 'advisory' and not granted"
				+ " and classid = 7 and objid = 7 and objsubid = 2";
		await("a claim waits").until(() -> this.engine.number(heldUp) > 0);
		return (int) this.engine.number(heldUp);
	}

	private long finished() {
		return this.engine.finished();
	}

	private List<Long> leased() {
		return this.engine.jdbc()
			.query("select id from rowqueue.job where worker_id is not null", (row, index) -> row.getLong("id"));
	}

	private void run(JobContext context) {
		this.runs.computeIfAbsent(context.id(), (id) -> new CopyOnWriteArrayList<>()).add(context.leaseToken());
	}

	/**
	 * Many slots make room for whole claims from the beginning; a few threads run jobs.
	 * No job is released because it waits for one of them.
	 */
	private TestProcess.Builder worker() {
		AtomicInteger slots = new AtomicInteger();
		ThreadFactory few = (slot) -> new Thread((slots.incrementAndGet() <= 4) ? slot : () -> {
		});
		return this.engine.process()
			.concurrency(SLOTS)
			.threads(few)
			.prefetchWait(LONG)
			.maxAttempts(1)
			.shutdownTimeout(Duration.ZERO)
			.limits(new StatementTimeouts(LONG, LONG, LONG.plusSeconds(5)));
	}

}
