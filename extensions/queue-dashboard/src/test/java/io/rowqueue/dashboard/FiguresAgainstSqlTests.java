package io.rowqueue.dashboard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Each figure of each page, compared with what plain SQL says of an
 * {@linkplain AwkwardPopulation awkward population}.
 */
class FiguresAgainstSqlTests {

	private static final String[] READ = { Hosts.LEVEL, "read" };

	/** The state as people see it: a job that a dead worker holds is stuck. */
	private static final String STATE = """
			(select case when w.dead_at is not null then 'stuck' else j.state::text end
			from (select 1) one left join rowqueue.worker w on w.id = j.worker_id)""";

	private static Host host;

	private static JdbcClient jdbc;

	@BeforeAll
	static void start() {
		host = AwkwardPopulation.start();
		jdbc = host.jdbc();
	}

	@AfterAll
	static void stop() {
		host.close();
	}

	@Test
	void theOverviewCountsTheJobsOfAllQueues() {
		JsonNode overview = get("overview");
		assertThat(exact(overview.get("jobs"))).isEqualTo(without("failed", states("true")));
		JsonNode failed = overview.get("jobs").get("failed");
		assertThat(failed.get("kind").asString()).as("10,000 of 10,050 are counted").isNotEqualTo("exact");
		assertThat(failed.get("value").asLong()).isGreaterThan(10_000);
		assertThat(overview.get("workers").get("alive").asInt())
			.isEqualTo(number("select count(*) from rowqueue.worker where dead_at is null"));
		assertThat(overview.get("workers").get("dead").asInt())
			.isEqualTo(number("select count(*) from rowqueue.worker where dead_at is not null"));
		assertThat(overview.get("slots").get("total").asInt()).isEqualTo(
				number("""
						select sum(slots.value::int) from rowqueue.worker, jsonb_each_text(slots) slots where dead_at is null"""));
		assertThat(overview.get("slots").get("held").asInt()).isEqualTo(
				number("""
						select count(*) from rowqueue.job j join rowqueue.worker w on w.id = j.worker_id where dead_at is null"""));
		age(overview.get("oldestMs"), "select min(run_at) from rowqueue.job where state = 'queued'");
		assertThat(overview.get("knownQueues").asInt()).as("those that are measured on their own").isEqualTo(200);
		assertThat(overview.get("queues")).hasSize(20);
		assertThat(ids(overview.get("queues"), "oldestMs")).as("the longest due first")
			.isSortedAccordingTo(Comparator.reverseOrder());
	}

	@Test
	void whatEndsIsNotMixedWithAttemptsThatAreRetried() {
		JsonNode overview = get("overview");
		rates(overview, overview.get("rates"), "all", "");
		assertThat(overview.at("/rates/failedPerMinute").asDouble()).as("a share is not more than all")
			.isLessThanOrEqualTo(overview.at("/rates/endedPerMinute").asDouble());
		JsonNode queue = get("queues/default");
		rates(queue, queue.at("/queue/rates"), "queue", "default");
		JsonNode type = get("types/work");
		rates(type, type.at("/type/rates"), "type", "work");
	}

	@Test
	void theLatestFailuresAreThoseOfTheDatabase() {
		assertThat(ids(get("overview").get("failures"), "job")).isEqualTo(jdbc.sql("""
				select job_id from rowqueue.job_failure order by failed_at desc limit 10""").query(Long.class).list());
		for (JsonNode failure : get("types/work").get("failures")) {
			String state = jdbc
				.sql("select coalesce(max(case when state = 'scheduled' then 'retrying' else state::text end), 'gone')"
						+ " from rowqueue.job where id = ?")
				.param(failure.get("job").asLong())
				.query(String.class)
				.single();
			assertThat(failure.get("state").asString()).isEqualTo(state);
		}
	}

	@Test
	void eachQueueHasItsJobsItsSlotsAndTheWorkersThatRunItsTypes() {
		JsonNode queues = get("queues");
		for (JsonNode queue : queues.get("items")) {
			String name = queue.get("name").asString();
			assertThat(exact(queue.get("jobs"))).as(name)
				.isEqualTo(name.equals("imports") ? Map.of() : states("queue = '" + name + "'"));
			assertThat(queue.get("waiting").get("value").asLong()).as(name)
				.isEqualTo(
						number("select count(*) from rowqueue.job where state = 'queued' and queue = '" + name + "'"));
			workers(queue, name);
			age(queue.get("oldestMs"),
					"select min(run_at) from rowqueue.job where state = 'queued' and queue = '" + name + "'");
		}
		assertThat(names(queues.get("items"))).as("what is measured together is no queue")
			.doesNotContain("others", "*");
		JsonNode mail = get("queues/mail");
		assertThat(mail.at("/queue/slots").asInt()).as("4 of a worker without its types, and 3 of another")
			.isEqualTo(3);
		assertThat(get("queues/default").at("/queue/slots").asInt()).isEqualTo(6);
		assertThat(get("queues/stray").at("/queue/workers").asInt()).as("none runs its type").isZero();
	}

	@Test
	void theQueuesThatAreMeasuredTogetherHaveTheRest() {
		JsonNode queues = get("queues");
		String named = "queue = any ('{%s}')".formatted(String.join(",", names(queues.get("items"))));
		assertThat(queues.at("/others/waiting/value").asLong()).isPositive()
			.isEqualTo(number("select count(*) from rowqueue.job where state = 'queued' and not " + named));
		age(queues.at("/others/oldestMs"),
				"select min(run_at) from rowqueue.job where state = 'queued' and not " + named);
	}

	@Test
	void aQueueThatIsMeasuredTogetherWithOthersIsFound() {
		assertThat(names(get("queues").get("items"))).doesNotContain(AwkwardPopulation.TENANT);
		JsonNode tenant = get("queues/" + AwkwardPopulation.TENANT).get("queue");
		assertThat(exact(tenant.get("jobs"))).isEqualTo(Map.of("queued", 2L));
		for (String nobody : List.of("others", "~2A", "tenant-231")) {
			assertThat(host.get("/rowqueue/api/queues/" + nobody, READ).statusCode()).as(nobody).isEqualTo(404);
		}
	}

	@Test
	void aPauseOfAQueueThatNobodyKnowsSaysSo() {
		String outcome = host.post("/rowqueue/api/queues/others", "{\"action\": \"pause\"}", Hosts.LEVEL, "operate")
			.body();
		host.post("/rowqueue/api/queues/others", "{\"action\": \"resume\"}", Hosts.LEVEL, "operate");
		assertThat(outcome).contains("is it misspelled?");
	}

	@Test
	void aTypeSaysHowManyOfItsJobsNobodyRuns() {
		JsonNode types = get("types");
		for (JsonNode type : types.get("items")) {
			String name = type.get("name").asString();
			long unhandled = number("""
					select count(*) from rowqueue.job j where state = 'queued' and type = '%s' and not exists (
						select from rowqueue.worker w where dead_at is null and j.type = any (types)
							and (j.queue = any (queues) or '*' = any (queues)))""".formatted(name));
			assertThat(type.at("/unhandled/value").asLong(0)).as(name).isEqualTo(unhandled);
			assertThat(type.get("workers").asInt()).as(name)
				.isEqualTo(number(
						"select count(*) from rowqueue.worker where dead_at is null and '" + name + "' = any (types)"));
		}
		assertThat(names(types.get("items"))).contains("orphan");
		assertThat(get("types/orphan").at("/type/unhandled/value").asLong()).isEqualTo(11);
	}

	@Test
	void aWorkerIsTheSameOnEachPage() {
		Map<Long, JsonNode> workers = new TreeMap<>();
		get("workers").get("items").forEach((worker) -> workers.put(worker.get("id").asLong(), worker));
		assertThat(workers.keySet())
			.containsExactlyInAnyOrderElementsOf(jdbc.sql("select id from rowqueue.worker").query(Long.class).list());
		workers.forEach((id, worker) -> {
			assertThat(worker.get("held").asInt()).as("worker %s", id)
				.isEqualTo(number("select count(*) from rowqueue.job where worker_id = " + id));
			assertThat(worker.get("slots").asInt()).as("worker %s", id)
				.isEqualTo(number("""
						select sum(slots.value::int) from rowqueue.worker, jsonb_each_text(slots) slots where id = %s"""
					.formatted(id)));
			assertThat(worker.at("/rates/succeededPerMinute").asLong()).as("worker %s", id)
				.isEqualTo(number("select latest_succeeded from rowqueue.process where worker_id = " + id));
			assertThat(worker.at("/rates/failed").asLong()).as("worker %s", id)
				.isEqualTo(number("select failed from rowqueue.process where worker_id = " + id));
		});
		for (String page : List.of("queues/default", "queues/mail", "types/work", "types/letter")) {
			assertThat(get(page).get("workers")).as(page).isNotEmpty().allSatisfy((worker) -> {
				JsonNode same = workers.get(worker.get("id").asLong());
				assertThat(worker.get("version")).isEqualTo(same.get("version"));
				assertThat(worker.get("rates")).isEqualTo(same.get("rates"));
			});
		}
		assertThat(ids(get("workers/101").get("running"), "id")).containsExactlyInAnyOrderElementsOf(
				jdbc.sql("select id from rowqueue.job where worker_id = 101").query(Long.class).list());
	}

	@Test
	void aVersionHasTheProcessesThatRanInTheLastWeek() {
		Map<String, String> versions = new TreeMap<>();
		get("versions").get("items")
			.forEach((each) -> versions.put(each.get("version").asString(),
					each.get("processes") + " processes, " + each.get("running") + " running, " + each.get("lost")
							+ " lost, " + each.get("succeeded") + " succeeded, " + each.get("failed") + " failed"));
		Map<String, String> expected = new TreeMap<>();
		jdbc.sql(
				"""
						select version, count(*) as processes, count(*) filter (where ended_at is null and dead_at is null) as running,
							count(*) filter (where how = 'lost' or dead_at is not null) as lost, sum(succeeded) as succeeded, sum(failed) as failed
						from rowqueue.process p left join rowqueue.worker w on w.id = p.worker_id
						where ended_at is null or ended_at > now() - interval '7 days' group by version""")
			.query((row) -> {
				expected.put(row.getString("version"),
						"%d processes, %d running, %d lost, %d succeeded, %d failed".formatted(row.getInt("processes"),
								row.getInt("running"), row.getInt("lost"), row.getInt("succeeded"),
								row.getInt("failed")));
			});
		assertThat(versions).isEqualTo(expected).doesNotContainKey("1.3").hasSize(2);
	}

	@Test
	void chartsHaveWhatWasCountedAndMeasured() {
		for (String range : List.of("1h", "6h")) {
			chart(range, "all", "", "");
			chart(range, "queue", "default", "&queue=default");
			chart(range, "type", "work", "&type=work");
		}
	}

	@Test
	void lanesAreThoseOfTheDatabase() {
		JsonNode now = get("lanes").get("now");
		assertThat(now).hasSize(200);
		for (JsonNode lane : now) {
			String where = "state = 'queued' and queue = '%s' and type = '%s' and priority = %s"
				.formatted(lane.get("queue").asString(), lane.get("type").asString(), lane.get("priority").asInt());
			age(lane.get("ageMs"), "select min(run_at) from rowqueue.job where " + where);
			assertThat(lane.get("workers").asInt()).isEqualTo(number("""
					select count(*) from rowqueue.worker where dead_at is null and '%s' = any (types)
						and queues && array['%s', '*']""".formatted(lane.get("type").asString(),
					lane.get("queue").asString())));
		}
	}

	@Test
	void flowsAndBatchesHaveTheJobsThatTheyHave() {
		for (JsonNode flow : get("flows").get("items")) {
			Map<String, Long> states = grouped("""
					select coalesce(j.state, m.state)::text, count(*) from rowqueue.flow_job m
					left join rowqueue.job j on j.id = m.job_id where flow_id = %s group by 1"""
				.formatted(flow.get("id").asLong()));
			ended(flow, states, "jobs", "open");
		}
		JsonNode batch = get("batches").get("items").get(0);
		Map<String, Long> live = grouped("select state::text, count(*) from rowqueue.job where batch_id = "
				+ batch.get("id").asLong() + " group by 1");
		assertThat(batch.get("failed").asLong()).isEqualTo(live.get("failed")).isEqualTo(19);
		assertThat(batch.get("pending").asLong()).isEqualTo(live.get("scheduled")).isEqualTo(31);
		assertThat(batch.get("succeeded").asLong()).isEqualTo(450);
		assertThat(batch.get("total").asLong()).isEqualTo(500);
		JsonNode one = get("flows?state=unfinished").get("items").get(0);
		assertThat(get("flows/" + one.get("id").asLong()).get("jobs")).hasSize(one.get("jobs").asInt());
	}

	@Test
	void theJobsOfATabAreThoseOfItsStateAndSayIt() {
		for (String state : List.of("retrying", "scheduled", "queued", "running", "stuck", "blocked")) {
			String condition = switch (state) {
				case "retrying" -> "state = 'scheduled' and attempt > 0";
				case "scheduled" -> "state = 'scheduled'";
				default -> STATE + " = '" + state + "'";
			};
			JsonNode count = get("jobs/count?state=" + state).get("count");
			assertThat(count.get("value").asLong()).as(state)
				.isEqualTo(number("select count(*) from rowqueue.job j where " + condition));
			for (JsonNode job : get("jobs?limit=200&state=" + state).get("items")) {
				assertThat(job.get("state").asString()).isIn(state, state.equals("scheduled") ? "retrying" : state);
			}
		}
		assertThat(get("jobs/count?state=failed").at("/count/kind").asString()).isEqualTo("atLeast");
	}

	/** They are read from the newest end of the history, in pieces. */
	@Test
	void whatHasEndedIsListedInOrder() {
		jdbc.sql(
				"""
						insert into rowqueue.job_finished (id, run_at, created_at, finished_at, state, priority, attempt, queue, type)
						select -i, now(), now(), now() - interval '1 hour' + (i * 7919 % 400) * interval '1 second', 'succeeded', 0, 1, 'sorted', 'work'
						from generate_series(1, 400) i""")
			.update();
		List<Instant> ended = new ArrayList<>();
		get("jobs?state=succeeded&queue=sorted&limit=200").get("items")
			.forEach((job) -> ended.add(Instant.parse(job.get("endedAt").asString())));
		assertThat(ended).hasSize(200).isSortedAccordingTo((a, b) -> b.compareTo(a));
	}

	@Test
	void aTimeOfTheCalendarIsTheTimeOfTheSchedule() {
		String from = "2026-03-27T10:37:41.123Z";
		JsonNode calendar = get("calendar?days=7&from=" + URLEncoder.encode(from, StandardCharsets.UTF_8));
		Instant begin = Instant.parse(calendar.get("from").asString());
		ZoneId berlin = ZoneId.of("Europe/Berlin");
		for (JsonNode schedule : calendar.get("schedules")) {
			List<Instant> times = times(begin, schedule.get("seconds"));
			if (schedule.get("name").asString().startsWith("at half")) {
				assertThat(times).hasSize(7)
					.allSatisfy((time) -> assertThat(time.atZone(berlin).toLocalTime())
						.hasToString(time.atZone(berlin).getDayOfMonth() == 29 ? "03:00" : "02:30"));
			}
		}
		List<Instant> window = times(begin, calendar.get("windows").get(0).get("seconds"));
		assertThat(window).extracting((time) -> time.atZone(berlin).toLocalTime().toString())
			.containsSubsequence("22:00", "23:15", "22:00", "23:15");
		JsonNode now = get("calendar");
		Instant next = Instant
			.parse(get("schedules/each~20minute~20and~20a~20half").at("/schedule/nextRunAt").asString());
		for (JsonNode schedule : now.get("schedules")) {
			if (schedule.get("name").asString().startsWith("each")) {
				assertThat(times(Instant.parse(now.get("from").asString()), schedule.get("seconds")))
					.contains(next.truncatedTo(ChronoUnit.SECONDS));
			}
		}
	}

	@Test
	void anErrorHasItsFailures() {
		JsonNode error = get("errors/000000000000002a");
		assertThat(error.at("/failed/value").asLong()).isEqualTo(number("""
				select count(distinct j.id) from rowqueue.job_failure f join rowqueue.job j on j.id = f.job_id
				where error_group = 42 and j.state = 'failed'"""));
		long[] hours = StreamSupport.stream(error.at("/error/perHour").spliterator(), false)
			.mapToLong(JsonNode::asLong)
			.toArray();
		assertThat(hours).hasSize(24);
		for (int i = 0; i < 24; i++) {
			assertThat(hours[23 - i]).as("%s hours ago", i)
				.isEqualTo(
						number("""
								select coalesce(sum(failed), 0) from rowqueue.tally where kind = 'error' and name = '000000000000002a'
									and at = date_trunc('hour', timestamptz '%s', 'UTC') - interval '%s hours'"""
							.formatted(error.get("at").asString(), i)));
		}
	}

	/** A wall of one warning hides the figures below it. */
	@Test
	void manyFindingsOfAKindAreOne() {
		jdbc.sql("""
				insert into rowqueue.job (queue, type, state, run_at, order_at)
				select 'late-' || i, 'late', 'queued', t, t from generate_series(1, 9) i,
					lateral (select now() - interval '3 hours' as t) due""").update();
		try {
			AwkwardPopulation.measure(host);
			List<String> ids = StreamSupport.stream(get("overview").get("problems").spliterator(), false)
				.map((problem) -> problem.get("id").asString().replaceAll(":.*", ""))
				.toList();
			assertThat(ids).containsOnlyOnce("oldest-age", "unhandled");
		}
		finally {
			jdbc.sql("delete from rowqueue.job where type = 'late'").update();
			AwkwardPopulation.measure(host);
		}
	}

	@Test
	void whatTheDashboardReadsHoldsNothing() {
		assertThat(host.get("/rowqueue/api/health", READ).body()).doesNotContain("rowqueue-dashboard");
	}

	private static void ended(JsonNode of, Map<String, Long> states, String all, String open) {
		long ended = 0;
		for (String state : List.of("succeeded", "failed", "cancelled")) {
			long jobs = states.getOrDefault(state, 0L);
			assertThat(of.get(state).asLong()).as("%s %s", of.get("id"), state).isEqualTo(jobs);
			ended += jobs;
		}
		long jobs = states.values().stream().mapToLong(Long::longValue).sum();
		assertThat(of.get(all).asLong()).isEqualTo(jobs);
		assertThat(of.get(open).asLong()).isEqualTo(jobs - ended);
	}

	private static void workers(JsonNode queue, String name) {
		String of = """
				from rowqueue.worker w where dead_at is null and queues && array['%1$s', '*'] and (
					not exists (select from rowqueue.job where state = 'queued' and queue = '%1$s')
					or types && array(select distinct type from rowqueue.job where state = 'queued' and queue = '%1$s'))"""
			.formatted(name);
		assertThat(queue.get("workers").asInt()).as(name).isEqualTo(number("select count(*) " + of));
		assertThat(queue.get("slots").asInt()).as(name)
			.isEqualTo(number(
					"select coalesce(sum(coalesce(slots ->> '" + name + "', slots ->> '*', '0')::int), 0) " + of));
	}

	/** Of the latest minute that has ended ten seconds before the answer. */
	private static void rates(JsonNode answer, JsonNode rates, String kind, String name) {
		String at = "date_trunc('minute', timestamptz '" + answer.get("at").asString()
				+ "' - interval '70 seconds', 'UTC')";
		String of = " from rowqueue.tally where seconds = 60 and kind = '%s' and name = '%s' and at = ".formatted(kind,
				name);
		// read at most ten seconds ago, and kept
		List<Long> ended = List.of(number("select coalesce(sum(succeeded + failed + cancelled), 0)" + of + at),
				number("select coalesce(sum(succeeded + failed + cancelled), 0)" + of + at + " - interval '1 minute'"));
		assertThat(rates.get("endedPerMinute").asLong()).isIn(ended);
		String minute = (rates.get("endedPerMinute").asLong() == ended.get(0)) ? at : at + " - interval '1 minute'";
		assertThat(rates.get("failedPerMinute").asLong())
			.isEqualTo(number("select coalesce(sum(failed), 0)" + of + minute));
		assertThat(rates.get("retriedPerMinute").asLong())
			.isEqualTo(number("select coalesce(sum(retried), 0)" + of + minute));
		assertThat(rates.get("perMinute")).hasSize(30);
		for (int i = 0; i < 30; i++) {
			assertThat(rates.get("perMinute").get(29 - i).asLong()).as("%s minutes before", i)
				.isEqualTo(number("select coalesce(sum(succeeded + failed + cancelled), 0)" + of + minute
						+ " - interval '" + i + " minutes'"));
		}
	}

	/**
	 * Of points that are not over, what is known: the minutes that all processes have
	 * written.
	 */
	private static void chart(String range, String kind, String name, String query) {
		JsonNode figures = get("figures?range=" + range + query);
		Duration step = Duration.ofMillis(figures.get("intervalMs").asLong());
		String written = "date_trunc('minute', timestamptz '" + figures.get("at").asString()
				+ "' - interval '10 seconds', 'UTC')";
		for (int point = 0; point < figures.get("times").size(); point++) {
			String from = "timestamptz '" + figures.get("times").get(point).asString() + "'";
			String until = "least(%s + interval '%s', %s)".formatted(from, step,
					step.toMinutes() == 1 ? "'infinity'" : written);
			for (String series : List.of("enqueued", "succeeded", "retried", "failed", "cancelled")) {
				Double expected = jdbc
					.sql("""
							select sum(%1$s)::float8 / greatest(1, extract(epoch from least(%2$s, %3$s) - %4$s) / 60)::float8 from rowqueue.tally
							where seconds = 60 and kind = '%5$s' and name = '%6$s' and at >= %4$s and at < %2$s"""
						.formatted(series, until, from + " + interval '" + step + "'", from, kind, name))
					.query((row, index) -> row.getObject(1, Double.class))
					.list()
					.get(0);
				JsonNode shown = figures.get("series").get(series).get(point);
				if (expected != null) {
					assertThat(shown.asDouble()).as("%s of %s %s at %s", series, kind, name, from)
						.isCloseTo(expected, within(0.06));
				}
				else {
					assertThat(shown.isNull() || shown.asDouble() == 0).isTrue();
				}
			}
			if (!kind.equals("type")) {
				measured(figures, point, "waiting", "jobs", "queued", name, from, step, 1);
				measured(figures, point, "oldest", "oldest.age", "", name, from, step, 1000);
			}
		}
	}

	private static void measured(JsonNode figures, int point, String series, String gauge, String state, String queue,
			String from, Duration step, int factor) {
		Double highest = jdbc
			.sql("""
					select max(highest) from rowqueue.gauge where seconds = 60 and name = '%s' and state = '%s' and queue = '%s'
						and at >= %s and at < %s + interval '%s'"""
				.formatted(gauge, state, queue, from, from, step))
			.query((row, index) -> row.getObject(1, Double.class))
			.list()
			.get(0);
		JsonNode shown = figures.get("series").get(series).get(point);
		if (highest == null) {
			assertThat(shown.isNull()).as("%s at %s was not measured", series, from).isTrue();
		}
		else {
			assertThat(shown.asDouble()).as("%s at %s", series, from).isEqualTo(highest * factor);
		}
	}

	/**
	 * A measured age is as old as the measurement, and each answer a little older than
	 * its reading.
	 */
	private static void age(JsonNode shown, String sql) {
		Instant since = jdbc.sql(sql)
			.query((row, index) -> row.getTimestamp(1))
			.list()
			.stream()
			.filter((time) -> time != null)
			.findFirst()
			.map((time) -> time.toInstant())
			.orElse(null);
		if (since == null) {
			assertThat(shown.isNull()).as(sql).isTrue();
			return;
		}
		long now = Duration.between(since,
				jdbc.sql("select clock_timestamp()").query((row, index) -> row.getTimestamp(1).toInstant()).single())
			.toMillis();
		assertThat(shown.asLong()).as(sql).isBetween(now - 300_000, now + 10);
	}

	private static Map<String, Long> states(String where) {
		return grouped("select " + STATE + ", count(*) from rowqueue.job j where " + where + " group by 1 order by 1");
	}

	private static Map<String, Long> grouped(String sql) {
		Map<String, Long> numbers = new TreeMap<>();
		jdbc.sql(sql).query((row) -> {
			numbers.put(row.getString(1), row.getLong(2));
		});
		return numbers;
	}

	private static Map<String, Long> without(String name, Map<String, Long> numbers) {
		numbers.remove(name);
		return numbers;
	}

	private static Map<String, Long> exact(JsonNode counts) {
		Map<String, Long> numbers = new TreeMap<>();
		counts.forEachEntry((state, count) -> {
			if (count.get("kind").asString().equals("exact")) {
				numbers.put(state, count.get("value").asLong());
			}
		});
		return numbers;
	}

	private static List<Instant> times(Instant begin, JsonNode seconds) {
		return StreamSupport.stream(seconds.spliterator(), false)
			.map((each) -> begin.plusSeconds(each.asLong()))
			.toList();
	}

	private static List<String> names(JsonNode items) {
		return StreamSupport.stream(items.spliterator(), false).map((item) -> item.get("name").asString()).toList();
	}

	private static List<Long> ids(JsonNode items, String name) {
		return StreamSupport.stream(items.spliterator(), false).map((item) -> item.get(name).asLong()).toList();
	}

	private static long number(String sql) {
		return jdbc.sql(sql).query(Long.class).single();
	}

	private static JsonNode get(String path) {
		return Host.json(host.get("/rowqueue/api/" + path, READ));
	}

}
