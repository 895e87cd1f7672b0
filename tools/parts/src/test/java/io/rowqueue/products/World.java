package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.worker.NotificationStatus;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnsafeCommits.Fault;
import org.awaitility.Awaitility;
import org.springframework.transaction.support.TransactionTemplate;

/** The databases and processes of a run, and what happens to them. */
abstract class World implements AutoCloseable {

	private static final int CONCURRENCY = 4;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration MAX_RUN = Duration.ofSeconds(2);

	/** How many jobs of a limit key run at once, or how many units. */
	static final Map<Plan.LimitKey, Integer> LIMITS = Map.of(Plan.LimitKey.LIMIT, 2, Plan.LimitKey.ORDERED, 1,
			Plan.LimitKey.UNITS, 3);

	/**
	 * Jobs that wait for their limit key look like those of a minute ago: all of a key,
	 * so that their order is the same, or none.
	 */
	private static final String AGE = """
			update rowqueue.job j set run_at = run_at - interval '1 min', order_at = order_at - interval '1 min'
			where state in ('blocked', 'queued') and worker_id is null and limit_key is not null
				and run_at <= clock_timestamp() and not exists (select from rowqueue.job other
					where other.limit_key = j.limit_key and other.state = 'scheduled' and other.lease = 0
						and other.run_at <= clock_timestamp())""";

	private static final String WAITING = """
			select (select count(*) from rowqueue.job where state <> 'failed') + (select count(*) from rowqueue.job_follow_up)
				+ (select count(*) from rowqueue.shard_handover_row) + (select count(*) from rowqueue.outbox)""";

	static final String QUEUE = "default";

	final Ledger ledger;

	private final Random random;

	private final List<JobAdmin> admins = new ArrayList<>();

	private final Semaphore deaths = new Semaphore(1);

	private final Handlers handlers;

	private final Faults faults;

	private AtomicReferenceArray<Node> nodes = new AtomicReferenceArray<>(0);

	private int started;

	private volatile boolean closing;

	private volatile boolean paused;

	private volatile boolean kept;

	World(Ledger ledger, Random random, Faults faults) {
		this.ledger = ledger;
		this.random = random;
		this.faults = faults;
		this.handlers = new Handlers(ledger, this.deaths, this::replace);
	}

	/** Prepares the databases, and starts the processes. */
	final void start(int processes) {
		for (Engine engine : engines()) {
			this.admins.add(new DefaultJobAdmin(engine.queueDatabase(), engine.wakeUps()));
			// databases of shards outlast a run
			engine.jdbc().execute("""
					drop table if exists public.effect, public.application;
					create table public.effect (job_id bigint not null, lease int not null, token text not null);
					create table public.application (n int)""");
			LIMITS.forEach((kind, limit) -> engine.limits()
				.set(LimitKind.KEY, kind.name().toLowerCase(Locale.ROOT),
						Limit.concurrency(limit).ordered(kind == Plan.LimitKey.ORDERED), true));
		}
		this.nodes = new AtomicReferenceArray<>(processes);
		for (int i = 0; i < processes; i++) {
			this.nodes.set(i, node(i));
		}
	}

	private synchronized Node node(int index) {
		Engine engine = engines().get(index % engines().size());
		Node node = new Node("process " + index + "." + this.started++, engine, this.faults);
		TestProcess.Builder process = engine.process()
			.application(node.application())
			.failingSoon()
			.concurrency(CONCURRENCY)
			.prefetch(this.random.nextInt(10))
			.withMaintenance();
		node.runs(this.handlers.register(node, adapt(process, index)).start());
		return node;
	}

	/** What processes of this world have besides. */
	abstract TestProcess.Builder adapt(TestProcess.Builder process, int index);

	abstract List<Engine> engines();

	/** Where producers enqueue. */
	abstract List<Producer.Site> sites();

	/** Something happens. */
	abstract void disturb(Random random);

	/** Nothing happens any more. */
	void calm() {
		this.faults.rate = 0;
	}

	/** What nobody else does. */
	void help() {
	}

	/** Nothing waits: all slots are idle, and what is enqueued now runs. */
	final void judgeSlots() {
		for (int i = 0; i < processes(); i++) {
			TestProcess process = alive(i).process();
			if (!comes(PATIENCE, () -> process.idleSlots(QUEUE, "note") == CONCURRENCY)) {
				this.ledger.foul(0, "%s: %d slots are idle, although no job waits or runs".formatted(alive(i),
						process.idleSlots(QUEUE, "note")));
			}
		}
		sites().forEach((site) -> site.use((queue, transactions, foreign, jdbc, admin) -> {
			for (int i = 0; i < CONCURRENCY; i++) {
				new TransactionTemplate(transactions)
					.executeWithoutResult((status) -> queue.enqueue(JobRequest.of("note", "the last")));
			}
		}));
		if (!comes(PATIENCE, () -> waiting() == 0)) {
			this.ledger.foul(0, "What is enqueued after all else has ended does not run");
		}
	}

	static boolean comes(Duration patience, BooleanSupplier what) {
		for (long end = System.nanoTime() + patience.toNanos(); !what.getAsBoolean();) {
			if (System.nanoTime() > end) {
				return false;
			}
			Handlers.pauseQuietly(50);
		}
		return true;
	}

	Node alive(int index) {
		return this.nodes.get(index);
	}

	int processes() {
		return this.nodes.length();
	}

	/** From now on no process ends before the run does. */
	final void keepProcesses() {
		this.kept = true;
		this.deaths.drainPermits();
	}

	/**
	 * Kills a process, as soon as the caller has gone on, and starts another one. A
	 * process that dies before its session has its lock is only missed when its lease
	 * ends, which is longer than a run: it is killed a moment later.
	 */
	final void replace(Node node) {
		if (this.kept) {
			return;
		}
		Async.run(() -> {
			Awaitility.await()
				.until(() -> this.closing || node.isKilled()
						|| node.process().notifications() != NotificationStatus.OFF);
			for (int i = 0; i < this.nodes.length() && !this.closing; i++) {
				if (this.nodes.get(i) == node) {
					node.kill();
					this.nodes.set(i, node(i));
				}
			}
		}).exceptionally((ex) -> {
			this.ledger.foul(0, "Nothing has taken the place of %s: %s".formatted(node, ex));
			return null;
		});
	}

	/** Stops a process in an orderly way, and starts another one. */
	final void restart(int index) {
		if (this.kept) {
			return;
		}
		Node before = this.nodes.get(index);
		this.nodes.set(index, node(index));
		before.process().stop();
	}

	/** Lets another process die by the hands of a handler. */
	final void allowDeath() {
		if (this.deaths.availablePermits() < 1) {
			this.deaths.release();
		}
	}

	/**
	 * Lets no job of a database begin; returns when none runs there any more, or some
	 * have for long.
	 */
	final void pause(int database) {
		this.paused = true;
		this.admins.get(database).pauseQueue(QUEUE, null);
		comes(MAX_RUN, () -> engines().get(database).leased() == 0);
	}

	/** Lets jobs begin again. */
	final void resume(int database) {
		this.admins.get(database).resumeQueue(QUEUE);
		this.paused = false;
	}

	final boolean isPaused() {
		return this.paused;
	}

	/** Lets jobs grow old that wait for their key. */
	final void age() {
		engines().forEach((engine) -> engine.jdbc().update(AGE));
	}

	long waiting() {
		return engines().stream().mapToLong((engine) -> engine.number(WAITING)).sum();
	}

	@Override
	public void close() throws Exception {
		this.closing = true;
	}

	/** How often connections break around a commit. */
	static final class Faults implements Supplier<Fault> {

		private final Random random;

		private volatile double rate;

		Faults(Random random, double rate) {
			this.random = random;
			this.rate = rate;
		}

		@Override
		public Fault get() {
			double chance = this.random.nextDouble();
			return (chance >= this.rate) ? Fault.NONE : (chance < this.rate / 2) ? Fault.BEFORE : Fault.AFTER;
		}

	}

}
