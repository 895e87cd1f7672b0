package io.rowqueue.site;

import java.util.List;

import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Reads and renders the Markdown that GitHub shows, as far as the documentation uses it.
 */
final class Markdown {

	private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

	private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

	private Markdown() {
	}

	static Node parse(String markdown) {
		return PARSER.parse(markdown);
	}

	static HtmlRenderer.Builder renderer() {
		return HtmlRenderer.builder().extensions(EXTENSIONS);
	}

	/** The text of a node and of all below it, without its form. */
	static String text(Node node) {
		StringBuilder text = new StringBuilder();
		node.accept(new AbstractVisitor() {

			@Override
			public void visit(Text part) {
				text.append(part.getLiteral());
			}

			@Override
			public void visit(Code part) {
				text.append(part.getLiteral());
			}

			@Override
			public void visit(FencedCodeBlock part) {
				text.append(part.getLiteral());
			}

			@Override
			public void visit(SoftLineBreak part) {
				text.append(' ');
			}

			@Override
			public void visit(HardLineBreak part) {
				text.append(' ');
			}

			@Override
			protected void visitChildren(Node parent) {
				super.visitChildren(parent);
				if (parent instanceof org.commonmark.node.Block
						|| parent instanceof org.commonmark.ext.gfm.tables.TableCell) {
					text.append(' ');
				}
			}

		});
		return text.toString().strip();
	}

}
