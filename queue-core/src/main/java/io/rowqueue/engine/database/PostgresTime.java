package io.rowqueue.engine.database;

import java.time.Instant;

/**
 * Times as PostgreSQL stores them: microseconds since the beginning of the year 2000,
 * UTC. A claim reads four of them for each job, and rarely needs them. Converting them to
 * calendar dates would take a third of the time of the claim.
 */
public final class PostgresTime {

	private static final long EPOCH = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();

	private static final long MICROS = 1_000_000;

	public static final long SECOND = MICROS;

	/** The beginning of 1970; no job can be due earlier. */
	public static final long EARLIEST = -EPOCH * MICROS;

	private PostgresTime() {
	}

	public static Instant instant(long micros) {
		return Instant.ofEpochSecond(EPOCH + Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
	}

}
