package io.rowqueue.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.commonmark.node.Text;

/**
 * HTML with names in double braces.
 *
 * @param html the HTML
 */
record Template(String html) {

	private static final Pattern NAME = Pattern.compile("\\{\\{(\\w+)}}");

	static Template named(String name) throws IOException {
		try (InputStream file = Template.class.getResourceAsStream(name)) {
			return new Template(new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8));
		}
	}

	/** Replaces each name with its value; values are HTML. */
	String fill(Map<String, String> values) {
		return NAME.matcher(this.html)
			.replaceAll((name) -> Matcher.quoteReplacement(
					Objects.requireNonNull(values.get(name.group(1)), () -> "No value for " + name.group())));
	}

	/** A text as HTML, also within an attribute. */
	static String escape(String text) {
		return Markdown.renderer().build().render(new Text(text));
	}

}
