package io.pgqueue.lab.verify.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.pgqueue.postgres.PrivatePostgres;

/** A server that takes its time from a file. */
public final class TurnedClockSite extends Site {

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

	@Override
	public void close() {
		this.server.close();
	}

}
