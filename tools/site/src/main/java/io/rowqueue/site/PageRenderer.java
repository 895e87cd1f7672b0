package io.rowqueue.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/**
 * Makes the content of a page HTML: links lead to pages of the site or to the repository,
 * headings have names, and tables can be scrolled.
 */
final class PageRenderer {

	private final Path root;

	private final Pages pages;

	private final String sources;

	private final Set<String> images = new TreeSet<>();

	/**
	 * Creates one.
	 * @param root the root of the repository
	 * @param pages all pages
	 * @param sources where the files of this version can be read, without a slash at the
	 * end
	 */
	PageRenderer(Path root, Pages pages, String sources) {
		this.root = root;
		this.pages = pages;
		this.sources = sources;
	}

	/** The images that the rendered pages show, seen from the root of the repository. */
	Set<String> images() {
		return this.images;
	}

	/** Renders a page, once: its document is changed. */
	String render(Page page) {
		page.links().forEach((link) -> link.setDestination(destination(page, link.getDestination())));
		page.headings().forEach(PageRenderer::addAnchor);
		page.document().accept(new AbstractVisitor() {

			@Override
			public void visit(Image image) {
				PageRenderer.this.images.add(existing(page, image.getDestination()));
			}

			@Override
			public void visit(HtmlBlock block) {
				// what a block of code takes for granted, for the tests
				if (block.getLiteral().startsWith("<!--")) {
					block.unlink();
				}
			}

			@Override
			public void visit(CustomBlock block) {
				if (block instanceof TableBlock) {
					prepare(block);
				}
				visitChildren(block);
			}

		});
		Map<Node, String> ids = page.headings().stream().collect(Collectors.toMap(Page.Anchor::node, Page.Anchor::id));
		return Markdown.renderer().attributeProviderFactory((context) -> (node, tag, attributes) -> {
			if (node instanceof Heading) {
				attributes.put("id", String.valueOf(ids.get(node)));
			}
			else if (node instanceof Image) {
				attributes.put("loading", "lazy");
			}
			else if (node instanceof Paragraph && node.getFirstChild() instanceof Image && tag.equals("p")) {
				attributes.put("class", "figure");
			}
			else if (node instanceof Link link && link.getDestination().startsWith("http")) {
				attributes.put("rel", "noopener");
			}
		}).build().render(page.document());
	}

	private String destination(Page page, String link) {
		if (link.contains(":")) {
			return link;
		}
		Page target = this.pages.target(page, link);
		String anchor = link.contains("#") ? link.substring(link.indexOf('#')) : "";
		if (target != null) {
			return target.equals(page) && !anchor.isEmpty() ? anchor : relative(page.html(), target.html()) + anchor;
		}
		String file = existing(page, link);
		if (file.matches(".*\\.(png|svg)")) {
			this.images.add(file);
			return link;
		}
		String kind = Files.isDirectory(this.root.resolve(file)) ? "tree" : "blob";
		return this.sources.replace("/blob/", "/" + kind + "/") + "/" + file + anchor;
	}

	private String existing(Page page, String link) {
		String file = Pages.resolve(page, link);
		if (file == null || !Files.exists(this.root.resolve(file))) {
			throw new IllegalStateException(page.path() + " links to " + link + ", which does not exist");
		}
		return file;
	}

	/** A relative link between two files of the site. */
	static String relative(String from, String to) {
		Path directory = Path.of("/", from, "..").normalize();
		return directory.relativize(Path.of("/", to)).toString().replace('\\', '/');
	}

	private static void addAnchor(Page.Anchor anchor) {
		if (anchor.node().getLevel() > 1) {
			HtmlInline link = new HtmlInline();
			link.setLiteral(" <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to this section\">#</a>"
				.formatted(anchor.id()));
			anchor.node().appendChild(link);
		}
	}

	private static void prepare(Node table) {
		if (table.getFirstChild() instanceof TableHead head && Markdown.text(head).isEmpty()) {
			head.unlink();
		}
		HtmlBlock before = new HtmlBlock();
		before.setLiteral("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">");
		table.insertBefore(before);
		HtmlBlock after = new HtmlBlock();
		after.setLiteral("</div>");
		table.insertAfter(after);
	}

}
