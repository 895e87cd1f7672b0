package io.rowqueue.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds links of a finished site that lead nowhere, and what it would load from
 * elsewhere.
 */
final class LinkCheck {

	private static final Pattern TAG = Pattern.compile("<(\\w+) [^>]*?(?:href|src)=\"([^\"]*)\"");

	private static final Pattern ID = Pattern.compile("<[^>]* id=\"([^\"]*)\"");

	private static final Pattern LINK_OF_MARKDOWN = Pattern.compile("]\\(([^)\\s]*)\\)");

	private final Path site;

	private final Map<Path, Set<String>> ids = new HashMap<>();

	private final List<String> problems = new ArrayList<>();

	LinkCheck(Path site) {
		this.site = site;
	}

	/**
	 * The problems of a site, none if all is well. What another tool wrote below
	 * {@code api} is not read.
	 */
	static List<String> problems(Path site) throws IOException {
		LinkCheck check = new LinkCheck(site);
		try (Stream<Path> files = Files.walk(site)) {
			for (Path file : files.filter((file) -> !site.relativize(file).startsWith("apidocs")).sorted().toList()) {
				if (file.toString().endsWith(".html")) {
					check.page(file);
				}
				else if (file.endsWith("llms.txt")) {
					check.list(file);
				}
			}
		}
		return check.problems;
	}

	private void page(Path file) throws IOException {
		String html = Files.readString(file);
		List<String> names = ID.matcher(html).results().map((id) -> id.group(1)).collect(Collectors.toList());
		Set<String> distinct = new TreeSet<>(names);
		distinct.forEach(names::remove);
		names.forEach((name) -> add(file, "has the name " + name + " twice"));
		Matcher tags = TAG.matcher(html);
		while (tags.find()) {
			MatchResult tag = tags.toMatchResult();
			boolean otherSite = tag.group(2).matches("[a-z]+:.*|//.*");
			if (!otherSite) {
				follow(file, tag.group(2));
			}
			else if (!tag.group(1).equals("a")) {
				add(file, "loads " + tag.group(2));
			}
		}
	}

	private void list(Path file) throws IOException {
		Matcher links = LINK_OF_MARKDOWN.matcher(Files.readString(file));
		while (links.find()) {
			follow(file, links.group(1));
		}
	}

	private void follow(Path from, String link) throws IOException {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
		// the list of all versions is made when they are put together
		if (!target.startsWith(this.site)) {
			return;
		}
		if (!Files.isRegularFile(target)) {
			add(from, "links to " + link + ", which does not exist");
		}
		else if (parts.length == 2 && !parts[1].isEmpty() && !ids(target).contains(parts[1])) {
			add(from, "links to " + link + ", but the page has no such heading");
		}
	}

	private Set<String> ids(Path page) throws IOException {
		Set<String> known = this.ids.get(page);
		if (known == null) {
			known = ID.matcher(Files.readString(page)).results().map((id) -> id.group(1)).collect(Collectors.toSet());
			this.ids.put(page, known);
		}
		return known;
	}

	private void add(Path file, String problem) {
		this.problems.add(this.site.relativize(file) + " " + problem);
	}

}
