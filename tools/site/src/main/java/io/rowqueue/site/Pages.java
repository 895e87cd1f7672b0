package io.rowqueue.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.commonmark.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * All pages of the site: those below docs, and each Markdown file that a page links to.
 */
final class Pages {

	private final Path root;

	private final Map<String, Page> pages = new LinkedHashMap<>();

	Pages(Path root) throws IOException {
		this.root = root;
		Deque<String> open = new ArrayDeque<>(below("docs"));
		open.addAll(List.of("README.md", "CHANGELOG.md", "SECURITY.md"));
		while (!open.isEmpty()) {
			String path = open.remove();
			if (!this.pages.containsKey(path)) {
				Page page = Page.read(root, path);
				this.pages.put(path, page);
				page.links().stream().map(Link::getDestination).forEach((link) -> {
					String target = resolve(page, link);
					if (target != null && target.endsWith(".md") && Files.isRegularFile(root.resolve(target))) {
						open.add(target);
					}
				});
			}
		}
	}

	Collection<Page> all() {
		return this.pages.values();
	}

	Page get(String path) {
		return Objects.requireNonNull(this.pages.get(path), () -> "There is no " + path);
	}

	/** The page that a link of another page leads to, or null. */
	@Nullable Page target(Page from, String link) {
		return this.pages.get(String.valueOf(resolve(from, link)));
	}

	/**
	 * The file of the repository that a link leads to.
	 * @return its path seen from the root, or null if the link leads to another site
	 */
	static @Nullable String resolve(Page from, String link) {
		String file = link.replaceFirst("#.*", "");
		if (file.contains(":")) {
			return null;
		}
		return file.isEmpty() ? from.path()
				: Path.of(from.path()).resolveSibling(file).normalize().toString().replace('\\', '/');
	}

	private List<String> below(String directory) throws IOException {
		try (Stream<Path> files = Files.walk(this.root.resolve(directory))) {
			return files.map((file) -> this.root.relativize(file).toString().replace('\\', '/'))
				.filter((file) -> file.endsWith(".md"))
				.sorted()
				.toList();
		}
	}

}
