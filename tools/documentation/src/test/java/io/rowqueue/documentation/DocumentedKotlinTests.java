package io.rowqueue.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Kotlin and Gradle in the documents: the build of the sample in Kotlin compiles it. */
class DocumentedKotlinTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern MODULE = Pattern.compile("io\\.rowqueue:([a-z-]+)");

	private static final Pattern GRADLE = Pattern.compile("(?m)^\\s*(implementation|testImplementation)\\b");

	static List<Block> kotlin() {
		return Block.all("kotlin").stream().filter((block) -> !isGradle(block)).toList();
	}

	static List<Block> gradle() {
		return Block.all("kotlin", "groovy").stream().filter(DocumentedKotlinTests::isGradle).toList();
	}

	private static boolean isGradle(Block block) {
		return GRADLE.matcher(block.code()).find();
	}

	@ParameterizedTest
	@MethodSource("kotlin")
	void theKotlinCodeIsPartOfTheSample(Block block) throws IOException {
		List<String> sources = new ArrayList<>();
		try (Stream<Path> files = Files.walk(ROOT.resolve("samples/kotlin/src"))) {
			for (Path file : files.filter((each) -> each.toString().endsWith(".kt")).toList()) {
				sources.add(withoutIndentation(Files.readString(file)));
			}
		}
		assertThat(sources).anyMatch((source) -> source.contains(withoutIndentation(block.code())));
	}

	private static String withoutIndentation(String code) {
		return code.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
	}

	@ParameterizedTest
	@MethodSource("gradle")
	void gradleNamesModulesThatArePublished(Block block) throws IOException {
		String published = Files.readString(ROOT.resolve("extensions/queue-bom/pom.xml"));
		Set<String> modules = modules(block);
		assertThat(modules).allSatisfy((module) -> assertThat(published).contains("<artifactId>" + module + "<"));
	}

	@Test
	void eachPageHasBothLanguagesOfGradle() {
		Set<String> kotlin = new TreeSet<>();
		Set<String> groovy = new TreeSet<>();
		for (Block block : gradle()) {
			Set<String> pages = block.language().equals("groovy") ? groovy : kotlin;
			modules(block).forEach((module) -> pages.add(block.file() + ": " + module));
		}
		assertThat(groovy).hasSizeGreaterThan(5).isEqualTo(kotlin);
	}

	@Test
	void allDocumentsAreChecked() {
		assertThat(kotlin()).hasSizeGreaterThan(5);
	}

	private static Set<String> modules(Block block) {
		return MODULE.matcher(block.code())
			.results()
			.map((found) -> found.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
