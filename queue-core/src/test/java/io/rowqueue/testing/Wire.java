package io.rowqueue.testing;

import java.io.DataOutputStream;
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
import java.util.concurrent.atomic.AtomicInteger;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * The network between a process and the database. It can be made to swallow whatever is
 * sent, without a word: like a server that hangs, or a firewall that has forgotten a
 * connection.
 */
public final class Wire implements AutoCloseable {

	private final ServerSocket entrance;

	private final PGSimpleDataSource target;

	private final URI address;

	private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

	private final AtomicInteger connections = new AtomicInteger();

	private volatile boolean swallows;

	private volatile boolean startsUp;

	public Wire(Engine engine) throws IOException {
		this.target = engine.dataSource();
		this.address = URI.create(engine.database().url().substring("jdbc:".length()));
		this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		Async.run(this::accept);
	}

	/** Connections through the wire, which say hello within a second or give up. */
	public PGSimpleDataSource dataSource() {
		this.target.setServerNames(new String[] { "127.0.0.1" });
		this.target.setPortNumbers(new int[] { this.entrance.getLocalPort() });
		this.target.setLoginTimeout(1);
		this.target.setSslMode("disable");
		this.target.setGssEncMode("disable");
		return this.target;
	}

	/** From now on nothing arrives, or all does again that is sent from then on. */
	public void swallow(boolean swallows) {
		this.swallows = swallows;
	}

	/** As if the server had crashed and were busy recovering, or had recovered. */
	public void startUp(boolean startsUp) {
		this.startsUp = startsUp;
		breakAll();
	}

	/**
	 * Breaks all connections as if at once: a client that has lost one cannot use another
	 * one before that is broken as well. New ones work.
	 */
	public void cut() {
		this.swallows = true;
		breakAll();
		this.swallows = false;
	}

	private void breakAll() {
		try {
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** How many connections there were so far. */
	public int connections() {
		return this.connections.get();
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.entrance.accept();
				this.connections.incrementAndGet();
				if (this.startsUp) {
					refuse(client);
					continue;
				}
				Socket server = new Socket(this.address.getHost(), this.address.getPort());
				this.sockets.add(client);
				this.sockets.add(server);
				Async.run(() -> pump(client, server));
				Async.run(() -> pump(server, client));
			}
		}
		catch (IOException ex) {
			close();
		}
	}

	/** What PostgreSQL answers to the first message of a client then. */
	private static void refuse(Socket client) throws IOException {
		try (client;
				InputStream in = client.getInputStream();
				DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
			if (in.read(new byte[8192]) > 0) {
				byte[] fields = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
					.getBytes(StandardCharsets.US_ASCII);
				out.writeByte('E');
				out.writeInt(4 + fields.length);
				out.write(fields);
				out.flush();
			}
		}
	}

	private void pump(Socket from, Socket to) {
		byte[] bytes = new byte[8192];
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			int length = in.read(bytes);
			while (length >= 0) {
				if (!this.swallows) {
					out.write(bytes, 0, length);
				}
				length = in.read(bytes);
			}
		}
		catch (IOException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		try {
			this.entrance.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		breakAll();
	}

}
