package io.rowqueue.engine.support;

/** The names of properties with keys of maps in them, as they are written in a file. */
public final class PropertyName {

	private PropertyName() {
	}

	/**
	 * Returns the name of the property for a key of a map, such as
	 * {@code rowqueue.types.mail} or {@code rowqueue.types[Mail.eu]}.
	 * @param map the name of the map
	 * @param key the key; in brackets, unless it consists of lower-case letters, digits
	 * and dashes
	 */
	public static String of(String map, String key) {
		return map + (key.matches("[a-z0-9-]+") ? "." + key : "[" + key + "]");
	}

}
