package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.control.JobControl;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Referee;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A worker claims only what it can run, and no more than it has room for: processes with
 * handlers, slots, limits and prefetch of their own, while queues and types are paused
 * and resumed.
 */
class RandomClaimTests {

	private static final int JOBS = Dose.of(300, 1000);

	private static final int PROCESSES = 4;

	private static final List<String> TYPES = List.of("a", "b", "c", "d");

	private static final List<String> QUEUES = List.of("x:1", "x:2", "z");

	/** What is paused: a queue, or all of a class. */
	private static final List<String> PAUSED = List.of("x:1", "x:*", "z");

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JdbcTemplate jdbc = this.engine.jdbc();

	private final JobControl control = this.engine.control();

	private final List<String> broken = new ArrayList<>();

	private final Set<Long> done = ConcurrentHashMap.newKeySet();

	private int enqueued;

	private final AtomicBoolean over = new AtomicBoolean();

	@Test
	void aWorkerClaimsWhatItCanRunAndHasRoomFor() {
		Referee referee = new Referee(this.jdbc);
		this.jdbc.execute("create table pause_of (kind text, name text, since timestamptz, till timestamptz)");
		Map<String, Integer> bounds = new ConcurrentHashMap<>();
		for (int i = 0; i < PROCESSES; i++) {
			startProcess("process " + i, bounds);
		}
		var watching = Async.run(() -> watch(bounds));
		while (this.enqueued < JOBS) {
			enqueueSome();
			if (this.random.nextInt(3) == 0) {
				pauseForAWhile();
			}
		}
		this.engine.awaitAllOver();
		this.over.set(true);
		assertThat(watching).succeedsWithin(Engine.PATIENCE);
		assertThat(this.engine.finished()).isEqualTo(this.enqueued);
		assertThat(this.broken).as("seed %d", this.seed).isEmpty();
		assertThat(referee.fouls()).as("seed %d", this.seed).isEmpty();
		assertThat(this.jdbc
			.queryForList("select c.*, p.* from claimed c join pause_of p on c.at > p.since and c.at < p.till"
					+ " and case p.kind when 'queue' then c.queue like replace(p.name, '*', '%') else c.type = p.name end"))
			.as("claimed while paused, seed %d", this.seed)
			.isEmpty();
	}

	private void enqueueSome() {
		for (int i = 0; i < 50; i++) {
			this.engine.enqueue(JobRequest.of(any(TYPES)).queue(any(QUEUES)).priority(this.random.nextInt(3)));
			this.enqueued++;
		}
	}

	private void startProcess(String name, Map<String, Integer> bounds) {
		int others = 1 + this.random.nextInt(3);
		int own = 1 + this.random.nextInt(3);
		int prefetch = this.random.nextInt(10);
		int limit = 1 + this.random.nextInt(2);
		String queue = any(QUEUES);
		String limited = any(TYPES);
		bounds.put(name, others + own + 2 * prefetch);
		Watched slots = new Watched(name + " in the slots of " + queue, own);
		Watched otherSlots = new Watched(name + " in other slots", others);
		Watched type = new Watched(name + " of the type " + limited, limit);
		TestProcess.Builder process = this.engine.process()
			.concurrency(others)
			.concurrency(queue, own)
			.prefetch(prefetch)
			.handle(name, (payload, context) -> {
			});
		for (String each : TYPES) {
			// the last type has a handler in each process, the others here and there
			if (each.equals(limited) || each.equals("d") || this.random.nextBoolean() || name.equals("process 0")) {
				HandlerOptions options = each.equals(limited) ? HandlerOptions.NONE.concurrency(limit)
						: HandlerOptions.NONE;
				process.handle(each, options, (payload, context) -> {
					Watched pool = context.queue().equals(queue) ? slots : otherSlots;
					pool.enter();
					if (each.equals(limited)) {
						type.enter();
					}
					work(context);
					if (each.equals(limited)) {
						type.leave();
					}
					pool.leave();
					this.done.add(context.id());
				});
			}
		}
		process.start();
	}

	private static void work(JobContext context) throws InterruptedException {
		if (context.id() % 3 == 0) {
			new CountDownLatch(1).await(context.id() % 7, TimeUnit.MILLISECONDS);
		}
	}

	/** Nothing that was claimed before the pause was there is held against anybody. */
	private void pauseForAWhile() {
		boolean queue = this.random.nextBoolean();
		String name = queue ? any(PAUSED) : any(TYPES);
		boolean paused = queue ? this.control.pauseQueue(name, "test") : this.control.pauseType(name, "test");
		assertThat(paused).isTrue();
		String after = this.jdbc.queryForObject("select clock_timestamp()::text", String.class);
		await("all claims that began before have ended").until(() -> this.engine
			.number("select count(*) from pg_stat_activity where datname = current_database() and state = 'active'"
					+ " and pid <> pg_backend_pid() and query_start < ?::timestamptz", after) == 0);
		String since = this.jdbc.queryForObject("select clock_timestamp()::text", String.class);
		enqueueSome();
		await("all others have finished").until(() -> this.engine
			.count("job where " + (queue ? "queue" : "type") + " not like ?", name.replace('*', '%')) == 0);
		this.jdbc.update("insert into pause_of values (?, ?, ?::timestamptz, clock_timestamp())",
				queue ? "queue" : "type", name, since);
		if (queue) {
			this.control.resumeQueue(name);
		}
		else {
			this.control.resumeType(name);
		}
	}

	/**
	 * Jobs that have ended, but whose outcome is not written yet, are not held any more.
	 */
	private void watch(Map<String, Integer> bounds) {
		JdbcTemplate own = new JdbcTemplate(this.engine.pool(1));
		while (!this.over.get()) {
			bounds.forEach((name, bound) -> {
				List<Long> leased = own
					.queryForList("select j.id from rowqueue.job j join rowqueue.worker w on w.id = j.worker_id"
							+ " where ? = any (w.types)", Long.class, name);
				long held = leased.stream().filter((id) -> !this.done.contains(id)).count();
				if (held > bound) {
					broken(name + " holds " + held + " of " + bound);
				}
			});
		}
	}

	private void broken(String what) {
		synchronized (this.broken) {
			this.broken.add(what);
		}
	}

	private <T> T any(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/** How many may be in here at once. */
	private final class Watched {

		private final String name;

		private final int max;

		private final AtomicInteger inside = new AtomicInteger();

		Watched(String name, int max) {
			this.name = name;
			this.max = max;
		}

		void enter() {
			int now = this.inside.incrementAndGet();
			if (now > this.max) {
				broken(now + " " + this.name);
			}
		}

		void leave() {
			this.inside.decrementAndGet();
		}

	}

}
