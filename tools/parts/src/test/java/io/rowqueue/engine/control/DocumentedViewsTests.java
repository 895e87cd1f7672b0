package io.rowqueue.engine.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The views of all parts are those that the documentation promises. */
class DocumentedViewsTests {

	private static final Path DOCUMENT = Path.of("..", "..", "docs", "views.md");

	private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| .+? \\| (.+) \\|");

	/** What the core reads of its parts. */
	private static final String[] OF_PARTS = { "own_ids", "unpublished_job" };

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@Test
	void theViewsHaveTheColumnsThatTheDocumentPromises() throws IOException {
		Map<String, List<String>> documented = new TreeMap<>();
		for (String line : Files.readAllLines(DOCUMENT)) {
			Matcher row = ROW.matcher(line);
			if (row.matches()) {
				String columns = row.group(2).replaceAll("\\([^)]*\\)", "").replace("`", "");
				documented.put(row.group(1), List.of(columns.strip().split("\\s*,\\s*")));
			}
		}
		Map<String, List<String>> there = new TreeMap<>();
		database.jdbc()
			.queryForList(
					"select table_name::text as view, string_agg(column_name, ',' order by ordinal_position) as columns"
							+ " from information_schema.columns join information_schema.views using (table_schema, table_name)"
							+ " where table_schema = 'rowqueue' and table_name <> all (?) group by 1",
					(Object) OF_PARTS)
			.forEach(
					(view) -> there.put((String) view.get("view"), List.of(view.get("columns").toString().split(","))));
		assertThat(there).isEqualTo(documented);
	}

}
