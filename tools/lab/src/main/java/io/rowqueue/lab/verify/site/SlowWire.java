package io.rowqueue.lab.verify.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to a server on which answers can be held up: what a client sends arrives at once,
 * what it is answered arrives later. The way stays open until this JVM ends.
 */
public final class SlowWire {

	private static final String PREFIX = "jdbc:";

	private static final int BUFFER = 8192;

	private final ServerSocket entrance;

	private final URI server;

	private final Lock lock = new ReentrantLock();

	private final Condition released = this.lock.newCondition();

	private boolean held;

	private SlowWire(ServerSocket entrance, URI server) {
		this.entrance = entrance;
		this.server = server;
	}

	/** Opens a way to the server of a JDBC URL. */
	public static SlowWire to(String url) {
		try {
			SlowWire wire = new SlowWire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
					URI.create(url.substring(PREFIX.length())));
			start("accept", wire::accept);
			return wire;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The JDBC URL of the same database by this way. */
	public String url() {
		String query = (this.server.getRawQuery() != null) ? "?" + this.server.getRawQuery() : "";
		return PREFIX + this.server.getScheme() + "://127.0.0.1:" + this.entrance.getLocalPort()
				+ this.server.getRawPath() + query;
	}

	/** From now on no answer arrives. */
	public void hold() {
		set(true);
	}

	/** All answers arrive. */
	public void release() {
		set(false);
	}

	private void set(boolean hold) {
		this.lock.lock();
		try {
			this.held = hold;
			this.released.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitRelease() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.held) {
				this.released.await();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.entrance.accept();
			Socket database = new Socket(this.server.getHost(), this.server.getPort());
			client.setTcpNoDelay(true);
			database.setTcpNoDelay(true);
			start("requests", () -> copy(client, database, false));
			start("answers", () -> copy(database, client, true));
		}
	}

	private void copy(Socket from, Socket to, boolean answers) throws IOException, InterruptedException {
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[BUFFER];
			int count = in.read(buffer);
			while (count >= 0) {
				if (answers) {
					awaitRelease();
				}
				out.write(buffer, 0, count);
				count = in.read(buffer);
			}
		}
	}

	private static void start(String name, Way way) {
		Thread thread = new Thread(() -> {
			try {
				way.go();
			}
			catch (IOException ex) {
				// one of both ends has closed the connection
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "wire-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private interface Way {

		void go() throws IOException, InterruptedException;

	}

}
