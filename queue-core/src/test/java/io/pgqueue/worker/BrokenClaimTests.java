package io.pgqueue.worker;

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
import io.pgqueue.EnqueueResult;
import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.Limits;
import io.pgqueue.store.RecoveredJob;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.testing.Engine;
import io.pgqueue.testing.Log;
import io.pgqueue.testing.TestProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A claim of many jobs is two statements beside each other. One of them has committed,
 * and the other one has not when something dies.
 */
class BrokenClaimTests {

	private static final int JOBS = 3000;

	/** The first claim is one statement, and brings so many. */
	private static final int FIRST = BroadClaim.MOST;

	/** Room for the first claim, and for one of two statements beside it. */
	private static final int SLOTS = FIRST + BroadClaim.MOST_TOGETHER + 100;

	private static final Duration LONG = Duration.ofSeconds(50);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final WorkerStore others = new WorkerStore(this.engine.jdbc(), SchemaName.DEFAULT);

	/** The lease tokens with which each job was run. */
	private final Map<Long, List<Integer>> runs = new ConcurrentHashMap<>();

	private final CountDownLatch dead = new CountDownLatch(1);

	private final CountDownLatch end = new CountDownLatch(1);

	@AutoClose
	private final Connection somebody = this.engine.dataSource().getConnection();

	private List<Long> ids = List.of();

	BrokenClaimTests() throws SQLException {
	}

	/** One job of the second claim can be taken when somebody allows it. */
	@BeforeEach
	void enqueue() throws SQLException {
		this.ids = this.engine.queue()
			.enqueueAll(Collections.nCopies(JOBS, JobRequest.of("test")))
			.stream()
			.map(EnqueueResult::id)
			.toList();
		this.engine.jdbc().execute("""
				create function wait_for_somebody() returns trigger language plpgsql as $$ begin
					perform pg_advisory_xact_lock(7, 7);
					return new;
				end $$""");
		this.engine.jdbc()
			.execute("create trigger wait_for_somebody before update on queue.job for each row when (old.id = "
					+ this.ids.get(FIRST + 300) + " and old.state = 'queued' and new.state = 'starting')"
					+ " execute function wait_for_somebody()");
		try (Statement lock = this.somebody.createStatement()) {
			lock.execute("select pg_advisory_lock(7, 7)");
		}
	}

	@AfterEach
	void release() {
		this.end.countDown();
	}

	@Test
	void aWorkerRunsWhatOneStatementBroughtWhenTheSessionOfTheOtherEnds() throws SQLException {
		try (Log log = Log.ofTheEngine()) {
			startWorker();
			int waiting = awaitOneOfTwo();
			assertThat(this.engine.number("select pg_terminate_backend(?, 10000)::integer", waiting)).isOne();
			this.somebody.close();
			this.engine.awaitAllOver();
			assertThat(this.runs.keySet()).containsExactlyInAnyOrderElementsOf(this.ids);
			assertThat(this.runs.values()).as("none was forgotten and claimed again").containsOnly(List.of(1));
			await("back").until(
					() -> log.lines(Level.INFO).stream().anyMatch((line) -> line.startsWith("The database is back")));
			assertThat(log.lines(Level.WARN)).singleElement().asString().startsWith("The database is away");
		}
	}

	@Test
	void anotherWorkerRunsWhatOneStatementBroughtWhenTheWorkerDies() throws SQLException {
		TestProcess mortal = startWorker();
		awaitOneOfTwo();
		List<Long> brought = leased();
		this.dead.countDown();
		mortal.loseDatabase();
		this.engine.jdbc().update("update queue.worker set heartbeat_at = now() - interval '1 hour'");
		assertThat(this.others.bury(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ZERO)).hasSize(1);
		assertThat(this.others.recover(1, JOBS)).extracting(RecoveredJob::id)
			.containsExactlyInAnyOrderElementsOf(brought);
		startSurvivor();
		this.somebody.close(); // the server may only now see that the worker is gone
		await("all have run").until(() -> {
			this.others.recover(1, JOBS);
			return this.engine.number("select count(*) from queue.job_finished") == JOBS;
		});
		assertThat(this.runs.keySet()).containsExactlyInAnyOrderElementsOf(this.ids);
		assertThat(this.runs.values()).allMatch((tokens) -> tokens.size() == 1);
		assertThat(brought).allMatch((id) -> this.runs.getOrDefault(id, List.of()).equals(List.of(2)));
		assertThat(this.engine.number("select count(*) from queue.job_finished where state <> 'succeeded'")).isZero();
	}

	/** Waits until one of two statements has committed and the other is being held up. */
	private int awaitOneOfTwo() {
		String waiting = "select coalesce(min(pid), 0) from pg_locks where locktype = 'advisory' and not granted"
				+ " and classid = 7 and objid = 7 and objsubid = 2";
		await("a claim waits").until(() -> this.engine.number(waiting) > 0);
		await("the first claim is done with")
			.until(() -> this.engine.number("select count(*) from queue.job_finished") == FIRST);
		await("the other statement has committed").until(() -> !leased().isEmpty());
		assertThat(leased()).hasSizeBetween(BroadClaim.MOST_TOGETHER / 2, BroadClaim.MOST_TOGETHER)
			.doesNotContain(this.ids.get(FIRST + 300));
		return (int) this.engine.number(waiting);
	}

	private List<Long> leased() {
		return this.engine.jdbc()
			.query("select id from queue.job where worker_id is not null", (row, index) -> row.getLong("id"));
	}

	private TestProcess startWorker() {
		return worker().handle("test", (payload, context) -> {
			if (this.dead.getCount() == 0) {
				this.end.await(); // as if it had been killed
			}
			run(context);
		}).start();
	}

	private void startSurvivor() {
		worker().handle("test", (payload, context) -> run(context)).start();
	}

	private void run(JobContext context) {
		this.runs.computeIfAbsent(context.id(), (id) -> new CopyOnWriteArrayList<>()).add(context.leaseToken());
	}

	/** Many slots make claims broad from the beginning; a few threads run the jobs. */
	private TestProcess.Builder worker() {
		AtomicInteger slots = new AtomicInteger();
		ThreadFactory few = (slot) -> new Thread((slots.incrementAndGet() <= 4) ? slot : () -> {
		});
		return this.engine.process()
			.concurrency(SLOTS)
			.threads(few)
			.maxAttempts(1)
			.shutdownTimeout(Duration.ZERO)
			.limits(new Limits(LONG, LONG, LONG.plusSeconds(5)));
	}

}
