package io.rowqueue.postgres;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address. */
final class Ports {

	private static final int LOWEST = 20_000;

	private static final int HIGHEST = 32_000;

	private Ports() {
	}

	/**
	 * A free port, none of those that the system gives to clients: while a server is
	 * down, a client could get it, the one that waits for this very server included.
	 */
	static int free() throws IOException {
		for (int i = 0; i < 100; i++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// the port is in use
			}
		}
		throw new IOException("There is no free port from " + LOWEST + " to " + HIGHEST);
	}

}
