package io.rowqueue.schema;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.schema.Migrations.Migration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/** What every migration file has to keep to, of each part on the class path. */
class MigrationTests {

	@ParameterizedTest
	@MethodSource("parts")
	void theIndexNamesEveryFile(SchemaPart part) throws IOException {
		Resource[] files = new PathMatchingResourcePatternResolver()
			.getResources("classpath:" + part.migrations().location() + "/*");
		assertThat(part.migrations().all()).extracting(Migration::file)
			.containsExactlyInAnyOrderElementsOf(
					Stream.of(files).map(Resource::getFilename).filter((name) -> !"index".equals(name)).toList());
	}

	@ParameterizedTest
	@MethodSource("parts")
	void versionsCountFromOneWithoutGaps(SchemaPart part) {
		List<Integer> versions = versioned(part).map(Migration::version).toList();
		assertThat(versions).isEqualTo(IntStream.rangeClosed(1, versions.size()).boxed().toList());
		assertThat(part.newestVersion()).isEqualTo(versions.size());
	}

	@ParameterizedTest
	@MethodSource("parts")
	void theOrderIsThatOfFlyway(SchemaPart part) {
		List<String> repeatable = repeatable(part).map(Migration::file).toList();
		assertThat(part.migrations().all()).extracting(Migration::isRepeatable)
			.as("the repeatable ones come last")
			.isSortedAccordingTo(Comparator.naturalOrder());
		assertThat(repeatable).isSortedAccordingTo(
				Comparator.comparing((file) -> file.substring(0, file.indexOf('.')).replace('_', ' ')));
	}

	@ParameterizedTest
	@MethodSource("parts")
	void eachVersionedOneWritesItsVersion(SchemaPart part) {
		assertThat(versioned(part)).allSatisfy((migration) -> assertThat(part.migrations().sql(migration)).contains(
				"insert into schema_version (part, version) values ('" + part + "', " + migration.version() + ");"));
	}

	@ParameterizedTest
	@MethodSource("parts")
	void eachRepeatableOneCanRunAgain(SchemaPart part) {
		assertThat(repeatable(part)).allSatisfy((migration) -> assertThat(part.migrations().sql(migration).lines())
			.allMatch((line) -> !line.startsWith("create ") || line.startsWith("create or replace "), "replaces"));
	}

	@ParameterizedTest
	@MethodSource("parts")
	void eachFileOfFunctionsPinsTheSearchPathOfThoseThatAreBoundWhenTheyAreCalled(SchemaPart part) {
		assertThat(repeatable(part)).allSatisfy((migration) -> assertThat(pinned(part, migration))
			.containsExactlyInAnyOrderElementsOf(functions(part, migration, (text) -> text.contains("$function$"))));
	}

	@ParameterizedTest
	@MethodSource("parts")
	void eachFunctionIsInOneFile(SchemaPart part) {
		assertThat(repeatable(part).flatMap((migration) -> functions(part, migration, (text) -> true).stream()))
			.doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(part.migrations().names("function"));
	}

	@ParameterizedTest
	@MethodSource("parts")
	void anUpgradeRunsWhatIsMissingAndAllThatIsRepeatable(SchemaPart part) {
		int newest = part.newestVersion();
		assertThat(part.migrations().after(0)).isEqualTo(part.migrations().all());
		assertThat(part.migrations().after(newest - 1)).extracting(Migration::version)
			.containsOnly(newest, Migration.NONE)
			.containsOnlyOnce(newest);
		assertThat(part.migrations().after(newest - 1)).containsAll(repeatable(part).toList());
		assertThat(part.migrations().after(newest)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("parts")
	void eachRunsInATransactionAndNamesNoSchema(SchemaPart part) {
		assertThat(part.migrations().all()).allSatisfy(
				(migration) -> assertThat(part.migrations().sql(migration)).doesNotContainIgnoringCase("concurrently",
						" rowqueue.", "set search_path =", "set local search_path", "commit;"));
	}

	private static List<String> functions(SchemaPart part, Migration migration, Predicate<String> condition) {
		return Stream.of(part.migrations().sql(migration).split("(?m)^create or replace function "))
			.skip(1)
			.filter(condition)
			.map((text) -> text.substring(0, text.indexOf('(')))
			.toList();
	}

	private static List<String> pinned(SchemaPart part, Migration migration) {
		return Pattern.compile("(?m)^call pin_search_path\\('([^)]+)'\\);")
			.matcher(part.migrations().sql(migration))
			.results()
			.flatMap((call) -> Stream.of(call.group(1).split("',\\s+'")))
			.toList();
	}

	private static Stream<Migration> versioned(SchemaPart part) {
		return part.migrations().all().stream().filter((migration) -> !migration.isRepeatable());
	}

	private static Stream<Migration> repeatable(SchemaPart part) {
		return part.migrations().all().stream().filter(Migration::isRepeatable);
	}

	static List<SchemaPart> parts() {
		return SchemaPart.all();
	}

}
