package io.rowqueue.dashboard;

import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What the pages show of the past, and expect of the future. */
class FiguresTests {

	private static final String[] READ = { Hosts.LEVEL, "read" };

	private static final String[] OPERATE = { Hosts.LEVEL, "operate" };

	private static final String[] PAYLOADS = { Hosts.LEVEL, "payloads" };

	private static final String GROUP = "000000000000002a";

	private static Host host;

	@BeforeAll
	static void start() {
		host = Host.start(Host.Kind.SERVLET, new Class<?>[] { Hosts.LevelsByHeader.class });
		Hosts.fill(host);
		JdbcClient jdbc = host.jdbc();
		jdbc.sql(
				"""
						insert into rowqueue.tally (seconds, kind, name, at, version, succeeded, failed, waits, runs)
						select 60, kind, name, date_trunc('minute', now()) - minute * interval '1 minute', '1.42', 60, 6, '{0,0,0,66}',
							'{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,66}'
						from generate_series(1, 30) as minute, (values ('all', ''), ('queue', 'mail'), ('type', 'welcome-mail')) of (kind, name)""")
			.update();
		jdbc.sql("""
				insert into rowqueue.gauge (seconds, name, queue, state, at, value, highest)
				select 60, name, queue, state, date_trunc('minute', now()) - minute * interval '1 minute', value, value
				from generate_series(1, 40) as minute, (values ('workers', '', '', 2), ('jobs', 'mail', 'queued', 100),
					('type.oldest.age', 'mail', 'welcome-mail', 61)) as measured (name, queue, state, value)""")
			.update();
		jdbc.sql(
				"""
						insert into rowqueue.process (worker_id, name, version, java, host, started_at, latest_succeeded, latest_seconds)
						values (33, 'web-1:16', '1.41', '21', 'web-1', now() - interval '2 days', 0, 60),
							(34, 'web-1:17', '1.42', '21', 'web-1', now() - interval '20 minutes', 120, 60)""")
			.update();
		jdbc.sql(
				"""
						insert into rowqueue.error_group (id, type, first_at, last_at, last_job, failures, sample)
						values (42, 'welcome-mail', now() - interval '1 hour', now(), 7, 3, 'com.acme.Refused: card ' || ? || E'\\n\\tat com.acme.Mail')""")
			.param(Hosts.PAYLOAD)
			.update();
	}

	@AfterAll
	static void stop() {
		host.close();
	}

	@Test
	void aChartHasGapsWhereNothingWasMeasuredAndZerosWhereNothingHappened() {
		JsonNode figures = get("figures?queue=mail", READ);
		JsonNode succeeded = figures.get("series").get("succeeded");
		assertThat(succeeded).hasSize(60);
		assertThat(succeeded.get(5).isNull()).isTrue();
		assertThat(succeeded.get(25).asDouble()).isZero();
		assertThat(succeeded.get(50).asDouble()).isEqualTo(60);
		assertThat(figures.get("series").get("waiting").get(50).asDouble()).isEqualTo(100);
		assertThat(figures.get("series").get("run.p95").get(50).asDouble()).isBetween(700.0, 1100.0);
	}

	@Test
	void aNumberOfJobsIsPerMinuteInEveryRange() {
		for (String range : List.of("1h", "6h", "24h", "7d", "90d")) {
			JsonNode figures = get("figures?range=" + range, READ);
			assertThat(figures.get("times").size()).as(range).isBetween(60, 400);
			// 60, and more in an interval that has not ended
			assertThat(values(figures.get("series").get("succeeded"))).as(range).allMatch((value) -> value <= 75);
			assertThat(values(figures.get("series").get("succeeded"))).as(range).anyMatch((value) -> value > 0);
		}
		assertThat(host.get("/rowqueue/api/figures?range=2h", READ).statusCode()).isEqualTo(400);
		assertThat(host.get("/rowqueue/api/figures?queue=a&type=b", READ).statusCode()).isEqualTo(400);
	}

	@Test
	void aMarkIsWhereAVersionStarted() {
		JsonNode marks = get("figures", READ).get("marks");
		assertThat(marks).hasSize(1);
		assertThat(marks.get(0).get("version").asString()).isEqualTo("1.42");
	}

	@Test
	void queuesTypesAndWorkersHaveTheirRates() {
		assertThat(get("queues/mail", READ).get("queue").get("rates").get("perMinute")).hasSize(30);
		assertThat(get("overview", READ).get("rates").get("endedPerMinute").asDouble()).isEqualTo(66);
		JsonNode worker = get("workers/34", READ).get("worker");
		assertThat(worker.get("version").asString()).isEqualTo("1.42");
		assertThat(worker.get("rates").get("succeededPerMinute").asDouble()).isEqualTo(120);
	}

	@Test
	void theMessageOfAnErrorIsSearchedForThoseWhoMaySeeIt() {
		assertThat(get("errors?q=" + Hosts.PAYLOAD, READ).get("items")).isEmpty();
		assertThat(get("errors?q=" + Hosts.PAYLOAD, PAYLOADS).get("items")).hasSize(1);
		assertThat(get("errors?q=refused", READ).get("items")).hasSize(1);
		assertThat(get("errors?q=" + GROUP, READ).get("items")).hasSize(1);
		assertThat(get("errors?q=nowhere", PAYLOADS).get("page").get("next").isNull()).isTrue();
	}

	@Test
	void theMessageOfAnErrorNeedsTheRightToSeePayloads() {
		assertThat(host.get("/rowqueue/api/errors", READ).body()).contains("com.acme.Refused")
			.doesNotContain(Hosts.PAYLOAD);
		assertThat(host.get("/rowqueue/api/errors/" + GROUP, READ).body()).doesNotContain(Hosts.PAYLOAD);
		assertThat(host.get("/rowqueue/api/errors/" + GROUP, PAYLOADS).body()).contains(Hosts.PAYLOAD);
		assertThat(host.get("/rowqueue/api/errors/ffff", READ).statusCode()).isEqualTo(404);
		for (String query : List.of("status=odd", "cursor=odd", "text=odd")) {
			assertThat(host.get("/rowqueue/api/errors?" + query, READ).statusCode()).as(query).isEqualTo(400);
		}
	}

	/** An exception can describe itself in any words, without its class. */
	@Test
	void anErrorWithoutAClassIsAMessage() {
		String words = "ada@example.org has no account";
		JdbcClient jdbc = host.jdbc();
		jdbc.sql("""
				insert into rowqueue.error_group (id, type, first_at, last_at, last_job, failures, sample)
				values (43, 'welcome-mail', now() - interval '1 hour', now(), 8, 1, ? || E'\n\tat com.acme.Mail')""")
			.param(words)
			.update();
		try {
			assertThat(host.get("/rowqueue/api/errors", READ).body()).doesNotContain(words);
			assertThat(host.get("/rowqueue/api/errors/2b", READ).body()).doesNotContain(words);
			assertThat(get("errors?q=ada", READ).get("items")).isEmpty();
			assertThat(get("errors?q=ada", PAYLOADS).get("items")).hasSize(1);
			assertThat(host.get("/rowqueue/api/errors/2b", PAYLOADS).body()).contains(words);
		}
		finally {
			jdbc.sql("delete from rowqueue.error_group where id = 43").update();
		}
	}

	@Test
	void anErrorIsResolvedIgnoredReopenedAndNoted() {
		for (String action : List.of("resolve", "ignore", "reopen")) {
			assertThat(host.post("/rowqueue/api/errors/" + GROUP, "{\"action\": \"" + action + "\"}", OPERATE)
				.statusCode()).as(action).isEqualTo(200);
			String status = Map.of("resolve", "resolved", "ignore", "ignored", "reopen", "open").get(action);
			assertThat(get("errors?status=" + status, READ).get("items")).as(action).hasSize(1);
		}
		host.post("/rowqueue/api/errors/" + GROUP, "{\"action\": \"note\", \"reason\": \"known\"}", OPERATE);
		assertThat(get("errors/" + GROUP, READ).get("error").get("note").asString()).isEqualTo("known");
		assertThat(host.post("/rowqueue/api/errors/ffff", "{\"action\": \"resolve\"}", OPERATE).statusCode())
			.isEqualTo(404);
	}

	/** A job that failed with another error is not touched. */
	@Test
	void theFailedJobsOfAnErrorAreRetriedTogether() {
		host.jdbc()
			.sql("""
					with failed as (
						insert into rowqueue.job (run_at, order_at, leased_at, state, queue, type, attempt, last_error)
						select now(), now(), now() - n * interval '1 second', 'failed', 'mail', 'welcome-mail', 1, 'x'
						from generate_series(1, 4) n returning id, leased_at)
					insert into rowqueue.job_failure (job_id, failed_at, leased_at, attempt, error, error_group)
					select id, now(), leased_at, 1, 'x', case when row_number() over (order by id) < 4 then 42 else 43 end from failed""")
			.update();
		assertThat(get("errors/" + GROUP, READ).get("failed").get("value").asInt()).isEqualTo(3);
		JsonNode outcome = Host.json(host.post("/rowqueue/api/errors/" + GROUP, "{\"action\": \"retry\"}", OPERATE));
		assertThat(outcome.get("affected").asInt()).isEqualTo(3);
		assertThat(get("errors/" + GROUP, READ).get("failed").get("value").asInt()).isZero();
		assertThat(get("operations?kind=errors", READ).get("items").get(0).get("action").asString()).isEqualTo("retry");
	}

	@Test
	void aLaneShowsHowLongItsFirstJobWasDue() {
		JsonNode lane = get("lanes", READ).get("items").get(0);
		assertThat(lane.get("type").asString()).isEqualTo("welcome-mail");
		assertThat(lane.get("agesMs")).hasSize(60);
		assertThat(lane.get("agesMs").get(50).asLong()).isEqualTo(61_000);
		assertThat(lane.get("agesMs").get(5).isNull()).isTrue();
	}

	@Test
	void theCalendarHasWindowsAndRecurringJobs() {
		JsonNode calendar = get("calendar?days=7&from=2026-03-27T00:00:00Z", READ);
		JsonNode night = calendar.get("windows").get(0);
		assertThat(night.get("seconds").get(0).asInt()).isZero();
		assertThat(night.get("seconds").get(1).asInt()).isEqualTo(6 * 3600);
		JsonNode nightly = calendar.get("schedules").get(0);
		assertThat(values(nightly.get("seconds")).stream().map((seconds) -> seconds / 60))
			.as("the clocks go forward on the third day")
			.containsExactly(120.0, 1560.0, 2940.0, 4380.0, 5820.0, 7260.0, 8700.0);
		assertThat(host.get("/rowqueue/api/calendar?from=tomorrow", READ).statusCode()).isEqualTo(400);
	}

	@Test
	void theLatestVersionIsComparedWithTheOneBefore() {
		JsonNode versions = get("versions", READ);
		assertThat(versions.get("a").asString()).isEqualTo("1.41");
		assertThat(versions.get("b").asString()).isEqualTo("1.42");
		assertThat(versions.get("items")).hasSize(2);
	}

	@Test
	void aLaneSaysHowMuchItsOrderTolerates() {
		host.jdbc()
			.sql("""
					insert into rowqueue.job (queue, type, state, run_at, order_at, priority)
					select 'urgent', 'welcome-mail', 'queued', now(), now() + interval '1 minute', n % 3 from generate_series(1, 30) n""")
			.update();
		host.jdbc().sql("""
				insert into rowqueue.pause (kind, name, paused_at) values ('queue', 'urgent', now())""").update();
		assertThat(get("lanes", READ).get("now")).filteredOn((lane) -> lane.get("queue").asString().equals("urgent"))
			.hasSize(3)
			.allSatisfy((lane) -> assertThat(lane.get("toleranceMs").asLong()).isEqualTo(60_000));
	}

	private static JsonNode get(String path, String[] headers) {
		return Host.json(host.get("/rowqueue/api/" + path, headers));
	}

	private static List<Double> values(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false)
			.filter((value) -> !value.isNull())
			.map(JsonNode::asDouble)
			.toList();
	}

}
