package io.pgqueue.sample.contact;

import java.util.regex.Pattern;

/**
 * Somebody to write to.
 *
 * @param name who it is
 * @param email where to write to
 */
record Contact(String name, String email) {

	/**
	 * RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of which are its brackets.
	 */
	private static final int MAX_EMAIL_LENGTH = 254;

	/**
	 * Sorts out what is no address at all; only a mail would tell more. No part can match
	 * what the next one begins with, so that no text takes more than one pass.
	 */
	private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)+");

	static Contact of(CsvRow row) {
		if (row.fields().size() != 2) {
			throw new BadRowException(row.line(),
					"expected 2 fields (name,email), not %d".formatted(row.fields().size()));
		}
		String name = row.fields().get(0);
		String email = row.fields().get(1);
		if (name.isBlank()) {
			throw new BadRowException(row.line(), "no name");
		}
		if (email.length() > MAX_EMAIL_LENGTH) {
			throw new BadRowException(row.line(),
					"a mail address has at most %d characters, not %d".formatted(MAX_EMAIL_LENGTH, email.length()));
		}
		if (!EMAIL.matcher(email).matches()) {
			throw new BadRowException(row.line(), "'" + email + "' is no mail address");
		}
		return new Contact(name, email);
	}

}
