package io.rowqueue.dashboard.http;

import java.nio.charset.StandardCharsets;

/** The bytes of a request or a response. */
public final class Content {

	/** No bytes. */
	public static final Content NONE = new Content(new byte[0]);

	private final byte[] bytes;

	private Content(byte[] bytes) {
		this.bytes = bytes;
	}

	/** Wraps bytes, which must not be changed afterwards. */
	public static Content of(byte[] bytes) {
		return new Content(bytes);
	}

	/** Returns the bytes of a text. */
	public static Content of(String text) {
		return new Content(text.getBytes(StandardCharsets.UTF_8));
	}

	/** Returns the bytes, not a copy of them. */
	public byte[] bytes() {
		return this.bytes;
	}

	/** Returns how many there are. */
	public int length() {
		return this.bytes.length;
	}

	@Override
	public String toString() {
		return new String(this.bytes, StandardCharsets.UTF_8);
	}

}
