package io.rowqueue.products;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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

	private final MovingShards shards;

	private final List<Producer.Site> sites = new ArrayList<>();

	private final List<Integer> buckets;

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
	TestProcess.Builder adapt(TestProcess.Builder process) {
		return process;
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
			case 15, 16 -> Handlers.pauseQuietly(random.nextInt(300));
			default -> this.moved += this.shards.move(random, this.buckets);
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
			use.with(ShardsWorld.this.shards.queue(), this.transactions, this.foreign.foreignTransactions(), this.jdbc);
		}

		@Override
		public String toString() {
			return "shard " + this.shard;
		}

	}

}
