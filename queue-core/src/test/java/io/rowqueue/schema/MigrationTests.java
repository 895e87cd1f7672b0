package io.rowqueue.schema;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What every migration file has to keep to. */
class MigrationTests {

	@Test
	void theIndexNamesEveryFile() throws IOException, URISyntaxException {
		Path index = Path.of(getClass().getResource("/" + Migration.LOCATION + "/index").toURI());
		try (Stream<Path> files = Files.list(index.getParent())) {
			assertThat(Migration.all()).extracting(Migration::file)
				.containsExactlyInAnyOrderElementsOf(files.map((file) -> file.getFileName().toString())
					.filter((name) -> !name.equals("index"))
					.toList());
		}
	}

	@Test
	void versionsCountFromOneWithoutGaps() {
		List<Integer> versions = versioned().map(Migration::version).toList();
		assertThat(versions).isEqualTo(IntStream.rangeClosed(1, versions.size()).boxed().toList());
		assertThat(QueueSchema.newestVersion()).isEqualTo(versions.size());
	}

	@Test
	void theOrderIsThatOfFlyway() {
		List<String> repeatable = repeatable().map(Migration::file).toList();
		assertThat(Migration.all()).extracting(Migration::isRepeatable)
			.as("the repeatable ones come last")
			.isSortedAccordingTo(Comparator.naturalOrder());
		assertThat(repeatable).isSortedAccordingTo(
				Comparator.comparing((file) -> file.substring(0, file.indexOf('.')).replace('_', ' ')));
	}

	@Test
	void eachVersionedOneWritesItsVersion() {
		assertThat(versioned()).allSatisfy((migration) -> assertThat(migration.sql())
			.contains("insert into schema_version (version) values (" + migration.version() + ");"));
	}

	@Test
	void eachRepeatableOneCanRunAgain() {
		assertThat(repeatable()).allSatisfy((migration) -> assertThat(migration.sql().lines())
			.allMatch((line) -> !line.startsWith("create ") || line.startsWith("create or replace "), "replaces"));
	}

	@Test
	void eachFileOfFunctionsPinsTheSearchPathOfThoseThatAreBoundWhenTheyAreCalled() {
		assertThat(repeatable()).allSatisfy((migration) -> assertThat(pinned(migration))
			.containsExactlyInAnyOrderElementsOf(functions(migration, (text) -> text.contains("$function$"))));
	}

	@Test
	void eachFunctionIsInOneFile() {
		assertThat(repeatable().flatMap((migration) -> functions(migration, (text) -> true).stream()))
			.doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(Migration.names("function"));
	}

	@Test
	void anUpgradeRunsWhatIsMissingAndAllThatIsRepeatable() {
		int newest = QueueSchema.newestVersion();
		assertThat(Migration.after(0)).isEqualTo(Migration.all());
		assertThat(Migration.after(newest - 1)).extracting(Migration::version)
			.containsOnly(newest, Migration.NONE)
			.containsOnlyOnce(newest);
		assertThat(Migration.after(newest - 1)).containsAll(repeatable().toList());
		assertThat(Migration.after(newest)).isEmpty();
	}

	@Test
	void eachRunsInATransactionAndNamesNoSchema() {
		assertThat(Migration.all())
			.allSatisfy((migration) -> assertThat(migration.sql()).doesNotContainIgnoringCase("concurrently",
					" rowqueue.", "set search_path =", "set local search_path", "commit;"));
	}

	private static List<String> functions(Migration migration, Predicate<String> condition) {
		return Stream.of(migration.sql().split("(?m)^create or replace function "))
			.skip(1)
			.filter(condition)
			.map((text) -> text.substring(0, text.indexOf('(')))
			.toList();
	}

	private static List<String> pinned(Migration migration) {
		return Pattern.compile("(?m)^call pin_search_path\\('([^)]+)'\\);")
			.matcher(migration.sql())
			.results()
			.flatMap((call) -> Stream.of(call.group(1).split("',\\s+'")))
			.toList();
	}

	private static Stream<Migration> versioned() {
		return Migration.all().stream().filter((migration) -> !migration.isRepeatable());
	}

	private static Stream<Migration> repeatable() {
		return Migration.all().stream().filter(Migration::isRepeatable);
	}

	@Test
	void theScriptNamesTheInstalledVersionInDigitsThatPostgresReads() {
		int version = QueueSchema.newestVersion();
		assertThat(new SchemaScript(SchemaName.DEFAULT, version, null).sql())
			.contains("is distinct from " + version + " then");
	}

}
