package io.rowqueue.schema;

import java.nio.charset.StandardCharsets;

/**
 * The name of the PostgreSQL schema that contains the queue's tables. It is
 * case-sensitive, and may contain spaces and punctuation.
 *
 * @param value the name, without quotes
 * @since 0.1.0
 */
public record SchemaName(String value) {

	/** The default name, {@code rowqueue}. */
	public static final SchemaName DEFAULT = new SchemaName("rowqueue");

	private static final int MAX_BYTES = 63;

	/**
	 * Checks the name.
	 * @param value the name, without quotes
	 * @throws IllegalArgumentException if PostgreSQL does not allow the name or would
	 * truncate it
	 */
	public SchemaName {
		if (value.isBlank()) {
			throw new IllegalArgumentException("the name of the queue's schema must not be empty");
		}
		if (value.indexOf('\0') >= 0) {
			throw new IllegalArgumentException("the name of the queue's schema must not contain a zero character");
		}
		int bytes = value.getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_BYTES) {
			throw new IllegalArgumentException("the name of the queue's schema must not be longer than " + MAX_BYTES
					+ " bytes, but '" + value + "' has " + bytes);
		}
		if (value.startsWith("pg_") || value.equals("information_schema")) {
			throw new IllegalArgumentException(
					"the queue's schema cannot be '" + value + "': PostgreSQL keeps this name for itself");
		}
	}

	/**
	 * Returns the name as an SQL identifier.
	 * @return the name in double quotes
	 */
	public String quoted() {
		return quoted(this.value);
	}

	/**
	 * Returns a delimiter for SQL that contains the name.
	 * @return a dollar quote that does not occur in the name
	 */
	public String dollarQuote() {
		String tag = "$rowqueue$";
		while (this.value.contains(tag)) {
			tag = tag.substring(0, tag.length() - 1) + "_$";
		}
		return tag;
	}

	/**
	 * Returns any name as an SQL identifier.
	 * @param identifier the name, such as that of a role
	 * @return the name in double quotes
	 */
	public static String quoted(String identifier) {
		return '"' + identifier.replace("\"", "\"\"") + '"';
	}

	@Override
	public String toString() {
		return this.value;
	}

}
