package io.rowqueue.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.rowqueue.postgres.Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What the doctor advises is executed, and the schema is as it was before. */
@TestInstance(Lifecycle.PER_CLASS)
class RemediesTests {

	private static final Pattern REMEDY = Pattern
		.compile("[Ll]et (?:its owner|the owner of the (?:schema|database)) run: (.*?;)(?: Or[, ]|\\R|$)");

	private static final String DESCRIPTION = """
			select string_agg(line, E'\\n' order by line) from (
				select concat_ws(' ', relname, relkind, array(select unnest(reloptions) order by 1), relreplident, relrowsecurity) as line
				from pg_class where relnamespace = 'rowqueue'::regnamespace
				union all
				select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisready, indislive)
				from pg_index where indrelid in (select oid from pg_class where relnamespace = 'rowqueue'::regnamespace)
				union all
				select concat_ws(' ', seqrelid::regclass, seqincrement) from pg_sequence
				union all
				select concat_ws(' ', relname, has_table_privilege('{role}', oid, 'SELECT, INSERT'))
				from pg_class where relnamespace = 'rowqueue'::regnamespace and relkind in ('r', 'p')) lines""";

	private final Database database = TestQueue.create();

	private final String role = "remedies_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);

	private final JdbcTemplate jdbc = new JdbcTemplate(TestQueue.dataSource(this.database));

	@BeforeAll
	void createRole() {
		this.jdbc.execute("create role " + this.role + " login password 'app'");
		this.jdbc.execute("grant usage on schema rowqueue to " + this.role);
		this.jdbc.execute("grant select, insert, update, delete on all tables in schema rowqueue to " + this.role);
		this.jdbc.execute("grant usage on all sequences in schema rowqueue to " + this.role);
		this.jdbc.execute("grant execute on all functions in schema rowqueue to " + this.role);
		this.jdbc.execute("insert into rowqueue.flow (name) values ('f')");
	}

	@AfterAll
	void dropRole() {
		this.jdbc.execute("drop owned by " + this.role);
		this.jdbc.execute("drop role " + this.role);
	}

	@ParameterizedTest(name = "{1}")
	@CsvSource(delimiter = '|',
			textBlock = """
					The table job has lost its settings                   | alter table rowqueue.job reset (fillfactor, autovacuum_vacuum_threshold, autovacuum_analyze_scale_factor)
					The table job_slot has lost its settings              | alter table rowqueue.job_slot reset (autovacuum_vacuum_cost_delay)
					The rows of the table batch_delta have no identity    | alter table rowqueue.batch_delta replica identity default
					The index job_unique_key is missing                   | drop index rowqueue.job_unique_key
					The index job_finished_time is missing                | drop index rowqueue.job_finished_time
					The index job_queued is invalid                       | update pg_index set indisvalid = false where indexrelid = 'rowqueue.job_queued'::regclass
					was left by a REINDEX that failed                     | create unique index job_unique_key_ccnew on rowqueue.job (unique_key); update pg_index set indisvalid = false where indexrelid = 'rowqueue.job_unique_key_ccnew'::regclass
					was left by a REINDEX that failed                     | create unique index job_unique_key_ccold1 on rowqueue.job (unique_key); update pg_index set indisvalid = false where indexrelid = 'rowqueue.job_unique_key_ccold1'::regclass
					rows have ids that the sequence flow_id_seq has not   | select setval('rowqueue.flow_id_seq', 1, false); insert into rowqueue.flow (id, name) values (5, 'f') on conflict do nothing
					Row-level security hides rows in the schema           | alter table rowqueue.job enable row level security; alter table rowqueue.job_finished enable row level security
					lacks privileges                                      | revoke insert on rowqueue.job from {role}
					""")
	void theAdviceRestoresTheSchema(String problem, String damage) {
		String before = description();
		List<String> unrelated = findings(doctor());
		this.jdbc.execute(damage.replace("{role}", this.role));
		String said = doctor();
		assertThat(said).contains(problem);
		List<String> remedies = REMEDY.matcher(said).results().map((remedy) -> remedy.group(1)).toList();
		assertThat(remedies).isNotEmpty();
		remedies.forEach(this.jdbc::execute);

		assertThat(description()).isEqualTo(before);
		assertThat(findings(doctor())).isEqualTo(unrelated);
	}

	@Test
	void thePolicyIsARemedyAsWell() {
		this.jdbc.execute("alter table rowqueue.job enable row level security");
		try {
			MatchResult policy = Pattern.compile("create policy [^;]*;")
				.matcher(doctor())
				.results()
				.findFirst()
				.orElseThrow();
			this.jdbc.execute(policy.group());
			assertThat(doctor()).doesNotContain("problem");
		}
		finally {
			this.jdbc.execute(
					"alter table rowqueue.job disable row level security; drop policy if exists rowqueue on rowqueue.job");
		}
	}

	private String description() {
		return String.valueOf(this.jdbc.queryForObject(DESCRIPTION.replace("{role}", this.role), String.class));
	}

	/** The server of the tests has settings that the doctor warns of. */
	private static List<String> findings(String said) {
		return said.lines().filter((line) -> !line.startsWith("ok ")).toList();
	}

	/** Says what it finds as the role of an application. */
	private String doctor() {
		StringWriter out = new StringWriter();
		Rowqueue.run(new PrintWriter(out, true), new PrintWriter(out, true), "doctor", "--url=" + this.database.url(),
				"--user=" + this.role, "--password=app");
		return out.toString();
	}

}
