package io.rowqueue.lab.verify.verdict;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Brings the times of the server to the clock of the ledgers. */
final class ServerClock {

	private static final int TRIES = 20;

	private static final double NANOS = 1e9;

	/** What {@link System#nanoTime()} was at the server's epoch. */
	private final long epoch;

	private ServerClock(long epoch) {
		this.epoch = epoch;
	}

	/** Asks the server a few times; the fastest answer is the most exact one. */
	static ServerClock read(Connection connection) throws SQLException {
		long fastest = Long.MAX_VALUE;
		long epoch = 0;
		try (Statement statement = connection.createStatement()) {
			for (int i = 0; i < TRIES; i++) {
				long before = System.nanoTime();
				try (ResultSet time = statement.executeQuery("select extract(epoch from clock_timestamp())")) {
					time.next();
					long after = System.nanoTime();
					if (after - before < fastest) {
						fastest = after - before;
						epoch = after - Math.round(time.getDouble(1) * NANOS);
					}
				}
			}
		}
		return new ServerClock(epoch);
	}

	/** The time of the ledgers that belongs to one of the server, in seconds. */
	long nanos(double seconds) {
		return this.epoch + Math.round(seconds * NANOS);
	}

}
