package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is promised names the tests that show it, and these tests exist. */
class GuaranteesTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)(?:\\.(\\w+))?`");

	@ParameterizedTest
	@ValueSource(strings = { "guarantees.md", "hazards.md" })
	void theNamedTestsExist(String document) throws IOException {
		Set<String> known = testClasses();
		String text = Files.readString(ROOT.resolve("docs/design").resolve(document));
		List<String> named = TEST.matcher(text).results().map((result) -> result.group(1)).toList();
		assertThat(named).isNotEmpty().isSubsetOf(known);
	}

	@Test
	void everyRowOfATableNamesATestOrSaysWhyThereIsNone() throws IOException {
		List<String> rows = Stream
			.concat(Files.readAllLines(ROOT.resolve("docs/design/guarantees.md")).stream(),
					Files.readAllLines(ROOT.resolve("docs/design/hazards.md")).stream())
			.filter((line) -> line.startsWith("| ") && !line.startsWith("| |"))
			.filter((line) -> !line.startsWith("| Promise") && !line.startsWith("| Hazard"))
			.toList();
		assertThat(rows).isNotEmpty()
			.allMatch((row) -> TEST.matcher(row).find() || row.contains("Cannot happen"), "names a test");
	}

	@Test
	void everyRandomTestIsNamed() throws IOException {
		Set<String> named = TEST.matcher(Files.readString(ROOT.resolve("docs/design/guarantees.md")))
			.results()
			.map((MatchResult result) -> result.group(1))
			.collect(Collectors.toSet());
		assertThat(testClasses().stream().filter((name) -> name.startsWith("Random"))).isSubsetOf(named);
	}

	/** Those of the sources: what builds write beside them changes meanwhile. */
	private static Set<String> testClasses() throws IOException {
		Set<String> names = new HashSet<>();
		for (String directory : List.of("", "extensions", "samples", "tools")) {
			try (Stream<Path> modules = Files.list(ROOT.resolve(directory))) {
				for (Path tests : modules.map((module) -> module.resolve("src/test"))
					.filter(Files::isDirectory)
					.toList()) {
					try (Stream<Path> files = Files.walk(tests)) {
						files.map((file) -> file.getFileName().toString())
							.filter((name) -> name.endsWith("Tests.java"))
							.map((name) -> name.replace(".java", ""))
							.forEach(names::add);
					}
				}
			}
		}
		return names;
	}

}
