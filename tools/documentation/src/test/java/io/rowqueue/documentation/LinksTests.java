package io.rowqueue.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Links between documents lead somewhere. */
class LinksTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");

	static List<Path> documents() throws IOException {
		try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
			return Stream
				.concat(Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
						docs.filter((file) -> file.toString().endsWith(".md")).sorted())
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("documents")
	void linksLeadToAFileAndAHeading(Path document) throws IOException {
		List<String> broken = new ArrayList<>();
		Matcher links = LINK.matcher(Files.readString(document).replaceAll("(?s)```.*?```", ""));
		while (links.find()) {
			if (!links.group(1).contains(":") && !leadsSomewhere(document, links.group(1), links.group(2))) {
				broken.add(links.group());
			}
		}
		assertThat(broken).isEmpty();
	}

	private static boolean leadsSomewhere(Path document, String file, String heading) throws IOException {
		Path target = file.isEmpty() ? document : document.resolveSibling(file).normalize();
		if (!Files.exists(target)) {
			return false;
		}
		return heading == null || Files.readAllLines(target)
			.stream()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
			.map((title) -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
			.anyMatch(heading::equals);
	}

}
