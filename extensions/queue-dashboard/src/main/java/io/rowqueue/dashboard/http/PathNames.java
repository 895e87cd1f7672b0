package io.rowqueue.dashboard.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Names in paths. Each byte outside of {@code A-Z a-z 0-9 . _ : -} is written as a tilde
 * and two hexadecimal digits, since servers and firewalls refuse an escaped slash and
 * other characters however they are percent-encoded.
 */
public final class PathNames {

	private PathNames() {
	}

	/** Writes a name as a segment of a path. */
	public static String encode(String name) {
		if (name.equals(".") || name.equals("..")) {
			return name.replace(".", "~2E"); // browsers and servers would go up
		}
		StringBuilder segment = new StringBuilder();
		for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
			if (isPlain(each)) {
				segment.append((char) each);
			}
			else {
				segment.append('~').append(String.format("%02X", each & 0xff));
			}
		}
		return segment.toString();
	}

	/**
	 * Reads a segment of a path; percent-encoding, which a proxy may have added, is
	 * undone first. A name has one writing with tildes, so that a rule for a path cannot
	 * be evaded by another one.
	 * @return the name; empty if the segment was not written by {@link #encode}
	 */
	public static Optional<String> decode(String segment) {
		return unescape(segment, '%').flatMap((plain) -> unescape(plain, '~')
			.filter((name) -> plain.indexOf('~') < 0 || plain.equalsIgnoreCase(encode(name))));
	}

	private static Optional<String> unescape(String text, char escape) {
		if (text.indexOf(escape) < 0) {
			return Optional.of(text);
		}
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		ByteArrayOutputStream plain = new ByteArrayOutputStream();
		for (int i = 0; i < bytes.length; i++) {
			if (bytes[i] != escape) {
				plain.write(bytes[i]);
				continue;
			}
			int value = (i + 2 < bytes.length) ? hex(bytes[i + 1]) * 16 + hex(bytes[i + 2]) : -1;
			if (value < 0) {
				return Optional.empty();
			}
			plain.write(value);
			i += 2;
		}
		try {
			return Optional
				.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(plain.toByteArray())).toString());
		}
		catch (CharacterCodingException ex) {
			return Optional.empty();
		}
	}

	/** A digit's value; so small that a number with it is negative if it is none. */
	private static int hex(byte digit) {
		int value = Character.digit(digit, 16);
		return (value < 0) ? -256 : value;
	}

	private static boolean isPlain(byte each) {
		return (each >= 'A' && each <= 'Z') || (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9')
				|| each == '.' || each == '_' || each == ':' || each == '-';
	}

}
