package io.rowqueue.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** The bytes of a response that are written while they are read. */
public interface StreamedContent {

	/** How long it takes at most to write all of it. */
	Duration MAX_TIME = Duration.ofMinutes(10);

	/** How long a client may read nothing. */
	Duration MAX_SILENCE = Duration.ofMinutes(2);

	/**
	 * Writes all of it. Any other exception than an {@link IOException} of the stream
	 * means that the response is incomplete, and must not look complete to the client.
	 * @param out to the client
	 * @throws IOException if the client has closed the connection
	 */
	void writeTo(OutputStream out) throws IOException;

	/** Is called instead if nothing is to be written. */
	void cancel();

}
