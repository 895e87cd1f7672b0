package io.rowqueue.migration;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import io.rowqueue.migration.QueueSchemaException.Reason;
import io.rowqueue.schema.Migrations;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The tables of the core and of all parts, in one schema. */
class SchemaPartsTests {

	private static final String CORE = "core:" + SchemaPart.core().newestVersion();

	@AutoClose
	private final TestDatabase database = new TestDatabase();

	@Test
	void thePartsAreMigratedAfterTheCore() {
		assertThat(SchemaPart.all()).extracting(SchemaPart::name)
			.containsExactly("core", "admin", "monitoring", "schedules", "shards", "transport", "windows");
	}

	@Test
	void eachTableViewAndFunctionBelongsToOnePart() {
		for (String kind : List.of("table", "view", "function")) {
			List<String> names = SchemaPart.names(kind);
			Set<String> placeholders = Set.of("own_ids", "unpublished_job");
			assertThat(names.stream().filter((name) -> !placeholders.contains(name))).doesNotHaveDuplicates()
				.isNotEmpty();
		}
	}

	@Test
	void theScriptCreatesWhatTheMigrationsCreate() {
		this.database.execute(script(Map.of()));
		assertEqualsANewSchema();
	}

	@ParameterizedTest
	@EnumSource
	void aPartThatIsAddedLaterGetsItsTables(SchemaMode mode) {
		createCore();
		if (mode == SchemaMode.VALIDATE) {
			this.database.execute(script(Map.of("core", SchemaPart.core().newestVersion())));
		}
		try (Log log = new Log(QueueSchema.class)) {
			new QueueSchema(this.database.asOwner(), SchemaName.DEFAULT, mode).initialize();
			if (mode == SchemaMode.MIGRATE) {
				assertThat(log.lines(Level.INFO)).singleElement()
					.asString()
					.contains("in the schema 'rowqueue': added admin, added monitoring, added schedules");
			}
		}
		assertEqualsANewSchema();
	}

	@Test
	void aPartWithoutItsTablesIsNamedIfNoneAreCreated() {
		createCore();
		QueueSchemaException refusal = refusal(SchemaMode.VALIDATE);
		assertThat(refusal.getReason()).isEqualTo(Reason.SCHEMA_OLDER);
		assertThat(refusal.getProblem()).contains("schedules is missing (this library has version 1)");
		assertThat(refusal.getRemedy()).contains(" --from=" + CORE + " ")
			.contains(
					"java -cp rowqueue-migration.jar:rowqueue-core.jar:rowqueue-admin.jar:rowqueue-monitoring.jar:rowqueue-schedules.jar:");
	}

	@ParameterizedTest
	@EnumSource
	void aPartThatANewerLibraryHasUpgradedIsNamed(SchemaMode mode) {
		this.database.createTables();
		this.database.execute("insert into rowqueue.schema_version (part, version) values ('schedules', 7)");
		QueueSchemaException refusal = refusal(mode);
		assertThat(refusal.getReason()).isEqualTo(Reason.SCHEMA_NEWER);
		assertThat(refusal.getProblem())
			.isEqualTo("The schema 'rowqueue' is newer than this library: schedules at version 7 (this library has"
					+ " version 1).");
	}

	/** Of several processes of a queue, one may have parts that the others lack. */
	@ParameterizedTest
	@EnumSource
	void aPartThatIsNotOnTheClassPathIsLeftAlone(SchemaMode mode) {
		this.database.createTables();
		String role = application();
		this.database.execute("create table rowqueue.another (id bigint);"
				+ " insert into rowqueue.schema_version (part, version) values ('another', 7)");
		new QueueSchema(this.database.as(role), SchemaName.DEFAULT, mode).initialize();
		assertThat(isCurrent(role)).isTrue();
	}

	@Test
	void aRoleNeedsNoPrivilegesOnWhatAPartDoesWithout() {
		this.database.createTables();
		String role = application();
		for (String table : List.of("tally", "gauge", "process", "error_group")) {
			this.database.execute("revoke all on rowqueue." + table + " from " + role);
		}
		assertThat(isCurrent(role)).isTrue();
		this.database.execute("revoke update on rowqueue.schedule from " + role);
		assertThat(isCurrent(role)).isFalse();
		assertThat(catchThrowableOfType(QueueSchemaException.class,
				() -> new QueueSchema(this.database.as(role), SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize())
			.getProblem()).contains("UPDATE on schedule.");
	}

	/** Whoever erases, replaces or moves a job reads the names of its tables there. */
	@Test
	void eachTableOfWhatBelongsToSingleJobsIsInTheListOfThem() {
		this.database.createTables();
		Set<String> others = Set.of(
				// their rows say what the jobs of a flow, a batch or a schedule have done
				"flow_job", "batch_callback", "schedule_run",
				// their rows go, or are kept, as others wait for the job or want its key
				"job_end", "job_slot", "taken_key",
				// their rows go when the operation or the delivery is over
				"operation_job", "parked");
		assertThat(this.database.query("select string_agg(name, ' ' order by name) from rowqueue.job_table").split(" "))
			.containsExactlyInAnyOrder(this.database.query("""
					select string_agg(c.relname, ' ') from pg_class c join pg_attribute a on a.attrelid = c.oid
					where c.relnamespace = 'rowqueue'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'job_id'
						and c.relname <> all (string_to_array('%s', ' '))""".formatted(String.join(" ", others)))
				.split(" "));
	}

	/** As a process whose class path has no part has created it. */
	private void createCore() {
		Migrations core = SchemaPart.core().migrations();
		this.database.execute("create schema rowqueue; set search_path to rowqueue;"
				+ core.all().stream().map(core::sql).collect(Collectors.joining()));
	}

	private String application() {
		String role = this.database.createRole();
		this.database.execute("grant usage on schema rowqueue to " + role
				+ "; grant select, insert, update, delete on all tables in schema rowqueue to " + role
				+ "; grant usage on all sequences in schema rowqueue to " + role
				+ "; grant execute on all functions in schema rowqueue to " + role);
		return role;
	}

	private String script(Map<String, Integer> installed) {
		return new QueueSchema(this.database.asOwner()).script(installed);
	}

	private boolean isCurrent(String role) {
		return new QueueSchema(this.database.as(role)).isCurrent(this.database.as(role));
	}

	private QueueSchemaException refusal(SchemaMode mode) {
		return catchThrowableOfType(QueueSchemaException.class,
				() -> new QueueSchema(this.database.asOwner(), SchemaName.DEFAULT, mode).initialize());
	}

	private void assertEqualsANewSchema() {
		new QueueSchema(this.database.asOwner(), SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize();
		try (TestDatabase fresh = new TestDatabase()) {
			fresh.createTables();
			assertThat(SchemaDescription.of(this.database)).isEqualTo(SchemaDescription.of(fresh));
		}
	}

}
