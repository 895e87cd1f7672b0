package io.pgqueue.autoconfigure;

import java.util.Locale;

/** Lets the queue's own checks speak of properties. */
public final class PropertyCheck {

	private PropertyCheck() {
	}

	/**
	 * Runs a check whose message begins with the name of the value that is wrong.
	 * @param prefix what stands before the value's name in a property
	 * @param check throws an {@link IllegalArgumentException} if a value is wrong
	 */
	public static void of(String prefix, Runnable check) {
		try {
			check.run();
		}
		catch (IllegalArgumentException ex) {
			// no cause: Boot would show its message and not this one
			throw new IllegalArgumentException(prefix + "." + kebab(String.valueOf(ex.getMessage())));
		}
	}

	/** A key of a map in the name of a property, as it is written in a file. */
	static String key(String name) {
		return name.matches("[\\w-]+") ? "." + name : "[" + name + "]";
	}

	private static String kebab(String message) {
		int end = message.indexOf(' ');
		String name = (message.startsWith("queues") || end < 0) ? "" : message.substring(0, end);
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + message.substring(name.length());
	}

}
