package io.rowqueue.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;

/** The bytes of a response that are written while they are read. */
public interface StreamedContent {

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
