package io.rowqueue.engine.support;

import java.util.Locale;
import java.util.function.Function;

/**
 * Runs the checks of the engine on the values of properties, and names the property in
 * the message. The exceptions have no cause: Boot would show the message of the cause
 * instead.
 *
 * @since 0.1.0
 */
public final class PropertyCheck {

	private PropertyCheck() {
	}

	/**
	 * Runs a check whose message begins with the name of the invalid value, such as
	 * {@code maxAttempts must be …}.
	 * @param prefix the properties that the value belongs to
	 * @param check throws an {@link IllegalArgumentException} if a value is invalid
	 */
	public static void of(String prefix, Runnable check) {
		run(check, (message) -> prefix + "." + dashed(message));
	}

	/**
	 * Runs a check whose message does not name the value.
	 * @param property the property or group of properties
	 * @param check throws an {@link IllegalArgumentException} if the value is invalid
	 */
	public static void value(String property, Runnable check) {
		run(check, (message) -> property + ": " + message);
	}

	private static void run(Runnable check, Function<String, String> message) {
		try {
			check.run();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(message.apply(String.valueOf(ex.getMessage())));
		}
	}

	private static String dashed(String message) {
		int end = message.indexOf(' ');
		String name = (end < 0) ? "" : message.substring(0, end);
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + message.substring(name.length());
	}

}
