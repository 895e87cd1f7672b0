package io.rowqueue.engine.support;

import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.util.Assert;

/**
 * The limit key of a job with several keys, or with more than one unit of a key. It names
 * all of them, such as <code>all:{"api:mail":5,"tenant:42":1}</code>, so that everything
 * that stores or copies a limit key can store these. Jobs with one unit of one key have
 * this key itself.
 */
public final class CombinedLimitKey {

	/** The class of such keys, with its separator. */
	public static final String PREFIX = "all:";

	/** The maximum number of keys of a job. */
	public static final int MAX_KEYS = 5;

	/** The maximum number of units of a key. */
	public static final int MAX_UNITS = 10_000;

	/** The maximum length of the combination, which has to fit into an index. */
	public static final int MAX_LENGTH = 600;

	private static final Pattern MEMBER = Pattern
		.compile("\\s*\"((?:[^\"\\\\]|\\\\[\"\\\\])+)\"\\s*:\\s*(\\d{1,5})\\s*(,|$)");

	private CombinedLimitKey() {
	}

	/** Returns whether a limit key is a combination. */
	public static boolean is(String limitKey) {
		return limitKey.startsWith(PREFIX);
	}

	/**
	 * Adds a key.
	 * @param limitKey the limit key so far, or an empty text
	 * @param added the key to add, or a combination
	 * @param units the units of the key; a combination has its own
	 * @return the limit key of a job that has both
	 * @throws IllegalArgumentException if a combination is not well-formed or too large
	 */
	public static String with(String limitKey, String added, int units) {
		Map<String, Integer> members = limitKey.isEmpty() ? new TreeMap<>() : members(limitKey);
		members.putAll(is(added) ? members(added) : Map.of(added, units));
		members.forEach(CombinedLimitKey::check);
		Assert.isTrue(members.size() <= MAX_KEYS, () -> "a job has at most " + MAX_KEYS + " limit keys");
		String text = text(members);
		Assert.isTrue(text.length() <= MAX_LENGTH,
				() -> "the limit keys of a job must have at most " + MAX_LENGTH + " characters together: " + text);
		return text;
	}

	/**
	 * Returns the keys with their units.
	 * @throws IllegalArgumentException if a combination is not well-formed
	 */
	static Map<String, Integer> members(String limitKey) {
		Map<String, Integer> members = new TreeMap<>();
		if (!is(limitKey)) {
			members.put(limitKey, 1);
			return members;
		}
		Assert.isTrue(limitKey.startsWith(PREFIX + "{") && limitKey.endsWith("}"), () -> notWellFormed(limitKey));
		String content = limitKey.substring(PREFIX.length() + 1, limitKey.length() - 1);
		Matcher matcher = MEMBER.matcher(content);
		int end = 0;
		while (matcher.find() && matcher.start() == end) {
			members.put(matcher.group(1).replace("\\\"", "\"").replace("\\\\", "\\"),
					Integer.valueOf(matcher.group(2)));
			end = matcher.end();
		}
		Assert.isTrue(end == content.length() && !members.isEmpty() && !content.stripTrailing().endsWith(","),
				() -> notWellFormed(limitKey));
		return members;
	}

	private static void check(String key, int units) {
		RequestChecks.name("limitKey", key);
		Assert.isTrue(!is(key) && !FairnessKey.is(key),
				() -> "a limit key among others must not begin with " + PREFIX + " or " + FairnessKey.PREFIX);
		Assert.isTrue(units >= 1 && units <= MAX_UNITS,
				() -> "the units of a limit key must be from 1 to %s, not %s".formatted(MAX_UNITS, units));
	}

	private static String text(Map<String, Integer> members) {
		if (members.size() == 1 && members.containsValue(1)) {
			return members.keySet().iterator().next();
		}
		return members.entrySet()
			.stream()
			.map(CombinedLimitKey::text)
			.collect(Collectors.joining(",", PREFIX + "{", "}"));
	}

	private static String text(Entry<String, Integer> member) {
		return '"' + member.getKey().replace("\\", "\\\\").replace("\"", "\\\"") + "\":" + member.getValue();
	}

	private static String notWellFormed(String limitKey) {
		return "a limit key that begins with " + PREFIX + " must name keys with their units, such as " + PREFIX
				+ "{\"api:mail\":5,\"tenant:42\":1}, not " + limitKey;
	}

}
