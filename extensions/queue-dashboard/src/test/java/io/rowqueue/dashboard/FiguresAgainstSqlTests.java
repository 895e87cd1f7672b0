package io.rowqueue.dashboard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
		assertThat(overview.get("knownQueues")).as("those that are measured on their own, and others")
			.hasToString("{\"value\":200,\"kind\":\"atLeast\"}");
		assertThat(overview.get("queues")).hasSize(10);
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
		JsonNode failures = get("overview").get("failures");
		assertThat(ids(failures, "job")).isEqualTo(jdbc.sql("""
				select job_id from rowqueue.job_failure order by failed_at desc limit 10""").query(Long.class).list());
		for (JsonNode failure : failures) {
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
		JsonNode tenant = get("queues/" + AwkwardPopulation.TENANT);
		assertThat(exact(tenant.at("/queue/jobs"))).isEqualTo(Map.of("queued", 2L));
		age(tenant.at("/queue/oldestMs"),
				"select min(run_at) from rowqueue.job where queue = '" + AwkwardPopulation.TENANT + "'");
		assertThat(tenant.get("lanes")).as("200 lanes wait longer")
			.singleElement()
			.satisfies((lane) -> assertThat(lane.get("workers")).isEqualTo(tenant.at("/queue/workers")));
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
	void aTypeSaysHowManyJobsItHasAndHowManyOfThemNobodyRuns() {
		JsonNode types = get("types");
		for (JsonNode type : types.get("items")) {
			String name = type.get("name").asString();
			long unhandled = number("""
					select count(*) from rowqueue.job j where state = 'queued' and type = '%s' and not exists (
						select from rowqueue.worker w where dead_at is null and j.type = any (types)
							and (j.queue = any (queues) or '*' = any (queues)))""".formatted(name));
			assertThat(type.at("/unhandled/value").asLong(0)).as(name).isEqualTo(unhandled);
			for (String state : List.of("queued", "failed")) {
				long jobs = number(
						"select count(*) from rowqueue.job where state = '%s' and type = '%s'".formatted(state, name));
				JsonNode count = type.at("/jobs/" + state);
				if (!count.path("kind").asString("exact").equals("estimate")) {
					assertThat(count.path("value").asLong(0)).as("%s jobs of %s", state, name)
						.isLessThanOrEqualTo(jobs);
				}
			}
			assertThat(type.get("workers").asInt()).as(name)
				.isEqualTo(number(
						"select count(*) from rowqueue.worker where dead_at is null and '" + name + "' = any (types)"));
		}
		assertThat(names(types.get("items"))).contains("orphan");
		JsonNode orphan = get("types/orphan").get("type");
		assertThat(orphan.at("/unhandled/value").asLong()).isEqualTo(11);
		assertThat(orphan.at("/jobs/queued/value").asLong()).isEqualTo(11);
		assertThat(orphan.at("/jobs/queued/kind").asString()).as("not all queues are named").isEqualTo("atLeast");
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
	void moreWorkersThanAListHasAreCounted() {
		jdbc.sql("""
				insert into rowqueue.worker (id, name, started_at, queues, types, slots, lease)
				select 1000 + i, 'many-' || i, now(), array['default'], array['work'], '{"default": 2}', '1 hour'
				from generate_series(1, 230) i""").update();
		try {
			JsonNode overview = get("overview");
			assertThat(overview.at("/workers/alive").asInt()).isEqualTo(232)
				.isEqualTo(number("select count(*) from rowqueue.worker where dead_at is null"));
			assertThat(overview.at("/workers/dead").asInt()).isEqualTo(1);
			assertThat(overview.at("/slots/total").asInt()).isEqualTo(
					number("""
							select sum(slots.value::int) from rowqueue.worker, jsonb_each_text(slots) slots where dead_at is null"""));
			JsonNode queue = get("queues/default");
			workers(queue.get("queue"), "default");
			assertThat(queue.get("workers")).hasSize(200);
			JsonNode type = get("types/work");
			assertThat(type.at("/type/workers").asInt()).isEqualTo(
					number("select count(*) from rowqueue.worker where dead_at is null and 'work' = any (types)"));
			assertThat(type.get("workers")).hasSize(200);
			assertThat(get("workers").get("items")).hasSize(200);
			assertThat(get("workers/101").at("/worker/name").asString()).as("it started first").isEqualTo("web-1:1");
		}
		finally {
			jdbc.sql("delete from rowqueue.worker where id > 1000").update();
		}
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

	@ParameterizedTest
	@ValueSource(strings = { "1h", "6h", "24h", "7d", "90d" })
	void chartsHaveWhatWasCountedAndMeasured(String range) {
		chart(range, "all", "", "");
		chart(range, "queue", "default", "&queue=default");
		chart(range, "type", "work", "&type=work");
	}

	@Test
	void comparedVersionsHaveTheAttemptsOfTheirTypes() {
		compared(get("versions"), "1.4", "1.5");
		compared(get("versions?a=1.3&b=1.4"), "1.3", "1.4");
		JsonNode types = get("versions").get("types");
		assertThat(types).extracting((type) -> type.get("type").asString()).containsExactly("letter", "work");
		assertThat(types.get(0).get("b").isNull()).as("a version without the type").isTrue();
	}

	/**
	 * A process is one if the one before it, of those whose versions are known, had
	 * another.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "1h", "6h", "24h", "7d", "90d" })
	void marksAreWhereAnotherVersionStarted(String range) {
		JsonNode figures = get("figures?range=" + range);
		assertThat(figures.get("marks"))
			.extracting((mark) -> mark.get("version").asString() + " " + instant(mark.get("at")))
			.isEqualTo(jdbc
				.sql("""
						select version, started_at from rowqueue.process p where version <> '' and started_at >= ?::timestamptz and version is distinct from (
							select version from rowqueue.process b where version <> '' and b.started_at < p.started_at order by started_at desc limit 1)
						order by started_at""")
				.param(figures.get("times").get(0).asString())
				.query((row, index) -> row.getString("version") + " " + time(row, "started_at"))
				.list());
	}

	@Test
	void theHistoryOfALaneIsWhatWasMeasured() {
		JsonNode lanes = get("lanes");
		List<Instant> times = instants(lanes.get("times"));
		assertThat(times).hasSize(60);
		assertThat(lanes.get("items"))
			.extracting((lane) -> lane.get("queue").asString() + " " + lane.get("type").asString())
			.contains("mail letter", "default work");
		for (JsonNode lane : lanes.get("items")) {
			String of = lane.get("queue").asString() + " " + lane.get("type").asString();
			for (int point = 0; point < 60; point++) {
				Long expected = jdbc
					.sql("""
							select coalesce((select round(highest * 1000) from rowqueue.gauge where seconds = 60 and name = 'type.oldest.age'
									and queue || ' ' || state = ? and at = ?::timestamptz),
								(select 0 from rowqueue.gauge where seconds = 60 and name = 'workers' and at = ?::timestamptz))""")
					.params(of, times.get(point).toString(), times.get(point).toString())
					.query((row, index) -> row.getObject(1, Double.class))
					.list()
					.stream()
					.filter((age) -> age != null)
					.map(Double::longValue)
					.findFirst()
					.orElse(null);
				JsonNode shown = lane.get("agesMs").get(point);
				assertThat(shown.isNull() ? null : shown.asLong()).as("%s at %s", of, times.get(point))
					.isEqualTo(expected);
			}
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
	void aLimitHasTheJobsThatWorkersHoldAndWhatIsLeftOfItsRate() {
		Map<String, String> shown = new TreeMap<>();
		JsonNode limits = Host.json(host.get("/rowqueue/api/limits", Hosts.LEVEL, "payloads"));
		limits.get("items")
			.forEach((limit) -> shown.put(limit.get("kind").asString() + " " + limit.get("name").asString(),
					limit.get("held") + " held, " + limit.get("tokens") + " left"));
		String held = "select count(*) from rowqueue.job where worker_id is not null and ";
		assertThat(shown).isEqualTo(Map.of("queue mail", number(held + "queue = 'mail'") + " held, 100 left",
				"queue default", number(held + "queue = 'default'") + " held, 0 left", "type work",
				number(held + "type = 'work'") + " held, 10 left", "key customer", "null held, null left",
				"key customer:7",
				number("""
						select sum(case when limit_units > 5 then 5 when limit_units is null then 1 else limit_units end) from rowqueue.job
						where limit_key = 'customer:7' and state <> 'blocked'""")
						+ " held, 13 left"));
		assertThat(shown.get("queue mail")).startsWith("2 ");
		assertThat(shown.get("key customer:7")).startsWith("12 ");
		assertThat(limits.get("holds")).hasSize(1);
		assertThat(Instant.parse(limits.at("/holds/0/until").asString()))
			.isEqualTo(time("select open_from from rowqueue.pause where name = 'customer:9'"));
		assertThat(limits.get("weights")).hasSize(1);
		assertThat(limits.at("/weights/0/weight").asInt()).isEqualTo(number("select weight from rowqueue.fair_weight"));
	}

	@Test
	void aRecurringJobHasTheTimesOfItsRow() {
		JsonNode schedules = get("schedules").get("items");
		assertThat(names(schedules)).hasSize(3);
		for (JsonNode schedule : schedules) {
			String of = " from rowqueue.schedule where name = '" + schedule.get("name").asString() + "'";
			Map.of("nextRunAt", "next_run_at", "lastDueAt", "last_due_at", "lastRunAt", "last_run_at", "lastSkippedAt",
					"last_skipped_at")
				.forEach((name, column) -> assertThat(instant(schedule.get(name))).as("%s%s", name, of)
					.isEqualTo(time("select " + column + of)));
			assertThat(schedule.at("/lastJob/id").asLong(0)).isEqualTo(number("select coalesce(last_job_id, 0)" + of));
		}
	}

	@Test
	void theNextTimesOfARecurringJobAreThoseOfItsRhythm() {
		assertThat(instants(get("schedules/nightly~20sums").get("fires"))).isEqualTo(
				times("""
						select time from generate_series(now() - interval '1 day', now() + interval '15 days', '1 day') day,
							lateral (select (day::date + time '04:15') at time zone 'Europe/Berlin' as time) due
						where time >= (select next_run_at from rowqueue.schedule where name = 'nightly sums') order by 1 limit 10"""));
		assertThat(instants(get("schedules/each~20minute~20and~20a~20half/fires?n=25").get("items")))
			.isEqualTo(times("""
					select next_run_at + n * interval '90 seconds' from rowqueue.schedule, generate_series(0, 24) n
					where name like 'each%' order by n"""));
	}

	@Test
	void aRunOfARecurringJobSaysHowItsJobEnded() {
		List<String> shown = StreamSupport.stream(get("schedules/nightly~20sums").get("runs").spliterator(), false)
			.map((run) -> "%s: %s, %s, %s of %s, %s, %s to %s".formatted(run.get("id"), run.get("origin").asString(),
					run.get("state").asString("gone"), run.get("attempt"), instant(run.get("dueAt")),
					instant(run.get("enqueuedAt")), instant(run.get("startedAt")), instant(run.get("endedAt"))))
			.toList();
		List<String> expected = jdbc
			.sql("""
					select r.*, case when state = 'scheduled' and attempt > 0 then 'retrying' else coalesce(state, 'gone') end as state, coalesce(attempt, 0) as attempt, leased_at, ended_at
					from rowqueue.schedule_run r left join (
						select id, state::text, attempt, leased_at, case when state = 'failed' then (
							select failed_at from rowqueue.job_failure f where f.job_id = j.id and f.attempt = j.attempt) end as ended_at
						from rowqueue.job j
						union all select id, state::text, attempt, leased_at, finished_at from rowqueue.job_finished) of on id = job_id
					where name = 'nightly sums' order by job_id desc""")
			.query((row, index) -> "%s: %s, %s, %s of %s, %s, %s to %s".formatted(row.getLong("job_id"),
					row.getString("origin"), row.getString("state"), row.getInt("attempt"), time(row, "due_at"),
					time(row, "enqueued_at"), time(row, "leased_at"), time(row, "ended_at")))
			.list();
		assertThat(shown).isEqualTo(expected).hasSize(6);
	}

	@Test
	void anOperationHasTheJobsThatItSelectedAndThoseThatAreLeft() {
		for (String who : List.of("ada", "bob", "eve")) {
			JsonNode operations = get("operations?who=" + who).get("items");
			assertThat(ids(operations, "id"))
				.isEqualTo(jdbc.sql("select id from rowqueue.operation where who = ? order by id desc")
					.param(who)
					.query(Long.class)
					.list());
			for (JsonNode operation : operations) {
				long id = operation.get("id").asLong();
				assertThat(get("operations/" + id).get("operation")).isEqualTo(operation);
				String of = " from rowqueue.operation where id = " + id;
				assertThat(operation.get("done").asLong()).isEqualTo(number("select coalesce(jobs, 0)" + of));
				assertThat(operation.get("skipped").asLong()).isEqualTo(number("select coalesce(skipped, 0)" + of));
				boolean bulk = number("select count(filter)" + of) == 1;
				assertThat(operation.get("selected").isNull()).isNotEqualTo(bulk);
				if (bulk) {
					assertThat(operation.get("selected").asLong())
						.isEqualTo(number("select coalesce(selected, 0)" + of));
					assertThat(operation.get("selected").asLong() - operation.get("done").asLong()
							- operation.get("skipped").asLong())
						.as("those left")
						.isEqualTo(number("select count(*) from rowqueue.operation_job where operation_id = " + id));
				}
			}
		}
		assertThat(get("operations?who=ada").get("items")).extracting((each) -> each.get("state").asString())
			.containsExactly("begun", "unknown", "running", "running");
	}

	/** The server writes what it knows of tables some time later, and counts on. */
	@Test
	void theTablesOfTheHealthAreThoseOfTheServer() {
		jdbc.sql("vacuum rowqueue.job, rowqueue.job_finished").update();
		Awaitility.await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
			List<String> shown = StreamSupport.stream(get("health").get("tables").spliterator(), false)
				.map((table) -> "%s: %s rows, %s dead, %s bytes, %s".formatted(table.get("name").asString(),
						table.at("/liveRows/value"), table.get("deadRows"), table.get("bytes"),
						instant(table.get("lastVacuumAt"))))
				.toList();
			assertThat(shown).isEqualTo(jdbc
				.sql("""
						select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(pg_stat_get_live_tuples(c.oid)) as live,
							sum(pg_stat_get_dead_tuples(c.oid)) as dead, sum(pg_table_size(c.oid) + pg_indexes_size(c.oid)) as bytes,
							greatest(max(pg_stat_get_last_vacuum_time(c.oid)), max(pg_stat_get_last_autovacuum_time(c.oid))) as vacuumed_at
						from pg_class c where relnamespace = 'rowqueue'::regnamespace and relkind in ('r', 'p') group by 1 order by bytes desc, 1""")
				.query((row, index) -> "%s: %s rows, %s dead, %s bytes, %s".formatted(
						row.getString("name").replace("rowqueue.", ""), row.getLong("live"), row.getLong("dead"),
						row.getLong("bytes"), time(row, "vacuumed_at")))
				.list()).anyMatch((table) -> table.startsWith("job_finished: ") && !table.endsWith("null"));
		});
	}

	/** The statement of the session has waited for another lock before. */
	@Test
	void aSessionThatWaitsForALockSaysSinceWhenAndForWhom() throws Exception {
		try (Connection first = host.connect("first");
				Connection second = host.connect("second");
				Connection waiting = host.connect("waits")) {
			execute(first, "select pg_advisory_lock(4711)");
			execute(second, "select pg_advisory_lock(4712)");
			CompletableFuture<Void> both = CompletableFuture.runAsync(
					() -> execute(waiting, "select pg_advisory_lock(4711), pg_advisory_lock(4712)"),
					(task) -> new Thread(task).start());
			String locks = """
					select a.pid || ' ' || application_name || ' ' || l.locktype || ' ' || pg_blocking_pids(a.pid)::text as waits, waitstart
					from pg_locks l join pg_stat_activity a using (pid) where datname = current_database() and not granted and objid = ?""";
			awaitLock(locks, 4711);
			execute(first, "select pg_advisory_unlock(4711)");
			awaitLock(locks, 4712);
			List<String> shown = StreamSupport.stream(get("health").get("locks").spliterator(), false)
				.map((wait) -> "%s %s %s {%s} %s".formatted(wait.get("pid"), wait.get("who").asString(),
						wait.get("lock").asString(), wait.at("/blockedBy/0"), instant(wait.get("since"))))
				.toList();
			assertThat(shown)
				.isEqualTo(jdbc.sql(locks)
					.param(4712)
					.query((row, index) -> row.getString("waits") + " " + time(row, "waitstart"))
					.list())
				.singleElement()
				.asString()
				.contains(" waits advisory ");
			execute(second, "select pg_advisory_unlock(4712)");
			both.get(1, TimeUnit.MINUTES);
		}
	}

	@Test
	void whatKeepsDeadRowsIsTheSessionWithTheOldestSnapshot() throws Exception {
		try (Connection old = host.connect("old report"); Connection young = host.connect("young report")) {
			for (Connection reader : List.of(old, young)) {
				reader.setAutoCommit(false);
				reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
				execute(reader, "select 1");
				jdbc.sql("select pg_current_xact_id()").query(String.class).single();
			}
			String oldest = """
					select max(greatest(age(backend_xmin), age(backend_xid))) from pg_stat_activity where application_name = 'old report'""";
			long before = number(oldest);
			JsonNode horizon = get("health").get("horizon");
			assertThat(horizon.get("transactions").asLong()).isBetween(before, number(oldest));
			List<String> holders = jdbc
				.sql("""
						select 'session process ' || pid || ' (' || application_name || ')' as holder, xact_start from pg_stat_activity
						where application_name like '% report' order by xact_start""")
				.query((row, index) -> row.getString("holder"))
				.list();
			assertThat(horizon.get("holders"))
				.extracting((holder) -> holder.get("what").asString() + " " + holder.get("who").asString())
				.containsSubsequence(holders);
			assertThat(instant(horizon.at("/holders/0/since"))).isCloseTo(
					time("select xact_start from pg_stat_activity where application_name = 'old report'"),
					within(10, ChronoUnit.SECONDS));
		}
	}

	@Test
	void theJobsOfATabAreThoseOfItsStateAndSayIt() {
		JsonNode summary = get("jobs/summary?state=queued&queue=default");
		assertThat(summary.at("/counts/queued/value").asLong())
			.isEqualTo(get("jobs/count?state=queued&queue=default").at("/count/value").asLong())
			.isEqualTo(StreamSupport.stream(summary.at("/times/jobs").spliterator(), false)
				.mapToLong(JsonNode::asLong)
				.sum());
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

	@Test
	void aListOfErrorsHasTheRowsOfTheGroups() {
		JsonNode errors = get("errors");
		assertThat(errors.get("open").asInt()).isEqualTo(
				number("""
						select count(*) from rowqueue.error_group where status = 'open' and last_at > now() - interval '1 day'"""));
		assertThat(errors.get("items"))
			.extracting((error) -> "%s: %s of %s to %s, last %s".formatted(error.get("id").asString(),
					error.get("failures"), instant(error.get("firstAt")), instant(error.get("lastAt")),
					error.get("lastJob")))
			.isEqualTo(jdbc.sql("""
					select *, lpad(to_hex(id), 16, '0') as name from rowqueue.error_group order by last_at desc""")
				.query((row, index) -> "%s: %s of %s to %s, last %s".formatted(row.getString("name"),
						row.getLong("failures"), time(row, "first_at"), time(row, "last_at"), row.getLong("last_job")))
				.list());
		JsonNode jobs = get("errors/000000000000002a").get("jobs");
		assertThat(jobs)
			.extracting(
					(job) -> "%s: %s, %s".formatted(job.get("id"), job.get("attempt"), instant(job.get("failedAt"))))
			.isEqualTo(jdbc.sql("""
					select * from rowqueue.job_failure where error_group = 42 order by failed_at desc limit 50""")
				.query((row, index) -> "%s: %s, %s".formatted(row.getLong("job_id"), row.getInt("attempt"),
						time(row, "failed_at")))
				.list());
	}

	/** Only the latest failures of a group are read. */
	@Test
	void theFailedJobsOfAnErrorThatOccursOftenAreAtLeastThese() {
		jdbc.sql("""
				insert into rowqueue.error_group (id, type, first_at, last_at, last_job, failures, sample)
				values (44, 'work', now(), now() - interval '2 days', 1, 5001, 'java.io.IOException: often')""")
			.update();
		try {
			assertThat(get("errors/000000000000002c").at("/failed/kind").asString()).isEqualTo("atLeast");
			assertThat(get("errors/000000000000002a").at("/failed/kind").asString()).isEqualTo("exact");
		}
		finally {
			jdbc.sql("delete from rowqueue.error_group where id = 44").update();
		}
	}

	@Test
	void aJobHasTheNumbersAndTimesOfItsRow() {
		for (String state : List.of("retrying", "running", "failed", "queued", "blocked", "succeeded")) {
			JsonNode jobs = get("jobs?limit=20&queue=default&state=" + state).get("items");
			assertThat(jobs).as(state).isNotEmpty();
			for (JsonNode job : jobs) {
				String of = "%s: %s of %s, %s, %s to %s".formatted(job.get("id"), job.get("attempt"),
						job.get("priority"), instant(job.get("createdAt")), instant(job.get("dueAt")),
						instant(job.get("endedAt")));
				assertThat(get("jobs/" + job.get("id")).get("job").get("dueAt")).isEqualTo(job.get("dueAt"));
				assertThat(of).isEqualTo(jdbc
					.sql("""
							select id, attempt, priority, created_at, run_at, case when state = 'failed' then (
								select max(failed_at) from rowqueue.job_failure where job_id = id) end as ended_at from rowqueue.job where id = ?
							union all select id, attempt, priority, created_at, run_at, finished_at from rowqueue.job_finished where id = ?""")
					.params(job.get("id").asLong(), job.get("id").asLong())
					.query((row, index) -> "%s: %s of %s, %s, %s to %s".formatted(row.getLong("id"),
							row.getInt("attempt"), row.getInt("priority"), time(row, "created_at"), time(row, "run_at"),
							time(row, "ended_at")))
					.single());
			}
		}
	}

	/**
	 * A wall of one warning hides the figures below it: the queues are late because the
	 * handler is missing.
	 */
	@Test
	void aMissingHandlerIsOneFindingInHoweverManyQueues() {
		jdbc.sql("""
				insert into rowqueue.job (queue, type, state, run_at, order_at)
				select 'late-' || i, 'late', 'queued', t, t from generate_series(1, 9) i,
					lateral (select now() - interval '3 hours' as t) due""").update();
		try {
			AwkwardPopulation.measure(host);
			List<String> problems = StreamSupport.stream(get("overview").get("problems").spliterator(), false)
				.map((problem) -> problem.get("title").asString() + " " + problem.get("detail").asString(""))
				.toList();
			assertThat(problems).filteredOn((problem) -> problem.contains("late in 9 queues")).hasSize(1);
			assertThat(problems).noneMatch((problem) -> problem.contains("queue late-"));
			assertThat(get("attention").get("problems").asInt()).isEqualTo(problems.size());
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

	private static void awaitLock(String locks, int lock) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> jdbc.sql(locks).param(lock).query((row, index) -> row.getString("waits")).list().size() == 1);
	}

	private static void execute(Connection connection, String sql) {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
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
	 * written. By hour, the hours that are summed up and the minutes after the last one.
	 */
	private static void chart(String range, String kind, String name, String query) {
		JsonNode figures = get("figures?range=" + range + query);
		Duration step = Duration.ofMillis(figures.get("intervalMs").asLong());
		String points = """
				point as (
					select number, begin, begin + interval '%1$s' as ended from unnest('{%2$s}'::timestamptz[]) with ordinality point (begin, number)),
				written as (select date_trunc('minute', timestamptz '%3$s' - interval '10 seconds', 'UTC') as written)"""
			.formatted(step, String.join(",",
					StreamSupport.stream(figures.get("times").spliterator(), false).map(JsonNode::asString).toList()),
					figures.get("at").asString());
		String counted = """
				with %s,
				counted as (
					select * from point join (%s) tally on at >= begin and at < ended cross join written
					where interval '%s' = '1 minute' or at < written)""".formatted(points,
				known("tally", "kind = '%s' and name = '%s'".formatted(kind, name), "kind = 'all'", step), step);
		List<Double> measured = measured(points, "workers", "", "", step);
		for (String series : List.of("enqueued", "succeeded", "retried", "failed", "cancelled")) {
			List<Double> expected = values(
					counted + """
							select number, sum(%s)::float8 / greatest(1, floor(extract(epoch from least(ended, written) - begin) / 60))::float8
							from counted group by number, begin, ended, written"""
						.formatted(series),
					measured.size());
			same(figures, series, orZero(expected, measured), 1);
		}
		for (String times : List.of("wait", "run")) {
			for (int percent : List.of(50, 95)) {
				String rows = counted + ", of as (select number as of, %ss as histogram from counted)".formatted(times);
				same(figures, times + ".p" + percent, values(rows + percentile(percent), measured.size()), 1);
			}
		}
		if (!kind.equals("type")) {
			same(figures, "waiting", orZero(measured(points, "jobs", "queued", name, step), measured), 1);
			same(figures, "oldest", orZero(measured(points, "oldest.age", "", name, step), measured), 1000);
		}
		if (kind.equals("all")) {
			same(figures, "dead.rows", orZero(measured(points, "dead.rows", "", "", step), measured), 1);
			same(figures, "horizon.age", orZero(measured(points, "horizon.age", "", "", step), measured), 1);
		}
	}

	private static String known(String table, String where, String folded, Duration step) {
		return (step.toHours() < 1) ? "select * from rowqueue.%s where seconds = 60 and %s".formatted(table, where)
				: """
						select * from rowqueue.%1$s where %2$s and (seconds = 3600
							or at >= (select max(at) + interval '1 hour' from rowqueue.%1$s where seconds = 3600 and %3$s))"""
					.formatted(table, where, folded);
	}

	/** Of the times of {@code of}, spread evenly within a bucket. */
	private static String percentile(int percent) {
		return """
				, bucket as (
					select of, bucket, sum(jobs) as jobs, sum(sum(jobs)) over (partition by of order by bucket) as upto,
						sum(sum(jobs)) over (partition by of) * %s / 100 as rank
					from of, unnest(histogram) with ordinality bucket (jobs, bucket) group by of, bucket)
				select distinct on (of) of, low + (2 ^ ((bucket - 1) / 2.0) - low) * (1 - (upto - rank) / jobs)::float8
				from bucket, lateral (select case bucket when 1 then 0 else 2 ^ ((bucket - 2) / 2.0) end::float8 as low) low
				where jobs > 0 and upto >= rank order by of, bucket"""
			.formatted(percent);
	}

	private static List<Double> measured(String points, String gauge, String state, String queue, Duration step) {
		String rows = known("gauge", "name = '%s' and state = '%s' and queue = '%s'".formatted(gauge, state, queue),
				"name = 'workers'", step);
		return values(
				"""
						with %s select number, max(highest) from point left join (%s) gauge on at >= begin and at < ended group by number"""
					.formatted(points, rows),
				number("with %s select count(*) from point".formatted(points)));
	}

	/** By the numbers of points, which begin with 1. */
	private static List<Double> values(String sql, long points) {
		Map<Long, Double> found = new TreeMap<>();
		jdbc.sql(sql).query((row) -> {
			found.put(row.getLong(1), row.getObject(2, Double.class));
		});
		return LongStream.rangeClosed(1, points).mapToObj(found::get).toList();
	}

	/** Where something was measured and nothing found, there was nothing. */
	private static List<Double> orZero(List<Double> values, List<Double> measured) {
		return IntStream.range(0, values.size())
			.mapToObj((point) -> (values.get(point) == null && measured.get(point) != null) ? Double.valueOf(0)
					: values.get(point))
			.toList();
	}

	private static void same(JsonNode figures, String series, List<Double> expected, double factor) {
		JsonNode shown = figures.get("series").get(series);
		assertThat(expected).as(series).anyMatch((value) -> value != null && value > 0);
		assertThat(shown).as(series).hasSize(expected.size());
		for (int point = 0; point < expected.size(); point++) {
			String which = "%s at %s".formatted(series, figures.get("times").get(point));
			if (expected.get(point) == null) {
				assertThat(shown.get(point).isNull()).as(which).isTrue();
			}
			else {
				assertThat(shown.get(point).isNull()).as(which).isFalse();
				assertThat(shown.get(point).asDouble()).as(which).isCloseTo(expected.get(point) * factor, within(0.06));
			}
		}
	}

	private static void compared(JsonNode versions, String older, String newer) {
		assertThat(versions.get("a").asString()).isEqualTo(older);
		assertThat(versions.get("b").asString()).isEqualTo(newer);
		Map<String, String> shown = new TreeMap<>();
		Map<String, String> expected = new TreeMap<>();
		for (String side : List.of("a", "b")) {
			String version = versions.get(side).asString();
			versions.get("types").forEach((type) -> {
				JsonNode of = type.get(side);
				if (!of.isNull()) {
					shown.put(type.get("type").asString() + " " + version,
							"%s attempts, %s failures, %.1f, %.1f".formatted(of.get("attempts"), of.get("failures"),
									of.get("runP50Ms").asDouble(), of.get("runP95Ms").asDouble()));
				}
			});
			for (String type : List.of("letter", "orphan", "work")) {
				String rows = "with counted as (%s), of as (select 1 as of, runs as histogram from counted)"
					.formatted(known("tally",
							"kind = 'type' and name = '%s' and version = '%s' and at >= timestamptz '%s' - interval '7 days'"
								.formatted(type, version, versions.get("at").asString()),
							"kind = 'all'", Duration.ofHours(1)));
				jdbc.sql(
						rows + """
								select count(*) as rows, sum(succeeded + failed + cancelled + retried + snoozed) as attempts, sum(retried + failed) as failures
								from counted having count(*) > 0""")
					.query((row) -> {
						expected.put(type + " " + version,
								"%s attempts, %s failures, %.1f, %.1f".formatted(row.getLong("attempts"),
										row.getLong("failures"), values(rows + percentile(50), 1).get(0),
										values(rows + percentile(95), 1).get(0)));
					});
			}
		}
		assertThat(shown).isEqualTo(expected);
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

	private static Instant instant(JsonNode time) {
		return time.isNull() ? null : Instant.parse(time.asString());
	}

	private static List<Instant> instants(JsonNode times) {
		return StreamSupport.stream(times.spliterator(), false).map(FiguresAgainstSqlTests::instant).toList();
	}

	private static Instant time(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

	private static Instant time(String sql) {
		return times(sql).get(0);
	}

	private static List<Instant> times(String sql) {
		return jdbc.sql(sql)
			.query((row, index) -> row.getObject(1, OffsetDateTime.class))
			.list()
			.stream()
			.map((time) -> (time != null) ? time.toInstant() : null)
			.collect(Collectors.toList());
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
