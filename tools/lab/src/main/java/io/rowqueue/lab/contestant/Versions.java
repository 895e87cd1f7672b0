package io.rowqueue.lab.contestant;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a library, from the name of its jar. */
public final class Versions {

	private static final Pattern JAR = Pattern.compile("-(\\d[\\w.-]*)\\.jar$");

	private Versions() {
	}

	/** The version of the library that a class is from. */
	public static String of(Class<?> type) {
		Matcher jar = JAR.matcher(type.getProtectionDomain().getCodeSource().getLocation().getPath());
		return jar.find() ? jar.group(1) : "unknown";
	}

}
