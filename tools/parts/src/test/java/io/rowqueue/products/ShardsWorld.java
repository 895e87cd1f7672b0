package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.engine.database.TransactionEndListener;
import io.rowqueue.engine.shard.MovingShards;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Three databases that are one queue, each with a process that runs its jobs. Keys are
 * moved between them all the time.
 */
final class ShardsWorld extends World {

	/** How many jobs with keys wait when they grow old, and when their keys move. */
	private static final int FEW = 20;

	private static final int MANY = 60;

	private static final Duration MAX_PAUSE = Duration.ofSeconds(4);

	private static final Duration BETWEEN_PAUSES = Duration.ofSeconds(3);

	private static final Duration MAX_HOLD = Duration.ofSeconds(10);

	/** How many transactions wait at most for a move to begin. */
	private static final int OPEN = 4;

	private static final String WAITING_WITH_KEY = """
			select count(*) from rowqueue.job where (unique_key is not null or limit_key is not null)
				and state <> 'failed' and worker_id is null""";

	private static final String WAITS = """
			select count(*) from rowqueue.job where unique_key = ? and state <> 'failed' and worker_id is null""";

	private final MovingShards shards;

	private final List<Producer.Site> sites = new ArrayList<>();

	private final List<Integer> buckets;

	/** The shard whose jobs wait for the move of their keys; -1: none does. */
	private volatile int source = -1;

	/**
	 * Those that hold keys at other shards until the keys of that one are on their way.
	 */
	private final Queue<Open> open = new ConcurrentLinkedQueue<>();

	private long pauseAt = System.nanoTime();

	private int moved;

	/** How many moves have met an open transaction. */
	private int met;

	ShardsWorld(Ledger ledger, Random random, Faults faults) {
		super(ledger, random, faults);
		this.shards = new MovingShards(faults);
		start(engines().size());
		for (int i = 0; i < engines().size(); i++) {
			this.sites.add(new ShardSite(i));
		}
		List<String> keys = new ArrayList<>();
		for (boolean routed : new boolean[] { true, false }) {
			Plan.keyNames(routed).forEach((name) -> {
				keys.add(name);
				keys.add("unique " + name);
			});
		}
		this.buckets = MovingShards.buckets(keys);
	}

	@Override
	TestProcess.Builder adapt(TestProcess.Builder process, int index) {
		return process.directStart(this.shards.directStart(index));
	}

	@Override
	List<Engine> engines() {
		return this.shards.engines();
	}

	@Override
	List<Producer.Site> sites() {
		return this.sites;
	}

	@Override
	void disturb(Random random) {
		if (System.nanoTime() > this.pauseAt) {
			moveWhatHasWaited(random);
			this.pauseAt = System.nanoTime() + BETWEEN_PAUSES.toNanos();
		}
		switch (random.nextInt(60)) {
			case 0 -> replaceOrRestart(random);
			case 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 -> {
				if (!this.shards.resume()) { // what is on its way has no age
					age();
				}
			}
			case 15, 16 -> Handlers.pauseQuietly(random.nextInt(300));
			default -> this.moved += this.shards.move(random, this.buckets);
		}
	}

	/**
	 * Keys with a running job stay: those of one shard wait for a moment, some of them as
	 * if for long. Then they move to where jobs with the same keys run, and where a
	 * transaction is open that has enqueued one of the keys as well.
	 */
	private void moveWhatHasWaited(Random random) {
		int from = random.nextInt(engines().size());
		int first = (from + 1 + random.nextInt(2)) % engines().size();
		List<Integer> others = List.of(first, engines().size() - from - first);
		others.forEach((other) -> this.moved += this.shards.move(other, from, this.buckets, () -> {
		}));
		try {
			pause(from);
			this.source = from;
			comes(MAX_PAUSE, () -> engines().get(from).number(WAITING_WITH_KEY) > FEW);
			if (!this.shards.resume()) {
				age();
			}
			comes(MAX_PAUSE, () -> engines().get(from).number(WAITING_WITH_KEY) > MANY
					&& others.stream().anyMatch((other) -> meets(from, other)));
			int to = others.stream().filter((other) -> meets(from, other)).findFirst().orElse(first);
			this.met += meets(from, to) ? 1 : 0;
			this.moved += this.shards.move(from, to, this.buckets, this::endTransactions);
		}
		finally {
			this.source = -1;
			endTransactions();
			resume(from);
		}
	}

	/** Whether a transaction holds a key at a shard that has a waiting job at another. */
	private boolean meets(int from, int to) {
		return this.open.stream()
			.anyMatch((each) -> each.shard == to && engines().get(from).number(WAITS, each.uniqueKey) > 0);
	}

	private void endTransactions() {
		for (Open next = this.open.poll(); next != null; next = this.open.poll()) {
			next.released.countDown();
		}
	}

	private void replaceOrRestart(Random random) {
		switch (random.nextInt(4)) {
			case 0 -> replace(alive(random.nextInt(processes())));
			case 1 -> restart(random.nextInt(processes()));
			default -> Handlers.pauseQuietly(100);
		}
	}

	@Override
	void help() {
		this.shards.resume();
	}

	@Override
	public String toString() {
		return this.moved + " buckets moved, " + this.met + " moves have met an open transaction";
	}

	@Override
	public void close() throws Exception {
		super.close();
		this.shards.close();
	}

	/** A transaction of a shard that has stored a job with a key. */
	private record Open(int shard, String uniqueKey, CountDownLatch released) {

	}

	/** A producer in transactions of one shard. */
	final class ShardSite implements Producer.Site {

		private final int shard;

		private final PlatformTransactionManager transactions;

		private final JdbcTemplate jdbc;

		private final Node foreign;

		ShardSite(int shard) {
			this.shard = shard;
			this.transactions = TransactionEndListener
				.addTo(new JdbcTransactionManager(ShardsWorld.this.shards.dataSource(shard)));
			this.jdbc = new JdbcTemplate(ShardsWorld.this.shards.dataSource(shard));
			this.foreign = alive(shard);
		}

		@Override
		public void use(Use use) {
			use.with(ShardsWorld.this.shards.queue(), this.transactions, this.foreign.foreignTransactions(), this.jdbc,
					this.foreign.admin());
		}

		@Override
		public void lingers(Plan plan) {
			String key = plan.uniqueKey();
			int source = ShardsWorld.this.source;
			if (key != null && source >= 0 && source != this.shard && ShardsWorld.this.open.size() < OPEN) {
				Open transaction = new Open(this.shard, key, new CountDownLatch(1));
				ShardsWorld.this.open.add(transaction);
				Handlers.await(transaction.released, MAX_HOLD);
			}
		}

		@Override
		public String toString() {
			return "shard " + this.shard;
		}

	}

}
