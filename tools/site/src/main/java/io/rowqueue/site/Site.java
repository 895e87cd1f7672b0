package io.rowqueue.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;

/** Makes the site of one version, and fails if a link of it leads nowhere. */
public final class Site {

	private final Path root;

	private final Path site;

	private final String version;

	private final String repository;

	private Site(Path root, Path site, String version, String repository) {
		this.root = root;
		this.site = site;
		this.version = version;
		this.repository = repository;
	}

	/**
	 * Makes the site.
	 * @param arguments the root of the repository; the directory of all versions; the
	 * version; where the repository can be read
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String... arguments) throws IOException {
		Path sites = Path.of(arguments[1]);
		write(Path.of(arguments[0]), sites.resolve(arguments[2]), arguments[2], arguments[3]);
		Versions.write(sites);
	}

	static void write(Path root, Path site, String version, String repository) throws IOException {
		new Site(root.toAbsolutePath().normalize(), site.toAbsolutePath().normalize(), version, repository).write();
	}

	private void write() throws IOException {
		clean();
		Pages pages = new Pages(this.root);
		String tag = this.version.endsWith("-SNAPSHOT") ? "HEAD" : "v" + this.version;
		String sources = this.repository + "/blob/" + tag;
		boolean api = Files.exists(this.site.resolve("apidocs/index.html"));
		Navigation navigation = Navigation.of(pages);
		Shell shell = new Shell(navigation, this.repository, sources, this.version, api);
		landing(shell, pages.get("README.md"));
		SearchSections sections = new SearchSections();
		navigation.inOrder().forEach(sections::add);
		PageRenderer renderer = new PageRenderer(this.root, pages, sources);
		Template template = Template.named("page.html");
		for (Page page : pages.all()) {
			Map<String, String> values = shell.of(page);
			values.put("content", renderer.render(page));
			write(page.html(), template.fill(values));
			copy(page.path());
		}
		for (String image : renderer.images()) {
			copy(image);
		}
		copy("llms.txt");
		Assets.copy(this.site.resolve("assets"));
		write("assets/sections.js", sections.script());
		List<String> problems = LinkCheck.problems(this.site);
		if (!problems.isEmpty()) {
			throw new IllegalStateException("The site is broken:\n" + String.join("\n", problems));
		}
	}

	private void landing(Shell shell, Page readme) throws IOException {
		Map<String, String> values = shell.common("index.html");
		values.put("code", Template.escape(firstJava(readme)));
		write("index.html", Template.named("landing.html").fill(values));
	}

	private static String firstJava(Page page) {
		for (Node node = page.document().getFirstChild(); node != null; node = node.getNext()) {
			if (node instanceof FencedCodeBlock block && "java".equals(block.getInfo())) {
				return block.getLiteral().replace("\t", "  ").stripTrailing();
			}
		}
		throw new IllegalStateException(page.path() + " has no Java");
	}

	private void write(String path, String content) throws IOException {
		Path file = this.site.resolve(path);
		Files.createDirectories(file.getParent());
		Files.writeString(file, content);
	}

	private void copy(String path) throws IOException {
		Path file = this.site.resolve(path);
		Files.createDirectories(file.getParent());
		Files.copy(this.root.resolve(path), file);
	}

	/**
	 * Deletes the previous site, but not the Javadoc, which another tool has written
	 * before.
	 */
	private void clean() throws IOException {
		Files.createDirectories(this.site);
		try (Stream<Path> files = Files.walk(this.site)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				if (!file.equals(this.site) && !this.site.relativize(file).startsWith("apidocs")) {
					Files.delete(file);
				}
			}
		}
	}

}
