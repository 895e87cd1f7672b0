package io.rowqueue.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.measure.IndexStore;
import io.rowqueue.engine.measure.IndexTrouble;
import org.jspecify.annotations.Nullable;

/**
 * What the tables have beside their rows, and a copy may have lost: settings, indexes,
 * and identities of rows. The script that creates the tables has it.
 */
final class TableChecks {

	private static final Pattern COMMENT = Pattern.compile("--.*");

	private static final Pattern SETTINGS = Pattern
		.compile("(?m)^create table (\\w+) \\([^;]*?\\) with \\(([^;]*)\\);");

	private static final Pattern INDEX = Pattern.compile("(?m)^(create (?:unique )?index (\\w+) on )([^;]*);");

	private static final Pattern IDENTITY = Pattern.compile("(?m)^alter table (\\w+) replica identity full;");

	private static final String LOST_SETTINGS = """
			select w.name, array_to_string(array(
				select s.setting from unnest(w.settings) s (setting)
				where not exists (
					select from unnest(t.reloptions) o (option)
					where split_part(o.option, '=', 1) = trim(split_part(s.setting, '=', 1)))), ', ') as lost
			from (select ?::text, string_to_array(?, ',')) w (name, settings)
				join pg_class t on t.relname = w.name
				join pg_namespace n on n.oid = t.relnamespace and n.nspname = ?""";

	private static final String EXISTS = """
			select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
				where n.nspname = ? and c.relname = ?)""";

	private static final String HAS_IDENTITY = """
			select t.relreplident = 'f' from pg_class t join pg_namespace n on n.oid = t.relnamespace
			where n.nspname = ? and t.relname = ?""";

	private final QueueDatabase database;

	private final String schema;

	private final String script;

	/**
	 * Creates the checks.
	 * @param database the database
	 * @param script the SQL that creates the tables
	 */
	TableChecks(QueueDatabase database, String script) {
		this.database = database;
		this.schema = database.schema().quoted();
		this.script = COMMENT.matcher(script).replaceAll("");
	}

	void addTo(List<Finding> findings) {
		for (MatchResult table : all(SETTINGS)) {
			String lost = lostSettings(table.group(1), table.group(2));
			if (!lost.isEmpty()) {
				findings.add(Finding
					.warn("The table " + table.group(1) + " has lost its settings. Let its owner run: alter table "
							+ this.schema + "." + table.group(1) + " set (" + lost + ");"));
			}
		}
		for (MatchResult table : all(IDENTITY)) {
			if (!is(HAS_IDENTITY, table.group(1))) {
				findings.add(Finding.warn("The rows of the table " + table.group(1)
						+ " have no identity for a publication. Let its owner run: alter table " + this.schema + "."
						+ table.group(1) + " replica identity full;"));
			}
		}
		for (MatchResult index : all(INDEX)) {
			if (!is(EXISTS, index.group(2))) {
				findings.add(Finding.problem("The index " + index.group(2) + " is missing. Let its owner run: "
						+ index.group(1) + this.schema + "." + index.group(3).replaceAll("\\s+", " ") + ";"));
			}
		}
		for (IndexTrouble index : new IndexStore(this.database).find()) {
			String text = index.description() + ". Let its owner run: " + index.remedy(this.schema) + ";";
			findings.add(index.state().equals(IndexTrouble.LARGE) ? Finding.warn(text) : Finding.problem(text));
		}
	}

	private String lostSettings(String table, String settings) {
		String list = String.join(",", Arrays.stream(settings.split(",")).map(String::strip).toList());
		return this.database
			.first(LOST_SETTINGS, (row, index) -> text(row.getString(2)), table, list, this.database.schema().value())
			.orElse("");
	}

	private boolean is(String statement, String name) {
		return this.database.first(statement, (row, index) -> row.getBoolean(1), this.database.schema().value(), name)
			.orElse(false);
	}

	private List<MatchResult> all(Pattern pattern) {
		return pattern.matcher(this.script).results().toList();
	}

	private static String text(@Nullable String value) {
		return Objects.requireNonNull(value);
	}

}
