package io.rowqueue.cli.importer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Data of another scheduler that is no column of its own. It is never deserialized. */
final class StoredData {

	private static final String UNREADABLE = "its data is serialized by Java: import it with --without-data, or let the"
			+ " other scheduler run it";

	private final byte[] bytes;

	StoredData(byte @Nullable [] bytes) {
		this.bytes = (bytes != null) ? bytes : new byte[0];
	}

	boolean isEmpty() {
		return this.bytes.length == 0;
	}

	/**
	 * Returns data that is JSON.
	 * @throws UnreadableException if it is not
	 */
	@Nullable String json() throws UnreadableException {
		if (isEmpty()) {
			return null;
		}
		try {
			return JsonMapper.shared().readTree(this.bytes).toString();
		}
		catch (JacksonException ex) {
			throw new UnreadableException(UNREADABLE, ex);
		}
	}

	/**
	 * Returns data that is a list of properties, as JSON.
	 * @throws UnreadableException if it is not
	 */
	@Nullable String properties() throws UnreadableException {
		if (isEmpty()) {
			return null;
		}
		if (this.bytes[0] != '#') {
			throw new UnreadableException(UNREADABLE, null);
		}
		Properties properties = new Properties();
		try {
			properties.load(new InputStreamReader(new ByteArrayInputStream(this.bytes), StandardCharsets.ISO_8859_1));
		}
		catch (IOException ex) {
			throw new UnreadableException(UNREADABLE, ex);
		}
		return properties.isEmpty() ? null : JsonMapper.shared().writeValueAsString(new TreeMap<>(properties));
	}

	/** The data cannot be read; the message states the reason. */
	static final class UnreadableException extends Exception {

		private static final long serialVersionUID = 1;

		UnreadableException(String message, @Nullable Throwable cause) {
			super(message, cause);
		}

		String reason() {
			return String.valueOf(getMessage());
		}

	}

}
