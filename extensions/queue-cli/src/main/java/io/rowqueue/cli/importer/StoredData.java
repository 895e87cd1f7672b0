package io.rowqueue.cli.importer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Properties;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Data of another scheduler that is no column of its own. It is never deserialized. */
final class StoredData {

	/** Keeps all digits of a number. */
	static final JsonMapper JSON = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	/**
	 * What Quartz serializes for a job without data: a map whose number of entries, which
	 * is the last number of the stream, is 0.
	 */
	private static final Pattern EMPTY_MAP = Pattern.compile("aced.*7708.{8}00000000780[01]");

	private static final String UNREADABLE = "its data is serialized by Java: import it with --without-data, or let the"
			+ " other scheduler run it";

	private final byte[] bytes;

	StoredData(byte @Nullable [] bytes) {
		this.bytes = (bytes != null) ? bytes : new byte[0];
	}

	/**
	 * Returns data that is JSON.
	 * @throws UnreadableException if it is not
	 */
	@Nullable String json() throws UnreadableException {
		if (this.bytes.length == 0) {
			return null;
		}
		try {
			return JSON.readTree(this.bytes).toString();
		}
		catch (JacksonException ex) {
			throw new UnreadableException(UNREADABLE, ex);
		}
	}

	/**
	 * Returns data that is a list of properties, or is serialized and empty.
	 * @throws UnreadableException if it is neither
	 */
	Properties properties() throws UnreadableException {
		Properties properties = new Properties();
		if (this.bytes.length == 0 || EMPTY_MAP.matcher(HexFormat.of().formatHex(this.bytes)).matches()) {
			return properties;
		}
		if (this.bytes[0] != '#') {
			throw new UnreadableException(UNREADABLE, null);
		}
		try {
			properties.load(new InputStreamReader(new ByteArrayInputStream(this.bytes), StandardCharsets.ISO_8859_1));
		}
		catch (IOException ex) {
			throw new UnreadableException(UNREADABLE, ex);
		}
		return properties;
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
