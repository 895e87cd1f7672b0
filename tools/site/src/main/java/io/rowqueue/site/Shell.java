package io.rowqueue.site;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** What surrounds the content of a page: navigation, contents, previous and next page. */
final class Shell {

	private final Navigation navigation;

	private final List<Page> order;

	private final String repository;

	private final String sources;

	private final String version;

	private final boolean api;

	private final Template head;

	private final Template bar;

	/**
	 * Creates one.
	 * @param navigation the pages in reading order
	 * @param repository where the project is
	 * @param sources where the files of this version can be read
	 * @param version the version that is documented
	 * @param api whether there is Javadoc
	 */
	Shell(Navigation navigation, String repository, String sources, String version, boolean api) throws IOException {
		this.navigation = navigation;
		this.order = navigation.inOrder();
		this.repository = repository;
		this.sources = sources;
		this.version = version;
		this.api = api;
		this.head = Template.named("head.html");
		this.bar = Template.named("bar.html");
	}

	/** What each page needs, whatever it shows. */
	Map<String, String> common(String html) {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("root", PageRenderer.relative(html, "index.html").replaceFirst("index\\.html$", ""));
		values.put("version", Template.escape(this.version));
		values.put("repository", Template.escape(this.repository));
		values.put("navigation", navigation(html));
		values.put("head", this.head.fill(values));
		values.put("bar", this.bar.fill(values));
		return values;
	}

	Map<String, String> of(Page page) {
		Map<String, String> values = common(page.html());
		int place = this.order.indexOf(page);
		values.put("title", Template.escape(page.title()));
		values.put("contents", contents(page));
		values.put("markdown", page.path().replaceFirst(".*/", ""));
		values.put("source", Template.escape(this.sources + "/" + page.path()));
		values.put("previous", neighbour(page, place > 0 ? this.order.get(place - 1) : null, "prev", "Previous"));
		values.put("next",
				neighbour(page, place + 1 < this.order.size() ? this.order.get(place + 1) : null, "next", "Next"));
		return values;
	}

	private String navigation(String html) {
		StringBuilder out = new StringBuilder();
		for (Navigation.Group group : this.navigation.groups()) {
			out.append(group.title().isEmpty() ? "" : "<h2>" + Template.escape(group.title()) + "</h2>");
			out.append("<ul>");
			group.items().forEach((item) -> out.append(item(item, html)));
			if (this.api && group.title().equals("Reference")) {
				out.append("<li><a href=\"%s\">Javadoc</a></li>"
					.formatted(PageRenderer.relative(html, "apidocs/index.html")));
			}
			out.append("</ul>\n");
		}
		return out.toString();
	}

	private static String item(Navigation.Item item, String html) {
		boolean current = item.page().html().equals(html);
		boolean within = current || item.children().stream().anyMatch((child) -> child.page().html().equals(html));
		String children = within && !item.children().isEmpty() ? item.children()
			.stream()
			.map((child) -> item(child, html))
			.collect(Collectors.joining("", "<ul>", "</ul>")) : "";
		return "<li><a href=\"%s\"%s>%s</a>%s</li>".formatted(PageRenderer.relative(html, item.page().html()),
				current ? " aria-current=\"page\"" : "", Template.escape(item.title()), children);
	}

	private static String contents(Page page) {
		List<Page.Anchor> sections = page.headings()
			.stream()
			.filter((heading) -> heading.node().getLevel() == 2 || heading.node().getLevel() == 3)
			.toList();
		if (sections.size() < 2) {
			return "";
		}
		return sections.stream()
			.map((section) -> "<li class=\"level%s\"><a href=\"#%s\">%s</a></li>".formatted(section.node().getLevel(),
					section.id(), Template.escape(section.text())))
			.collect(Collectors.joining("\n", "<h2>On this page</h2><ul>", "</ul>"));
	}

	private static String neighbour(Page page, @Nullable Page other, String rel, String word) {
		return (other == null) ? "<span></span>"
				: "<a class=\"%s\" rel=\"%s\" href=\"%s\"><span>%s</span>%s</a>".formatted(rel, rel,
						PageRenderer.relative(page.html(), other.html()), word, Template.escape(other.title()));
	}

}
