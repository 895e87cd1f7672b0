package io.rowqueue.lab.verify.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import io.rowqueue.lab.verify.site.Site;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What transactional handlers write: a row for each run, which counts if it is there in
 * the end. Nothing in the table keeps a second row of a job out.
 */
public final class Effects {

	/** The table. */
	public static final String TABLE = Site.SCHEMA + ".effect";

	private final JdbcTemplate jdbc;

	/**
	 * Creates the effects of an application.
	 * @param jdbc takes part in the transactions of handlers
	 */
	public Effects(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Creates the table in each database of the queue. */
	public static void create(Site site) throws SQLException {
		for (Site database : site.databases()) {
			try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
				statement.execute("create table " + TABLE + " (job_id bigint not null)");
			}
		}
	}

	/** Writes the effect of a run of the job. */
	public void write(long job) {
		this.jdbc.update("insert into " + TABLE + " values (?)", job);
	}

}
