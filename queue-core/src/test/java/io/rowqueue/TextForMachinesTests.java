package io.rowqueue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * SQL, JSON, names and logs have the same digits and letters in each default locale of
 * the JVM. In 90 of its locales {@code %d} writes others than ASCII, which PostgreSQL
 * takes for a name. A number is formatted with {@code %s}; where it needs decimals, with
 * {@code String.format(Locale.ROOT, …)}.
 */
class TextForMachinesTests {

	private static final Pattern DEPENDS_ON_THE_LOCALE = Pattern
		.compile("%(?:\\d+\\$)?[-#+0,(]*\\d*(?:\\.\\d+)?[dfeEgGtT]|\\.to(?:Lower|Upper)Case\\(\\)|\\bjava\\.text\\."
				+ "|\\bDateTimeFormatter\\.of(?:Pattern|Localized)");

	@Test
	void noTextDependsOnTheDefaultLocale() throws IOException {
		List<String> found = new ArrayList<>();
		List<Path> sources = sources();
		assertThat(sources).hasSizeGreaterThan(500);
		for (Path source : sources) {
			Files.readString(source).lines().filter(TextForMachinesTests::dependsOnTheLocale).forEach((line) -> {
				found.add(source.getFileName() + ": " + line.strip());
			});
		}
		assertThat(found).as("use %s, or name Locale.ROOT in the same line").isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"limit %d\".formatted(5)", "\"limit %1$d\"", "\"%,.0f jobs\"", "\"%06d\"",
			"name.toLowerCase()", "import java.text.DecimalFormat;", "DateTimeFormatter.ofPattern(\"yyyy\")" })
	void aTextThatDependsOnTheDefaultLocaleIsFound(String line) {
		assertThat(dependsOnTheLocale(line)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "fa-IR", "ar-EG", "mr-IN", "th-TH-u-nu-thai", "tr-TR" })
	void whatIsAllowedIsTheSameInEachLocale(String tag) {
		Locale locale = Locale.forLanguageTag(tag);
		assertThat(String.format(locale, "%s %s %s %016x %02X", 20, -3L, 0.5, 255L, 10))
			.isEqualTo("20 -3 0.5 00000000000000ff 0A");
	}

	private static boolean dependsOnTheLocale(String line) {
		return !line.contains("Locale.ROOT") && DEPENDS_ON_THE_LOCALE.matcher(line).find();
	}

	/** Not those of the samples and the benchmark, which write for people. */
	private static List<Path> sources() throws IOException {
		List<Path> sources = new ArrayList<>();
		for (Path directory : List.of(Path.of(".."), Path.of("..", "extensions"), Path.of("..", "tools"))) {
			try (Stream<Path> modules = Files.list(directory)) {
				for (Path module : modules.toList()) {
					Path root = module.resolve("src/main");
					if (Files.isDirectory(root) && !module.endsWith("sample-app") && !module.endsWith("lab")) {
						try (Stream<Path> files = Files.walk(root)) {
							files.filter((file) -> file.toString().endsWith(".java") || file.toString().endsWith(".kt"))
								.forEach(sources::add);
						}
					}
				}
			}
		}
		return sources;
	}

}
