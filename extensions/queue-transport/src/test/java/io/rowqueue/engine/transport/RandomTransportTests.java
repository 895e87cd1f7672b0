package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.MemoryBroker;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Referee;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.Transactions;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A broker carries most jobs and does what brokers may do, while processes start, stop
 * and die, and the database is away. Jobs succeed, fail, are put off and run for long at
 * random, and a part of the transactions that enqueue them roll back.
 */
class RandomTransportTests {

	private static final int JOBS = Dose.of(100, 1500);

	private static final int MAX_ATTEMPTS = 4;

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JdbcTemplate jdbc = this.engine.jdbc();

	private final Referee referee = new Referee(this.jdbc);

	private final MemoryBroker broker = new MemoryBroker(new Random(this.seed), new TransportSettings(true, false,
			Duration.ofMillis(100), DataSize.ofKilobytes(1), false, Duration.ofMillis(500), 10_000), "push");

	private final HikariDataSource pool = this.engine.pool(2);

	private final JobQueue queue = queue();

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.with(MemoryBroker.carriedBy(this.broker.client())).handle("push", this::run));

	private final Set<Long> committed = new HashSet<>();

	private final Set<Long> failing = new HashSet<>();

	private final Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();

	private final Map<Long, AtomicInteger> successes = new ConcurrentHashMap<>();

	private JobQueue queue() {
		Stores stores = new Stores(new JdbcTemplate(this.pool));
		return stores.queue(this.pool, WakeUps.ofThisProcess(stores.databases().worker()), new JobEndings(),
				MemoryBroker.carriage(this.broker.client()));
	}

	@Test
	void noJobIsLostAndEachSecondRunHasACause() {
		runJobs((enqueued) -> {
			switch (this.random.nextInt(9)) {
				case 0 -> this.herd.stop();
				case 1 -> this.herd.start();
				case 2 -> this.broker.unanswered(this.random.nextDouble() / 4);
				case 3 -> this.broker.refuse(this.random.nextDouble() / 10);
				case 4 -> this.broker.forgetDeliveries();
				case 5 -> this.engine.terminateAllSessions();
				case 6 -> losing(this.broker::away, Duration.ofMillis(this.random.nextInt(1000)));
				default -> waitForWork(enqueued / 4);
			}
		});
		assertThatNothingIsLost();
		assertThatEachSecondRunHasACause();
	}

	/** The broker delivered the job again, or its worker was taken for dead. */
	private void assertThatEachSecondRunHasACause() {
		Set<Long> unexplained = new TreeSet<>();
		this.successes.forEach((id, times) -> {
			if (times.get() > 1) {
				unexplained.add(id);
			}
		});
		unexplained.removeAll(this.broker.repeated());
		unexplained.removeAll(this.referee.recovered());
		assertThat(unexplained)
			.as(() -> "jobs that ran twice without a cause, seed %d: %s".formatted(this.seed,
					unexplained.stream().flatMap((id) -> this.referee.history(id).stream()).toList()))
			.isEmpty();
	}

	@Test
	void noJobIsLostAlthoughProcessesAndTheDatabaseDie() {
		runJobs((enqueued) -> {
			switch (this.random.nextInt(10)) {
				case 0 -> this.herd.stop();
				case 1 -> this.herd.start();
				case 2 -> this.herd.kill();
				case 3 -> this.herd.declareHalfDead();
				case 4 -> this.engine.terminateAllSessions();
				case 5 ->
					losing((away) -> this.engine.allowConnections(!away), Duration.ofMillis(this.random.nextInt(700)));
				case 6 -> losing(this.broker::away, Duration.ofMillis(this.random.nextInt(1000)));
				case 7 -> this.broker.lock(Duration.ofMillis(1L << this.random.nextInt(10)));
				case 8 -> this.broker.forgetDeliveries();
				default -> waitForWork(enqueued / 4);
			}
		});
		assertThatNothingIsLost();
	}

	private void runJobs(IntConsumer mishap) {
		this.herd.start();
		this.herd.start();
		for (int enqueued = 0; enqueued < JOBS; enqueued += 50) {
			enqueue(50);
			mishap.accept(enqueued);
		}
		this.broker.unanswered(0);
		this.broker.refuse(0);
		this.herd.start();
		await("all jobs have ended").until(() -> {
			this.herd.recover();
			// in the order in which a job goes from one to the next
			return this.engine.count("outbox") == 0 && this.broker.size() == 0
					&& this.engine.number("select (select count(*) from rowqueue.job where state <> 'failed')"
							+ " + (select count(*) from rowqueue.outbox)") == 0;
		});
		this.herd.stopAll();
		assertThat(this.broker.size()).isZero();
		assertThat(this.referee.fouls()).as("seed %d", this.seed).isEmpty();
	}

	private void waitForWork(int finished) {
		this.herd.startIfNone();
		await().until(() -> this.successes.size() >= finished);
	}

	private static void losing(Consumer<Boolean> away, Duration time) {
		away.accept(true);
		try {
			new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			away.accept(false);
		}
	}

	private void enqueue(int count) {
		for (int i = 0; i < count; i++) {
			String payload = Seed.any(this.random, "work", "work", "work", "work", "work", "fail", "fail once",
					"snooze", "long", "x".repeat(2000));
			JobRequest request = JobRequest.of("push", payload).queue("queue " + this.random.nextInt(3));
			if (this.random.nextInt(10) == 0) {
				request = Seed.any(this.random, request.delay(Duration.ofMillis(50)), request.inDatabase(),
						request.priority(1));
			}
			JobRequest last = request;
			boolean rolledBack = this.random.nextInt(5) == 0;
			await().ignoreExceptions().until(() -> {
				Long id = transaction().execute((status) -> {
					if (rolledBack) {
						status.setRollbackOnly();
					}
					return this.queue.enqueue(last).id();
				});
				if (!rolledBack) {
					this.committed.add(id);
					if ("fail".equals(payload)) {
						this.failing.add(id);
					}
				}
				return true;
			});
		}
	}

	private TransactionTemplate transaction() {
		return Transactions.template(this.pool);
	}

	private void run(String payload, JobContext context) throws InterruptedException {
		int run = this.runs.computeIfAbsent(context.id(), (id) -> new AtomicInteger()).incrementAndGet();
		switch (payload) {
			case "fail" -> throw new IllegalStateException("as planned");
			case "fail once" -> {
				if (context.attempt() == 1) {
					throw new IllegalStateException("as planned, once");
				}
			}
			case "snooze" -> {
				if (run == 1) {
					throw SnoozeJobException.by(Duration.ofMillis(20));
				}
			}
			case "long" -> new CountDownLatch(1).await(250, TimeUnit.MILLISECONDS);
			default -> {
			}
		}
		this.successes.computeIfAbsent(context.id(), (id) -> new AtomicInteger()).incrementAndGet();
	}

	private void assertThatNothingIsLost() {
		List<Long> finished = ids("select id from rowqueue.job_finished");
		List<Long> failed = ids("select id from rowqueue.job where state = 'failed'");
		assertThat(finished).as("seed %d", this.seed).doesNotHaveDuplicates().doesNotContainAnyElementsOf(failed);
		assertThat(this.runs.keySet()).as("run and never rolled back, seed %d", this.seed).containsAll(this.committed);
		Set<Long> succeeding = new TreeSet<>(this.committed);
		succeeding.removeAll(this.failing);
		succeeding.removeAll(failed);
		assertThat(this.successes.keySet()).as("succeeded, seed %d", this.seed).containsAll(succeeding);
		assertThat(failed).as("failed, seed %d", this.seed).containsAll(this.failing);
	}

	private List<Long> ids(String sql) {
		return this.jdbc.queryForList(sql, Long.class);
	}

}
