package io.rowqueue.dashboard.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.dashboard.web.Assets;
import org.springframework.core.io.ClassPathResource;

/**
 * What {@code api.d.ts} says of the API. It reads the part of TypeScript that this file
 * is written in.
 */
final class Contract {

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

	private static final Pattern DECLARATION = Pattern.compile("export (interface|type) (\\w+)\\s*=?");

	private static final Pattern MEMBER = Pattern.compile("(?s)(\\w+)(\\??):\\s*(.+)");

	private static final Pattern MAP = Pattern
		.compile("(?s)\\{\\s*\\[.+?\\]\\??:\\s*(.+?)\\s*\\}|Record<[^,]+,\\s*(.+)>");

	private static final Pattern KEYS = Pattern.compile("(?s)\\{\\s*\\[\\w+ in (\\w+)\\].*");

	private static final Pattern PARTIAL = Pattern.compile("Partial<(.+)>");

	private static final Pattern MEMBER_OF = Pattern.compile("(\\w+)\\['(\\w+)'\\]");

	private final Map<String, String> interfaces = new TreeMap<>();

	private final Map<String, String> aliases = new TreeMap<>();

	private Contract(String text) {
		Matcher declaration = DECLARATION.matcher(text);
		while (declaration.find()) {
			boolean isInterface = declaration.group(1).equals("interface");
			String body = text.substring(declaration.end(), end(text, declaration.end(), isInterface)).strip();
			(isInterface ? this.interfaces : this.aliases).put(declaration.group(2), body);
		}
	}

	static Contract read() {
		try {
			String text = new ClassPathResource(Assets.FOLDER + "api.d.ts", Contract.class.getClassLoader())
				.getContentAsString(StandardCharsets.UTF_8);
			return new Contract(COMMENT.matcher(text).replaceAll(""));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** An interface ends with its brace, an alias with a semicolon. */
	private static int end(String text, int start, boolean isInterface) {
		int depth = 0;
		for (int i = start; i < text.length(); i++) {
			depth += depth(text.charAt(i));
			if (isInterface && depth == 0 && text.charAt(i) == '}') {
				return i + 1;
			}
			if (!isInterface && depth == 0 && text.charAt(i) == ';') {
				return i;
			}
		}
		throw new IllegalArgumentException("A declaration has no end: " + text.substring(start));
	}

	private static int depth(char each) {
		return ("{[(<".indexOf(each) >= 0) ? 1 : ("}])>".indexOf(each) >= 0) ? -1 : 0;
	}

	private static List<String> split(String text, char separator) {
		List<String> parts = new ArrayList<>();
		int depth = 0;
		int start = 0;
		for (int i = 0; i <= text.length(); i++) {
			if (i == text.length() || (depth == 0 && text.charAt(i) == separator)) {
				parts.add(text.substring(start, i).strip());
				start = i + 1;
			}
			else {
				depth += depth(text.charAt(i));
			}
		}
		parts.removeIf(String::isEmpty);
		return parts;
	}

	/** The names of all interfaces. */
	Set<String> interfaces() {
		return this.interfaces.keySet();
	}

	/** Whether a type is an object with members, and none that maps names to values. */
	boolean isObject(String type) {
		return this.interfaces.containsKey(type) || (type.startsWith("{") && !MAP.matcher(type).matches());
	}

	/** The members of an object, by name. */
	Map<String, Member> members(String type) {
		String body = this.interfaces.getOrDefault(type, type);
		Map<String, Member> members = new LinkedHashMap<>();
		for (String each : split(body.substring(1, body.length() - 1), ';')) {
			Matcher member = MEMBER.matcher(each);
			if (!member.matches()) {
				throw new IllegalArgumentException("No member: " + each);
			}
			members.put(member.group(1), new Member(member.group(3), !member.group(2).isEmpty()));
		}
		return members;
	}

	/** The alternatives of a type, without the names of aliases. */
	Set<String> alternatives(String type) {
		Set<String> found = new TreeSet<>();
		for (String each : split(type, '|')) {
			Matcher partial = PARTIAL.matcher(each);
			Matcher member = MEMBER_OF.matcher(each);
			if (this.aliases.containsKey(each) && !each.equals("Time")) {
				found.addAll(alternatives(this.aliases.get(each)));
			}
			else if (member.matches()) {
				found.addAll(alternatives(members(member.group(1)).get(member.group(2)).type()));
			}
			else if (each.startsWith("(") && each.endsWith(")")) {
				found.addAll(alternatives(each.substring(1, each.length() - 1)));
			}
			else {
				found.add(partial.matches() ? partial.group(1) : each);
			}
		}
		return found;
	}

	/** The texts that an alias, or a member such as {@code Job.state}, can have. */
	Set<String> texts(String name) {
		String[] path = name.split("\\.");
		String type = (path.length == 1) ? name : members(path[0]).get(path[1]).type();
		Set<String> texts = new TreeSet<>();
		alternatives(type).stream()
			.filter((each) -> each.startsWith("'"))
			.forEach((each) -> texts.add(each.substring(1, each.length() - 1)));
		return texts;
	}

	/** The type of the values of a map; {@code null}: it is none. */
	static String valuesOfMap(String type) {
		Matcher map = MAP.matcher(type);
		return !map.matches() ? null : (map.group(1) != null) ? map.group(1) : map.group(2);
	}

	/** The names that a map can have; empty: all names. */
	Set<String> keysOfMap(String type) {
		Matcher keys = KEYS.matcher(type);
		return keys.matches() ? texts(keys.group(1)) : Set.of();
	}

	/** The type of the elements of a list; {@code null}: it is none. */
	static String elementsOfList(String type) {
		return type.endsWith("[]") ? type.substring(0, type.length() - 2) : null;
	}

	/**
	 * A member of an object.
	 *
	 * @param type its type
	 * @param optional whether it can be missing
	 */
	record Member(String type, boolean optional) {

	}

}
