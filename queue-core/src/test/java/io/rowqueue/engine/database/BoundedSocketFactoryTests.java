package io.rowqueue.engine.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.SQLException;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class BoundedSocketFactoryTests {

	private static final byte[] NOTIFICATION = { 1, 2, 3 };

	@AutoClose
	private ServerSocket listening;

	@AutoClose
	private Socket socket;

	@AutoClose
	private Socket server;

	@BeforeEach
	void connect() throws IOException {
		this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		this.socket = new BoundedSocketFactory().createSocket(this.listening.getInetAddress(),
				this.listening.getLocalPort());
		this.server = this.listening.accept();
	}

	@Test
	void aLookForMoreDoesNotWait() throws SQLException, IOException {
		this.server.getOutputStream().write(NOTIFICATION);
		ReadBound.within(100, () -> {
			assertThat(read()).isEqualTo(NOTIFICATION.length);
			look();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(this::read)
				.havingCause()
				.isInstanceOf(SocketTimeoutException.class)
				.withMessage("Nothing has arrived");
			return null;
		});
	}

	@Test
	void aLookForMoreReadsWhatHasArrived() throws SQLException, IOException {
		this.server.getOutputStream().write(NOTIFICATION);
		ReadBound.within(100, () -> {
			read();
			send();
			look();
			assertThat(read()).isEqualTo(NOTIFICATION.length);
			return null;
		});
	}

	@Test
	void theFirstReadWaitsForAsLongAsItIsTold() {
		look();
		assertThatThrownBy(() -> ReadBound.within(100, this::read)).hasCauseInstanceOf(SocketTimeoutException.class)
			.cause()
			.hasMessageNotContaining("Nothing has arrived");
	}

	@Test
	void moreThanIsAllowedIsNotRead() throws IOException {
		this.server.getOutputStream().write(NOTIFICATION);
		assertThatThrownBy(() -> ReadBound.within(2, this::read)).matches(ReadBound::isExceeded);
	}

	private int read() {
		try {
			InputStream stream = this.socket.getInputStream();
			return stream.read(new byte[10], 0, 10);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void send() {
		try {
			this.server.getOutputStream().write(NOTIFICATION);
			InputStream stream = this.socket.getInputStream();
			await().until(() -> stream.available() > 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void look() {
		try {
			this.socket.setSoTimeout(1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
