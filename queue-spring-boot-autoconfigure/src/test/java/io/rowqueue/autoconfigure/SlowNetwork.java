package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * The network between an application and the database. While it is frozen, nothing
 * arrives, and no connection ends; afterwards all arrives that was sent. To the database,
 * the application is a process that is frozen. It can also lose connections at a commit.
 */
public final class SlowNetwork implements AutoCloseable {

	private final URI target;

	private final ServerSocket entrance;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private volatile CountDownLatch open = new CountDownLatch(0);

	private final AtomicReference<@Nullable Loss> next = new AtomicReference<>();

	/**
	 * Creates a network.
	 * @param url leads to the database
	 */
	public SlowNetwork(String url) throws IOException {
		this.target = URI.create(url.substring("jdbc:".length()));
		this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	/** Leads to the database through the network. */
	public String url() {
		return "jdbc:postgresql://127.0.0.1:" + this.entrance.getLocalPort() + this.target.getPath()
				+ "?sslmode=disable&gssEncMode=disable";
	}

	/** From now on nothing arrives. */
	public void freeze() {
		this.open = new CountDownLatch(1);
	}

	/** All arrives again, also what was sent meanwhile. */
	public void goOn() {
		this.open.countDown();
	}

	/**
	 * Breaks a connection when the application commits. The driver must not prepare that
	 * statement ({@code prepareThreshold=0}).
	 * @param after only a connection that has sent this text
	 * @param arrives whether the server gets the commit, and only its answer is lost
	 */
	public void loseNextCommit(String after, boolean arrives) {
		this.next.set(new Loss(after, arrives));
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.entrance.accept();
				Socket server = new Socket(this.target.getHost(), this.target.getPort());
				this.sockets.add(client);
				this.sockets.add(server);
				Commits commits = new Commits();
				start(() -> pump(client, server, commits::sent));
				start(() -> pump(server, client, commits::answered));
			}
		}
		catch (IOException ex) {
			close();
		}
	}

	private void pump(Socket from, Socket to, Filter filter) {
		byte[] bytes = new byte[8192];
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			int length = in.read(bytes);
			while (length >= 0) {
				this.open.await();
				if (!filter.passes(new String(bytes, 0, length, StandardCharsets.ISO_8859_1))) {
					return;
				}
				out.write(bytes, 0, length);
				length = in.read(bytes);
			}
		}
		catch (IOException | InterruptedException ex) {
			Thread.currentThread().interrupt(); // the thread ends
		}
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "slow-network");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		goOn();
		try {
			this.entrance.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Filter {

		/** Returns whether the text is passed on; otherwise the connection ends. */
		boolean passes(String text);

	}

	private record Loss(String after, boolean arrives) {

	}

	/** The commits of one connection. */
	private final class Commits {

		private String sent = "";

		private volatile boolean losesAnswer;

		private boolean sent(String text) {
			Loss loss = SlowNetwork.this.next.get();
			if (loss == null) {
				return true;
			}
			this.sent += text;
			int begin = this.sent.indexOf(loss.after);
			if (begin < 0 || this.sent.indexOf("COMMIT", begin) < 0
					|| !SlowNetwork.this.next.compareAndSet(loss, null)) {
				return true;
			}
			this.losesAnswer = loss.arrives;
			return loss.arrives;
		}

		private boolean answered(String text) {
			return !this.losesAnswer;
		}

	}

}
