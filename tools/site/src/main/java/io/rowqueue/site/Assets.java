package io.rowqueue.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.webjars.WebJarVersionLocator;

/**
 * What the pages load: style, script and mark of the site, and two libraries from their
 * webjars.
 */
final class Assets {

	private static final List<String> OWN = List.of("site.css", "site.js", "theme.js", "mark.svg");

	private static final List<String> HIGHLIGHT = List.of("highlight.min.js", "languages/groovy.min.js",
			"languages/properties.min.js");

	private Assets() {
	}

	static void copy(Path directory) throws IOException {
		Files.createDirectories(directory);
		for (String name : OWN) {
			concatenate(directory.resolve(name), List.of("io/rowqueue/site/" + name));
		}
		WebJarVersionLocator webjars = new WebJarVersionLocator();
		concatenate(directory.resolve("highlight.js"),
				HIGHLIGHT.stream().map((file) -> path(webjars, "highlightjs", file)).toList());
		concatenate(directory.resolve("lunr.js"), List.of(path(webjars, "lunr", "lunr.min.js")));
	}

	private static String path(WebJarVersionLocator webjars, String webjar, String file) {
		return Objects.requireNonNull(webjars.fullPath(webjar, file), () -> "No " + file + " in " + webjar);
	}

	private static void concatenate(Path target, List<String> resources) throws IOException {
		try (OutputStream out = Files.newOutputStream(target)) {
			for (String resource : resources) {
				try (InputStream in = Assets.class.getClassLoader().getResourceAsStream(resource)) {
					Objects.requireNonNull(in, resource).transferTo(out);
					out.write('\n');
				}
			}
		}
	}

}
