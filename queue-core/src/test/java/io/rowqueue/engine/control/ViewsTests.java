package io.rowqueue.engine.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What people see who look at the queue with SQL. */
class ViewsTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "views.md");

	private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| .+? \\| (.+) \\|");

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

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
							+ " where table_schema = 'rowqueue' group by 1")
			.forEach(
					(view) -> there.put((String) view.get("view"), List.of(view.get("columns").toString().split(","))));
		assertThat(there).isEqualTo(documented);
	}

	@Test
	void theViewsCountAWorkerAsLiveForAsLongAsExplanationsAndMetersDo() {
		assertThat(database.list("select pg_get_viewdef('{schema}.workers'::regclass)", String.class)).singleElement()
			.asString()
			.contains("'00:00:" + WorkerStore.LIVING_SECONDS + "'::interval");
	}

	@Test
	void theViewsShowJobsByState() {
		Lease running = database.lease(this.worker, "type");
		database.jobs().leases().running(this.worker, List.of(running));
		long dead = database.worker();
		Lease stuck = database.lease(dead, "type");
		database.kill(dead);
		Lease failed = database.lease(this.worker, "type");
		database.jobs()
			.outcomes()
			.fail(this.worker, List.of(new Failure(failed, "java.io.IOException: gone\n\tat x", null)));
		Lease done = database.lease(this.worker, "type");
		database.jobs().succeed(this.worker, List.of(done));
		database.enqueue(JobRequest.of("type").delay(Duration.ofHours(1)));
		assertThat(database.list("select state from {schema}.jobs_by_state order by state", String.class))
			.containsExactly("failed", "running", "scheduled", "stuck");
		assertThat(database.list("select id from {schema}.running_jobs where held_for > interval '0'", Long.class))
			.containsExactly(running.jobId());
		assertThat(database.list("select id from {schema}.stuck_jobs", Long.class)).containsExactly(stuck.jobId());
		assertThat(
				database.list("select error from {schema}.recent_failures where state = 'failed' and queue = 'default'",
						String.class))
			.containsExactly("java.io.IOException: gone");
		assertThat(database.list("select id from {schema}.workers where alive and held = 1", Long.class))
			.containsExactly(this.worker);
		assertThat(database.query("select sum(succeeded)::integer from {schema}.throughput_by_minute", Integer.class))
			.isEqualTo(1);
	}

}
