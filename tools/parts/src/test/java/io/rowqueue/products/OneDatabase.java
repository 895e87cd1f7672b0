package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.rowqueue.products.Producer.Site;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.MemoryBroker;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.transport.TransportSettings;
import org.springframework.util.unit.DataSize;

/**
 * Two processes that enqueue and run jobs of one database, some of which a broker
 * carries. What they enqueue can start at the commit.
 */
final class OneDatabase extends World {

	private static final int PROCESSES = 2;

	private final Engine engine = Engine.withOwnDatabase();

	private final MemoryBroker broker;

	private final List<Site> sites = new ArrayList<>();

	OneDatabase(Ledger ledger, Random random, Faults faults) {
		super(ledger, random, faults);
		this.broker = new MemoryBroker(new Random(random.nextLong()), new TransportSettings(true, false,
				Duration.ofMillis(100), DataSize.ofKilobytes(1), true, Duration.ofMillis(500), 10_000), "carried");
		this.broker.lock(Duration.ofSeconds(3));
		start(PROCESSES);
		for (int i = 0; i < PROCESSES; i++) {
			this.sites.add(new ProcessSite(i));
		}
	}

	@Override
	TestProcess.Builder adapt(TestProcess.Builder process, int index) {
		return process.directStart().with(MemoryBroker.carriedBy(this.broker.client()));
	}

	@Override
	List<Engine> engines() {
		return List.of(this.engine);
	}

	@Override
	List<Site> sites() {
		return this.sites;
	}

	@Override
	void disturb(Random random) {
		switch (random.nextInt(60)) {
			case 0 -> replace(alive(random.nextInt(PROCESSES)));
			case 1 -> restart(random.nextInt(PROCESSES));
			case 2, 3, 4, 5 -> age();
			case 6, 7 -> {
				pause(0);
				resume(0);
			}
			case 10 -> this.broker.unanswered(random.nextDouble() / 4);
			case 11 -> this.broker.refuse(random.nextDouble() / 10);
			case 12 -> this.broker.forgetDeliveries();
			case 13 -> {
				this.broker.away(true);
				Handlers.pauseQuietly(random.nextInt(1000));
				this.broker.away(false);
			}
			default -> Handlers.pauseQuietly(random.nextInt(300));
		}
	}

	@Override
	void calm() {
		super.calm();
		this.broker.unanswered(0);
		this.broker.refuse(0);
	}

	@Override
	long waiting() {
		return super.waiting() + this.broker.size();
	}

	@Override
	public void close() throws Exception {
		super.close();
		this.engine.close();
	}

	/** A producer in a process, or in the one that has taken its place. */
	private final class ProcessSite implements Site {

		private final int index;

		ProcessSite(int index) {
			this.index = index;
		}

		@Override
		public void use(Use use) {
			Node node = alive(this.index);
			use.with(node.queue(), node.transactions(), node.foreignTransactions(), node.jdbc(), node.admin());
		}

		@Override
		public String toString() {
			return "process " + this.index;
		}

	}

}
