package io.rowqueue.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.StrongEmphasis;

/**
 * The pages in reading order, in groups: what {@code docs/README.md} lists under its bold
 * words, then the other pages.
 */
record Navigation(List<Group> groups) {

	private static final String INDEX = "docs/README.md";

	/**
	 * Pages with a common title.
	 *
	 * @param title the bold word
	 * @param items its pages
	 */
	record Group(String title, List<Item> items) {
	}

	/**
	 * A page in the navigation.
	 *
	 * @param title the text of the link that leads to it
	 * @param page the page
	 * @param children pages that only this one lists, such as the single decisions
	 */
	record Item(String title, Page page, List<Item> children) {
	}

	static Navigation of(Pages pages) {
		Page index = pages.get(INDEX);
		List<Group> groups = new ArrayList<>();
		groups.add(new Group("", List.of(new Item("All pages", index, List.of()))));
		for (Node node = index.document().getFirstChild(); node != null; node = node.getNext()) {
			collect(node, groups, pages, index);
		}
		List<Page> rest = new ArrayList<>(pages.all());
		rest.removeAll(new Navigation(groups).inOrder());
		if (rest.stream().anyMatch((page) -> page.path().startsWith("docs/"))) {
			throw new IllegalStateException(
					"Neither " + INDEX + " nor a page that it lists as README.md links to " + rest);
		}
		groups.add(new Group("Project", rest.stream().map(Navigation::item).toList()));
		return new Navigation(List.copyOf(groups));
	}

	/** All pages, in the order of next and previous. */
	List<Page> inOrder() {
		List<Page> pages = new ArrayList<>();
		for (Group group : this.groups) {
			for (Item item : group.items()) {
				pages.add(item.page());
				item.children().forEach((child) -> pages.add(child.page()));
			}
		}
		return pages;
	}

	private static void collect(Node node, List<Group> groups, Pages pages, Page index) {
		node.accept(new AbstractVisitor() {

			@Override
			public void visit(StrongEmphasis bold) {
				groups.add(new Group(Markdown.text(bold), new ArrayList<>()));
			}

			@Override
			public void visit(Link link) {
				Page page = pages.target(index, link.getDestination());
				if (page != null) {
					List<Item> children = children(page, pages);
					groups.get(groups.size() - 1).items().add(new Item(Markdown.text(link), page, children));
				}
			}

		});
	}

	/**
	 * What an index of a directory links to in that directory, unless it is listed
	 * itself.
	 */
	private static List<Item> children(Page page, Pages pages) {
		String directory = page.path().replaceFirst("README\\.md$", "");
		if (directory.equals(page.path())) {
			return List.of();
		}
		List<Page> listed = pages.get(INDEX)
			.links()
			.stream()
			.map((link) -> pages.target(pages.get(INDEX), link.getDestination()))
			.toList();
		return page.links()
			.stream()
			.map((link) -> pages.target(page, link.getDestination()))
			.filter((child) -> child != null && child.path().startsWith(directory) && !child.equals(page)
					&& !listed.contains(child))
			.distinct()
			.map(Navigation::item)
			.toList();
	}

	private static Item item(Page page) {
		String title = Map.of("README.md", "Readme").getOrDefault(page.path(), page.title());
		return new Item(title, page, List.of());
	}

}
