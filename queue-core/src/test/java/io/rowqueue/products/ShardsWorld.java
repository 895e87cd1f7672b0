package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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

	private static final Duration MAX_MOVE = Duration.ofSeconds(2);

	private final MovingShards shards;

	private final List<Producer.Site> sites = new ArrayList<>();

	private final List<Integer> buckets;

	/** The next move begins with one whose transaction is open. */
	private final BlockingQueue<Open> open = new ArrayBlockingQueue<>(1);

	private int moved;

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
		switch (random.nextInt(60)) {
			case 0 -> replaceOrRestart(random);
			case 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 -> {
				if (!this.shards.resume()) { // what is on its way has no age
					age();
				}
			}
			case 12, 13 -> moveWhatHasWaited(random);
			case 15, 16 -> Handlers.pauseQuietly(random.nextInt(300));
			default -> {
				Open transaction = this.open.poll();
				this.moved += (transaction != null) ? this.shards.moveWith(transaction.bucket, transaction.shard,
						random, this.buckets, transaction.released::countDown) : this.shards.move(random, this.buckets);
			}
		}
	}

	/** Keys with a running job stay: none runs for a moment. */
	private void moveWhatHasWaited(Random random) {
		pause();
		try {
			if (!this.shards.resume()) {
				age();
			}
			for (int i = 0; i < 6; i++) {
				this.moved += this.shards.move(random, this.buckets);
			}
		}
		finally {
			resume();
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
		return this.moved + " buckets moved";
	}

	@Override
	public void close() throws Exception {
		super.close();
		this.shards.close();
	}

	/** A transaction of a shard that has enqueued something into a bucket. */
	private record Open(int shard, int bucket, CountDownLatch released) {

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
			CountDownLatch released = new CountDownLatch(1);
			if ((plan.uniqueKey() != null || plan.limitKey() != null) && ShardsWorld.this.open
				.offer(new Open(this.shard, MovingShards.bucket(plan.request()), released))) {
				Handlers.await(released, MAX_MOVE);
			}
		}

		@Override
		public String toString() {
			return "shard " + this.shard;
		}

	}

}
