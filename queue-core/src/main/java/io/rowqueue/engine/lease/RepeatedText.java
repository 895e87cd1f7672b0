package io.rowqueue.engine.lease;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A field that has the same text in most rows of a result, such as the type of the jobs
 * of a claim. These rows share one string, which is the one that annotations and other
 * rows have, too: it need not be decoded, and maps find it without reading its
 * characters. Not thread-safe.
 */
final class RepeatedText {

	private byte[] bytes = {};

	private String text = "";

	/** Returns the text of a part of a row. */
	String of(byte[] row, int begin, int end) {
		if (!Arrays.equals(row, begin, end, this.bytes, 0, this.bytes.length)) {
			this.bytes = Arrays.copyOfRange(row, begin, end);
			this.text = new String(this.bytes, StandardCharsets.UTF_8).intern();
		}
		return this.text;
	}

}
