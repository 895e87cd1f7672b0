package io.rowqueue.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The comparison with other systems: what it says is linked. */
class ComparisonTests {

	private static final Path FILE = Path.of("../../docs/comparison.md");

	private static final Pattern PAGE = Pattern.compile("]\\([a-z/-]+(README)?\\.md(#[a-z-]+)?\\)");

	private static final Pattern TEST = Pattern.compile("\\[test]\\((\\.\\./[^)]+/src/test/[^)]+Tests\\.java)\\)");

	private static final Pattern REFERENCE = Pattern.compile("\\[[^\\]]+]\\[([a-z0-9-]+)]");

	private static final Pattern DEFINITION = Pattern.compile("(?m)^\\[([a-z0-9-]+)]: https://\\S+$");

	private static final String NOT_FOUND = "–";

	private final String text = Files.readString(FILE);

	ComparisonTests() throws IOException {
	}

	@Test
	void eachCellOfRowqueueLinksToItsPageAndToATest() {
		List<List<String>> rows = tables().get(0);
		assertThat(rows).hasSizeGreaterThan(10).allSatisfy((row) -> {
			assertThat(row).hasSize(2);
			assertThat(row.get(1)).containsPattern(PAGE).containsPattern(TEST);
			assertThat(TEST.matcher(row.get(1)).results().map((test) -> FILE.resolveSibling(test.group(1)).normalize()))
				.allMatch(Files::exists);
		});
	}

	@Test
	void theTablesHaveTheSameRows() {
		List<List<List<String>>> tables = tables();
		List<String> features = features(tables.get(0));
		assertThat(tables).hasSize(4).allSatisfy((table) -> assertThat(features(table)).isEqualTo(features));
	}

	@Test
	void eachClaimAboutAnotherSystemHasALink() {
		assertThat(tables().stream().skip(1).flatMap(List::stream).flatMap((row) -> row.stream().skip(1)))
			.allMatch((cell) -> cell.equals(NOT_FOUND) || REFERENCE.matcher(cell).find());
	}

	@Test
	void eachLinkIsDefinedOnceAndUsed() {
		List<String> defined = names(DEFINITION);
		assertThat(defined).doesNotHaveDuplicates().containsAll(names(REFERENCE));
		assertThat(names(REFERENCE)).containsAll(defined);
	}

	private List<String> names(Pattern pattern) {
		return pattern.matcher(this.text).results().map((MatchResult match) -> match.group(1)).toList();
	}

	private static List<String> features(List<List<String>> table) {
		return table.stream().map((row) -> row.get(0)).toList();
	}

	/** The rows of each table, without its head. */
	private List<List<List<String>>> tables() {
		return Stream.of(this.text.split("\n\n"))
			.filter((block) -> block.startsWith("| |"))
			.map((block) -> block.lines().skip(2).map(ComparisonTests::cells).toList())
			.toList();
	}

	private static List<String> cells(String line) {
		return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|")).map(String::strip).toList();
	}

}
