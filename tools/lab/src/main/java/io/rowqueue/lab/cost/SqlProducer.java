package io.rowqueue.lab.cost;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.rowqueue.lab.Sql;
import io.rowqueue.postgres.Database;

/** Enqueues single jobs in random lanes, as another process would, at a fixed rate. */
final class SqlProducer implements AutoCloseable {

	private static final int THREADS = 4;

	private final Database database;

	private final Lanes lanes;

	private final double rate;

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final List<Thread> threads = new ArrayList<>();

	/**
	 * Starts a producer.
	 * @param rate jobs a second
	 */
	SqlProducer(Database database, Lanes lanes, double rate) {
		this.database = database;
		this.lanes = lanes;
		this.rate = rate;
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(this::produce, "producer-" + i);
			this.threads.add(thread);
			thread.start();
		}
	}

	private void produce() {
		try (Connection connection = Sql.open(this.database);
				PreparedStatement statement = connection
					.prepareStatement("select rowqueue.enqueue(?, ?::json, queue => ?)")) {
			long begin = System.nanoTime();
			for (long job = 0; !this.stopped.get(); job++) {
				LockSupport.parkNanos(begin + (long) (job * 1e9 * THREADS / this.rate) - System.nanoTime());
				ThreadLocalRandom random = ThreadLocalRandom.current();
				statement.setString(1, "type-" + random.nextInt(this.lanes.types()));
				statement.setString(2, "\"" + System.currentTimeMillis() * 1000 + "\"");
				statement.setString(3, "queue-" + random.nextInt(this.lanes.queues()));
				statement.execute();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("A producer cannot enqueue", ex);
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.stopped.set(true);
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

}
