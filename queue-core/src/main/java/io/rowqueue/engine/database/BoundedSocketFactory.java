package io.rowqueue.engine.database;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

import javax.net.SocketFactory;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * The {@code socketFactory} of the driver for connections that listen for notifications.
 * The driver reads all notifications that have arrived into one array without a limit.
 * With this factory, a {@link ReadBound} can limit how much a thread reads.
 * <p>
 * When the driver has received a notification, it looks whether there are more: it reads
 * with a timeout of one millisecond, which passes in full if there are none. The thread
 * that claims would wait for as long before it learns of the job. These sockets answer at
 * once that nothing has arrived.
 */
public final class BoundedSocketFactory extends SocketFactory {

	/** Creates the factory. Called by the driver, which knows the name of the class. */
	public BoundedSocketFactory() {
	}

	/**
	 * Returns whether the driver can load this class by its name. A driver in a parent
	 * class loader, such as that of a servlet container, cannot.
	 */
	public static boolean isKnownToDriver() {
		try {
			return Class.forName(BoundedSocketFactory.class.getName(), false,
					Driver.class.getClassLoader()) == BoundedSocketFactory.class;
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	@Override
	public Socket createSocket() {
		return new BoundedSocket();
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return connect(null, new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return connect(new InetSocketAddress(localHost, localPort), new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(InetAddress host, int port) throws IOException {
		return connect(null, new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
			throws IOException {
		return connect(new InetSocketAddress(localAddress, localPort), new InetSocketAddress(address, port));
	}

	private static Socket connect(@Nullable InetSocketAddress from, InetSocketAddress to) throws IOException {
		Socket socket = new BoundedSocket();
		try {
			socket.bind(from);
			socket.connect(to);
			return socket;
		}
		catch (IOException | RuntimeException ex) {
			socket.close();
			throw ex;
		}
	}

	private static final class BoundedSocket extends Socket {

		/** The timeout with which the driver looks whether there is more to read. */
		private static final int LOOK_MILLIS = 1;

		@Override
		public InputStream getInputStream() throws IOException {
			return new BoundedStream(super.getInputStream(), this);
		}

		boolean isLookedAt() throws IOException {
			return getSoTimeout() == LOOK_MILLIS;
		}

	}

	/**
	 * Counts the bytes that a thread reads, and does not wait for more than it has begun
	 * to read if the driver only looks.
	 */
	private static final class BoundedStream extends FilterInputStream {

		private final BoundedSocket socket;

		BoundedStream(InputStream stream, BoundedSocket socket) {
			super(stream);
			this.socket = socket;
		}

		@Override
		public int read() throws IOException {
			int read = this.in.read();
			ReadBound.count(1);
			return read;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			if (ReadBound.hasRead() && this.socket.isLookedAt() && this.in.available() == 0) {
				throw new SocketTimeoutException("Nothing has arrived");
			}
			int read = this.in.read(bytes, offset, length);
			ReadBound.count(Math.max(0, read));
			return read;
		}

	}

}
