package io.rowqueue.engine.search;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;

import io.rowqueue.admin.filter.JobFilter;
import org.jspecify.annotations.Nullable;

/**
 * Where a page begins: the keys of the last job of the page before, in the order in which
 * its source reads them. It is only a position, so nothing signs it.
 *
 * @param source the name of what is read
 * @param keys the keys
 */
record SearchCursor(String source, List<String> keys) {

	private static final String SEPARATOR = "|";

	private static final String KEYS = "[\\w:.,+() -]{0,80}";

	/** The cursor as text. */
	String text(JobFilter filter) {
		String text = hash(filter) + SEPARATOR + this.source + SEPARATOR + String.join(SEPARATOR, this.keys);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Reads the text of a cursor.
	 * @throws IllegalArgumentException if it is none, or is that of another filter
	 */
	static SearchCursor of(String text, JobFilter filter) {
		List<String> parts = List.of(decoded(text).split("\\|", -1));
		if (parts.size() < 3 || !parts.stream().allMatch((part) -> part.matches(KEYS))) {
			throw invalid(null);
		}
		if (!parts.get(0).equals(hash(filter))) {
			throw new IllegalArgumentException("the cursor belongs to another filter; start with the first page");
		}
		return new SearchCursor(parts.get(1), parts.subList(2, parts.size()));
	}

	static IllegalArgumentException invalid(@Nullable Throwable cause) {
		return new IllegalArgumentException("the cursor is invalid; start with the first page", cause);
	}

	private static String decoded(String text) {
		try {
			return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(ex);
		}
	}

	private static String hash(JobFilter filter) {
		CRC32 hash = new CRC32();
		hash.update(filter.query().getBytes(StandardCharsets.UTF_8));
		return Long.toHexString(hash.getValue());
	}

}
