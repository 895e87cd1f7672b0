package io.rowqueue.engine.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.ExplainedStatements;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each read of figures costs among many of them, in blocks of 8 kB: unlike times
 * they are the same on every machine. A bound is about twice what was read when it was
 * set.
 */
@Tag("thorough")
class FigureCostTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase().withNewFiles();

	private static final Pattern SCAN_OF_ALL = Pattern
		.compile("\"Seq Scan\",[^{}]*\"Relation Name\": \"(tally|gauge|job_failure|job(_finished_\\w+)?)\"");

	private final ExplainedStatements statements = new ExplainedStatements(database.direct());

	private final QueueDatabase explained = new QueueDatabase(new JdbcTemplate(this.statements), SchemaName.DEFAULT);

	private final TallyStore tallies = new TallyStore(this.explained);

	private final GaugeStore gauges = new GaugeStore(this.explained);

	private final ErrorGroupStore errors = new ErrorGroupStore(this.explained);

	@Test
	void noReadCostsMoreThanItsBoundWhateverTheNumberOfFigures() {
		fill();
		Instant now = database.now();
		List<String> queues = IntStream.range(0, 20).mapToObj((i) -> "queue-" + i).toList();
		Map<String, Long> read = new LinkedHashMap<>();
		Map<String, Long> bounds = new LinkedHashMap<>();
		for (FigureRange range : FigureRange.values()) {
			this.tallies.ofAll(range, now.minus(range.length()));
			cost(range + ", counted", 4500, read, bounds);
			this.gauges.read(GaugeStore.JOBS, "", range, now.minus(range.length()));
			cost(range + ", measured", 5600, read, bounds);
		}
		this.tallies.ofQueues(queues, FigureRange.HOUR, now.minus(Duration.ofMinutes(30)));
		cost("the last half hour of 20 queues", 1500, read, bounds);
		this.tallies.types(100);
		cost("the names of types", 400, read, bounds);
		this.gauges.agesOfTypes(now.minus(Duration.ofHours(1)), 200);
		cost("lanes", 3000, read, bounds);
		ErrorGroupPage page = this.errors.list(new ErrorGroupFilter("open", null, null, false), null, 50);
		cost("the list of errors", 1200, read, bounds);
		this.errors.list(new ErrorGroupFilter("open", null, null, false), page.next(), 50);
		cost("the second page of errors", 1200, read, bounds);
		this.errors.list(new ErrorGroupFilter(null, null, "nowhere", true), null, 50);
		cost("errors with a text that none has", 12_000, read, bounds);
		this.errors.countOpen();
		cost("the number of errors", 400, read, bounds);
		this.errors.jobs(7, 50);
		cost("the jobs of an error", 3600, read, bounds);
		this.errors.failedJobs(7, 1000);
		cost("the failed jobs of an error", 12_000, read, bounds);
		assertThat(read).allSatisfy((name, blocks) -> assertThat(blocks).as(name).isBetween(1L, bounds.get(name)));
		assertThat(this.statements.plans()).noneMatch((plan) -> SCAN_OF_ALL.matcher(plan).find());
	}

	private void cost(String name, long bound, Map<String, Long> read, Map<String, Long> bounds) {
		read.put(name, this.statements.blocks());
		bounds.put(name, bound);
	}

	/** Two days of minutes and 90 days of hours, of 20 queues and 20 types. */
	private void fill() {
		String names = """
				(select 'all' as kind, '' as name union all select 'queue', 'queue-' || n from generate_series(0, 19) n
					union all select 'type', 'type-' || n from generate_series(0, 19) n) named""";
		for (String step : List.of("60, '1 minute', 2880", "3600, '1 hour', 2160")) {
			String[] parts = step.split(", ");
			database.execute("""
					insert into {schema}.tally (seconds, kind, name, at, version, succeeded, waits, runs)
					select %s, kind, name, date_trunc('minute', now()) - n * interval %s, '1.42', n,
						array_fill(n::bigint, array[20]), array_fill(n::bigint, array[16])
					from generate_series(1, %s) n, %s""".formatted(parts[0], parts[1], parts[2], names));
			database.execute(
					"""
							insert into {schema}.gauge (seconds, name, queue, state, at, value, highest)
							select %s, figure.name, case figure.name when 'workers' then '' else named.name end, figure.state,
								date_trunc('minute', now()) - n * interval %s, n, n
							from generate_series(1, %s) n, %s, (values ('jobs', 'queued'), ('jobs', 'failed'), ('oldest.age', ''),
								('type.oldest.age', 'type-1'), ('workers', '')) figure (name, state) where named.kind <> 'type'
							on conflict do nothing"""
						.formatted(parts[0], parts[1], parts[2], names));
		}
		database.execute("""
				insert into {schema}.error_group (id, type, first_at, last_at, last_job, failures, sample)
				select n, 'type-' || n % 20, now(), now() - n * interval '1 second', n, 1, repeat('x', 4000)
				from generate_series(1, 5000) n""");
		database.execute("""
				insert into {schema}.job (id, queue, type, state, run_at, order_at, leased_at, attempt, last_error)
				select n, 'queue-1', 'type-1', 'failed', now(), now(), now() - n * interval '1 second', 1, 'error'
				from generate_series(1, 100000) n""");
		database.execute("""
				insert into {schema}.job_failure (job_id, failed_at, leased_at, attempt, error, error_group)
				select id, leased_at, leased_at, 1, repeat('x', 300), 1 + id % 10 from {schema}.job""");
		for (String table : List.of("tally", "gauge", "error_group", "job", "job_failure")) {
			database.execute("vacuum (analyze) {schema}." + table);
		}
	}

}
