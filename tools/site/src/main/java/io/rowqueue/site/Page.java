package io.rowqueue.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * A Markdown file of the repository.
 *
 * @param path where it is, seen from the root of the repository
 * @param title its first heading
 * @param document its parsed content
 * @param headings its headings, in order
 */
record Page(String path, String title, Node document, List<Anchor> headings) {

	/**
	 * A heading and the name that links use for it.
	 *
	 * @param node the heading
	 * @param text its text
	 * @param id its name, the one that GitHub gives it
	 */
	record Anchor(Heading node, String text, String id) {
	}

	static Page read(Path root, String path) throws IOException {
		Node document = Markdown.parse(Files.readString(root.resolve(path)));
		List<Anchor> headings = anchors(document);
		String title = headings.isEmpty() ? path : headings.get(0).text();
		return new Page(path, title, document, headings);
	}

	/** Where its HTML is; the page that GitHub shows for a directory is its index. */
	String html() {
		boolean indexOfDirectory = this.path.endsWith("/README.md");
		return indexOfDirectory ? this.path.replaceFirst("README\\.md$", "index.html")
				: this.path.replaceFirst("\\.md$", ".html");
	}

	List<Link> links() {
		List<Link> links = new ArrayList<>();
		this.document.accept(new AbstractVisitor() {

			@Override
			public void visit(Link link) {
				links.add(link);
				visitChildren(link);
			}

		});
		return links;
	}

	private static List<Anchor> anchors(Node document) {
		List<Anchor> anchors = new ArrayList<>();
		Map<String, Integer> names = new HashMap<>();
		document.accept(new AbstractVisitor() {

			@Override
			public void visit(Heading heading) {
				String text = Markdown.text(heading);
				String name = text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
				int earlier = names.merge(name, 1, Integer::sum) - 1;
				anchors.add(new Anchor(heading, text, earlier == 0 ? name : name + "-" + earlier));
			}

		});
		return anchors;
	}

}
