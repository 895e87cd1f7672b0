package io.pgqueue.schema;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
		List<Integer> versions = Migration.all().stream().map(Migration::version).toList();
		assertThat(versions).isEqualTo(IntStream.rangeClosed(1, versions.size()).boxed().toList());
		assertThat(QueueSchema.newestVersion()).isEqualTo(versions.size());
	}

	@Test
	void eachWritesItsVersion() {
		assertThat(Migration.all()).allSatisfy((migration) -> assertThat(migration.sql())
			.contains("insert into schema_version (version) values (" + migration.version() + ");"));
	}

	@Test
	void eachRunsInATransactionAndNamesNoSchema() {
		assertThat(Migration.all())
			.allSatisfy((migration) -> assertThat(migration.sql()).doesNotContainIgnoringCase("concurrently",
					" pgqueue.", "set search_path =", "set local search_path", "commit;"));
	}

}
