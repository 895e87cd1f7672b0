package io.rowqueue.lab.verify.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.rowqueue.lab.verify.site.Site;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What transactional handlers write: a row for each run, which counts if it is there in
 * the end. Nothing in the table keeps a second row of a job out.
 */
public final class Effects {

	/** The table. */
	public static final String TABLE = Site.SCHEMA + ".effect";

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final String NO_SCHEMA = "3F000";

	private final JdbcTemplate jdbc;

	/**
	 * Creates the effects of an application.
	 * @param jdbc takes part in the transactions of handlers
	 */
	public Effects(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Creates the table in each database of the queue. A process that has started may
	 * still be creating the tables of a shard.
	 */
	public static void create(Site site) throws SQLException, InterruptedException {
		for (Site database : site.databases()) {
			long begin = System.nanoTime();
			while (!create(database, System.nanoTime() - begin > PATIENCE.toNanos())) {
				TimeUnit.MILLISECONDS.sleep(100);
			}
		}
	}

	private static boolean create(Site database, boolean now) throws SQLException {
		try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
			statement.execute("create table " + TABLE + " (job_id bigint not null)");
			return true;
		}
		catch (SQLException ex) {
			if (now || !NO_SCHEMA.equals(ex.getSQLState())) {
				throw ex;
			}
			return false;
		}
	}

	/** Writes the effect of a run of the job. */
	public void write(long job) {
		this.jdbc.update("insert into " + TABLE + " values (?)", job);
	}

}
