package io.rowqueue.site;

import java.util.ArrayList;
import java.util.List;

import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the search finds: the sections of all pages, as a script, since a page on a disk
 * cannot load data.
 */
final class SearchSections {

	private final List<Section> sections = new ArrayList<>();

	/**
	 * A section of a page, up to the next heading.
	 *
	 * @param url where it is, seen from the root of the version
	 * @param page the title of its page
	 * @param heading its heading
	 * @param text its words
	 */
	record Section(String url, String page, String heading, String text) {
	}

	/** Adds a page that has not been rendered. */
	void add(Page page) {
		for (Page.Anchor anchor : page.headings()) {
			StringBuilder text = new StringBuilder();
			for (Node node = anchor.node().getNext(); node != null
					&& !(node instanceof Heading); node = node.getNext()) {
				if (!(node instanceof HtmlBlock)) {
					text.append(Markdown.text(node)).append(' ');
				}
			}
			boolean whole = anchor.node().getLevel() == 1;
			this.sections.add(new Section(whole ? page.html() : page.html() + "#" + anchor.id(), page.title(),
					anchor.text(), text.toString().replaceAll("\\s+", " ").strip()));
		}
	}

	String script() {
		return "window.rowqueueSections = " + JsonMapper.shared().writeValueAsString(this.sections) + ";\n";
	}

}
