package io.rowqueue.lab.verify.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import io.rowqueue.postgres.PrivatePostgres;

/** A server that takes its time from a file. */
public final class TurnedClockSite extends Site {

	private static final String BRING_FORWARD = "update " + SCHEMA
			+ ".job set run_at = run_at - interval '1 hour', order_at = order_at - interval '1 hour'"
			+ " where state = 'scheduled' and run_at > clock_timestamp() + interval '30 minutes'";

	private final PrivatePostgres server;

	private final Path offset;

	/**
	 * Creates a site on a running server.
	 * @param server the server, which is stopped in the end
	 * @param offset the file that says by how much its clock is wrong
	 */
	public TurnedClockSite(PrivatePostgres server, Path offset) {
		super(server.database(), null);
		this.server = server;
		this.offset = offset;
	}

	/** Sets the server's clock to the time of the machine. */
	public void turnBack() throws IOException {
		Files.writeString(this.offset, "+0\n");
	}

	/**
	 * Makes jobs due that were postponed before the clock went back; returns how many.
	 */
	public int bringForward() throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			return statement.executeUpdate(BRING_FORWARD);
		}
	}

	@Override
	public void close() {
		this.server.close();
	}

}
