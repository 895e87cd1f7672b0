package io.rowqueue.dashboard;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Queue;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.flow.Flow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What answers have in common: headers, tags, problems, and what is hidden. */
class ResponsesTests {

	private static final String[] READ = { Hosts.LEVEL, "read" };

	private static final List<String> LISTS = List.of("session", "overview", "queues", "queues/mail", "types",
			"types/welcome-mail", "workers", "workers/34", "schedules", "schedules/nightly", "schedules/nightly/fires",
			"limits", "windows", "flows", "flows/1", "batches", "batches/1", "health", "figures", "errors", "lanes",
			"calendar", "versions");

	@ParameterizedTest
	@EnumSource
	void everyResponseHasTheHeaders(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String path : List.of("/rowqueue/", "/rowqueue", "/rowqueue/jobs/42", "/rowqueue/api/queues",
				"/rowqueue/api/nothing", "/rowqueue/assets/x/y.js")) {
			HttpResponse<String> response = host.get(path, READ);
			assertThat(Host.header(response, "Content-Security-Policy")).as(path)
				.contains("default-src 'none'")
				.contains("require-trusted-types-for 'script'")
				.contains("frame-ancestors 'none'")
				.doesNotContain("unsafe");
			assertThat(Host.header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
			assertThat(Host.header(response, "X-Frame-Options")).isEqualTo("DENY");
			assertThat(Host.header(response, "Referrer-Policy")).isEqualTo("no-referrer");
			assertThat(Host.header(response, "Cache-Control")).as("payloads do not get onto the disk")
				.isEqualTo("no-store");
		}
		assertThat(host.get("/elsewhere").headers().map()).doesNotContainKey("Content-Security-Policy");
	}

	@ParameterizedTest
	@EnumSource
	void everyAnswerHasTheTimeOfTheDatabase(Host.Kind kind) {
		for (String path : LISTS) {
			HttpResponse<String> response = Hosts.of(kind).get("/rowqueue/api/" + path, READ);
			assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
			assertThat(Host.json(response).get("at").asString()).as(path).endsWith("Z");
		}
	}

	@ParameterizedTest
	@EnumSource
	void whatHasNotChangedIsNotSentAgain(Host.Kind kind) {
		Host host = Hosts.of(kind);
		HttpResponse<String> first = host.get("/rowqueue/api/limits", READ);
		String tag = Host.header(first, "ETag");
		HttpResponse<String> second = host.get("/rowqueue/api/limits", Hosts.LEVEL, "read", "If-None-Match", tag);
		assertThat(second.statusCode()).isEqualTo(304);
		assertThat(second.body()).isEmpty();
		assertThat(Host.header(second, "ETag")).isEqualTo(tag);
		assertThat(host.get("/rowqueue/api/limits", Hosts.LEVEL, "read", "If-None-Match", "\"other\"").statusCode())
			.isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void anUnknownParameterIsRefused(Host.Kind kind) {
		for (String path : LISTS) {
			HttpResponse<String> response = Hosts.of(kind).get("/rowqueue/api/" + path + "?stat=failed", READ);
			assertThat(response.statusCode()).as(path).isEqualTo(400);
			assertThat(Host.header(response, "Content-Type")).startsWith("application/problem+json");
			assertThat(Host.json(response).get("errors").get(0).get("parameter").asString()).isEqualTo("stat");
		}
	}

	@ParameterizedTest
	@EnumSource
	void problemsAreWrittenAsTheStandardSays(Host.Kind kind) {
		Host host = Hosts.of(kind);
		problem(host.get("/rowqueue/api/nothing", READ), 404, "not-found");
		problem(host.get("/rowqueue/api/queues/unknown", READ), 404, "not-found");
		problem(host.get("/rowqueue/api/flows/x", READ), 404, "not-found");
		problem(host.get("/rowqueue/api/flows?state=odd", READ), 400, "invalid-request");
		problem(host.get("/rowqueue/api/schedules/nightly/fires?n=101", READ), 400, "invalid-request");
		problem(host.send("DELETE", "/rowqueue/api/queues/mail", null, READ), 405, "method-not-allowed");
		problem(host.post("/rowqueue/api/queues/mail", "{\"action\": \"explode\"}", Hosts.LEVEL, "admin"), 400,
				"invalid-request");
		problem(host.post("/rowqueue/api/queues/mail", "{\"acton\": \"pause\"}", Hosts.LEVEL, "admin"), 400,
				"invalid-request");
		for (String wrong : List.of("\"delayMs\": \"soon\"", "\"delayMs\": 1.5", "\"again\": 1", "\"reason\": []")) {
			HttpResponse<String> response = host.post("/rowqueue/api/queues/mail",
					"{\"action\": \"pause\", " + wrong + "}", Hosts.LEVEL, "admin");
			problem(response, 400, "invalid-request");
			assertThat(response.body()).contains(wrong.substring(1, 6));
		}
		problem(host.post("/rowqueue/api/queues/mail", "no json", Hosts.LEVEL, "admin"), 400, "invalid-request");
		problem(host.post("/rowqueue/api/queues/mail", "null", Hosts.LEVEL, "admin"), 400, "invalid-request");
		problem(host.post("/rowqueue/api/limits/queue/mail", "{\"action\": \"limit\", \"limit\": \"many\"}",
				Hosts.LEVEL, "admin"), 400, "invalid-request");
		HttpResponse<String> over = host.post("/rowqueue/api/operations/987654321", "{\"action\": \"stop\"}",
				Hosts.LEVEL, "admin");
		problem(over, 409, "conflict");
		assertThat(over.body()).doesNotContain("The job");
		problem(host.post("/rowqueue/api/queues/mail", "{\"reason\": \"" + "x".repeat(1024 * 1024) + "\"}", Hosts.LEVEL,
				"admin"), 413, "too-large");
	}

	@ParameterizedTest
	@EnumSource
	void whatIsSensitiveIsHiddenUnlessTheCallerMaySeePayloads(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String path : LISTS) {
			assertThat(host.get("/rowqueue/api/" + path, Hosts.LEVEL, "admin").body()).as(path)
				.doesNotContain(Hosts.PAYLOAD)
				.doesNotContain("\"" + Hosts.FLOW + "\"")
				.doesNotContain("\"" + Hosts.STEP + "\"")
				.doesNotContain("\"" + Hosts.BATCH + "\"");
		}
		JsonNode hidden = Host.json(host.get("/rowqueue/api/schedules/nightly", READ)).get("schedule").get("payload");
		assertThat(hidden.get("needs").asString()).isEqualTo("payloads");
		String[] payloads = { Hosts.LEVEL, "payloads" };
		assertThat(host.get("/rowqueue/api/schedules/nightly", payloads).body()).contains(Hosts.PAYLOAD);
		assertThat(host.get("/rowqueue/api/flows/1", payloads).body()).contains(Hosts.FLOW, Hosts.STEP);
		assertThat(host.get("/rowqueue/api/batches/1", payloads).body()).contains(Hosts.BATCH);
	}

	@ParameterizedTest
	@EnumSource
	void theJobsOfAFlowAreConnectedAlsoForThoseWhoDoNotSeeTheirNames(Host.Kind kind) {
		Host host = Hosts.of(kind);
		long flow = host.bean(JobQueue.class)
			.enqueue(Flow.named("connected")
				.job("load", JobRequest.of("row", Hosts.PAYLOAD))
				.job("store", JobRequest.of("row", Hosts.PAYLOAD))
				.after("load"))
			.id();
		JsonNode jobs = Host.json(host.get("/rowqueue/api/flows/" + flow, READ)).get("jobs");
		assertThat(jobs.toString()).doesNotContain("load", "store");
		assertThat(jobs.valueStream().map((job) -> job.get("predecessors").toString())).containsExactlyInAnyOrder("[]",
				"[" + (jobs.get(0).get("predecessors").isEmpty() ? 0 : 1) + "]");
	}

	/** The name of a shard could look like the beginning of an address. */
	@ParameterizedTest
	@EnumSource
	void aRedirectStaysBelowTheDashboard(Host.Kind kind) {
		for (String shard : List.of("https:elsewhere.example", "javascript:x", "eu")) {
			HttpResponse<String> response = Hosts.of(kind).get("/rowqueue/shards/" + shard, READ);
			assertThat(response.statusCode()).isEqualTo(308);
			assertThat(URI.create("http://here/rowqueue/shards/" + shard).resolve(Host.header(response, "Location")))
				.isEqualTo(URI.create("http://here/rowqueue/shards/" + shard + "/"));
		}
	}

	@ParameterizedTest
	@EnumSource
	void theCountsAreThoseOfTheMeasurement(Host.Kind kind) {
		JsonNode queue = Host.json(Hosts.of(kind).get("/rowqueue/api/queues/mail", READ)).get("queue");
		assertThat(queue.get("waiting").get("value").asLong()).isEqualTo(12);
		assertThat(queue.get("waiting").get("kind").asString()).isEqualTo("exact");
		assertThat(queue.get("jobs").get("failed").get("kind").asString()).isEqualTo("estimate");
		assertThat(queue.get("jobs").has("overdue")).isFalse();
		assertThat(queue.get("limit").get("text").asString()).isEqualTo("5, 100/1m");
		assertThat(queue.get("oldestMs").asLong()).isEqualTo(7_300_000);
	}

	/** The measurement names the queues with the oldest jobs. */
	@ParameterizedTest
	@EnumSource
	void aQueueThatWasNotMeasuredIsCounted(Host.Kind kind) {
		Host host = Hosts.of(kind);
		host.bean(JobQueue.class).enqueue(JobRequest.of("row", Hosts.PAYLOAD).queue("small"));
		JsonNode queue = Host.json(host.get("/rowqueue/api/queues/small", READ)).get("queue");
		assertThat(queue.get("waiting").get("value").asInt()).isPositive();
		assertThat(queue.get("waiting").get("kind").asString()).isEqualTo("exact");
	}

	@ParameterizedTest
	@EnumSource
	void aSessionSaysWhatTheCallerMay(Host.Kind kind) {
		JsonNode session = Host.json(Hosts.of(kind).get("/rowqueue/api/session", Hosts.LEVEL, "operate"));
		assertThat(session.get("levels").valueStream().map(JsonNode::asString)).containsExactly("read", "operate");
		assertThat(session.get("title").asString()).isEqualTo("shop");
		assertThat(session.get("csrf").isNull()).isTrue();
		assertThat(session.get("schema").get("installed")).isEqualTo(session.get("schema").get("library"));
	}

	@ParameterizedTest
	@EnumSource
	void anActionChangesTheQueueAndSaysSo(Host.Kind kind) {
		Host host = Hosts.of(kind);
		HttpResponse<String> paused = host.post("/rowqueue/api/queues/slow",
				"{\"action\": \"pause\", \"reason\": \"upgrade\"}", Hosts.LEVEL, "operate");
		assertThat(Host.json(paused).get("outcome").asString()).isEqualTo("paused");
		JsonNode queue = Host.json(host.get("/rowqueue/api/queues/slow", READ)).get("queue");
		assertThat(queue.get("pause").get("reason").asString()).isEqualTo("upgrade");
		assertThat(queue.get("pause").get("name").asString()).isEqualTo("slow");
		assertThat(Host.json(host.post("/rowqueue/api/queues/slow", "{\"action\": \"pause\"}", Hosts.LEVEL, "operate"))
			.get("outcome")
			.asString()).isEqualTo("unchanged");
		assertThat(Host.json(host.post("/rowqueue/api/queues/slow", "{\"action\": \"resume\"}", Hosts.LEVEL, "operate"))
			.get("outcome")
			.asString()).isEqualTo("resumed");
	}

	/** The settings of the application's mapper would change the API. */
	@ParameterizedTest
	@EnumSource
	void theApiHasAMapperOfItsOwn(Host.Kind kind) {
		JsonNode queues = Host.json(Hosts.of(kind).get("/rowqueue/api/queues", READ));
		assertThat(queues.has("staleAfterMs")).isTrue();
		assertThat(queues.get("items").get(0).has("rates")).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void anActionIsAudited(Host.Kind kind) {
		Host host = Hosts.of(kind);
		Queue<AuditEvent> events = host.bean(Hosts.AuditedEvents.class).events();
		events.clear();
		host.post("/rowqueue/api/queues/audited", "{\"action\": \"pause\", \"reason\": \"why\"}", Hosts.LEVEL,
				"operate");
		host.post("/rowqueue/api/flows/987654321", "{\"action\": \"cancel\"}", Hosts.LEVEL, "operate");
		host.post("/rowqueue/api/queues/audited", "{\"action\": \"resume\"}", Hosts.LEVEL, "operate");
		assertThat(events).extracting(AuditEvent::getType)
			.containsExactly("ROWQUEUE_PAUSE", "ROWQUEUE_CANCEL", "ROWQUEUE_RESUME");
		assertThat(events.peek().getPrincipal()).isEqualTo("anonymous");
		assertThat(events.peek().getData()).containsEntry("name", "audited")
			.containsEntry("reason", "why")
			.containsEntry("outcome", "done")
			.containsEntry("remoteAddress", "127.0.0.1");
	}

	/** Who tries what he may not do is seen. */
	@ParameterizedTest
	@EnumSource
	void aRefusedActionIsAudited(Host.Kind kind) {
		Host host = Hosts.of(kind);
		Queue<AuditEvent> events = host.bean(Hosts.AuditedEvents.class).events();
		events.clear();
		host.post("/rowqueue/api/jobs/1", "{\"action\": \"erase\"}", Hosts.LEVEL, "operate");
		host.send("POST", "/rowqueue/api/queues/a~0A", "{\"action\": \"pause\"}", Hosts.LEVEL, "operate");
		assertThat(events).extracting(AuditEvent::getType).containsExactly("ROWQUEUE_REFUSED", "ROWQUEUE_REFUSED");
		assertThat(events).extracting((event) -> event.getData().get("path"))
			.containsExactly("api/jobs/1", "api/queues/a~0A");
		assertThat(events.peek().getData()).containsEntry("reason", "This needs the level admin.")
			.containsEntry("via", "dashboard")
			.containsEntry("remoteAddress", "127.0.0.1");
		events.clear();
		host.post("/rowqueue/api/jobs/1", "{\"action\": \"erase\"}");
		assertThat(events).as("strangers fill no record").isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void whatIsHiddenFromOthersIsAuditedWhenItIsShown(Host.Kind kind) {
		Host host = Hosts.of(kind);
		long id = host.bean(JobQueue.class)
			.enqueue(JobRequest.of("audited", Hosts.PAYLOAD).queue("audited-reads"))
			.id();
		Queue<AuditEvent> events = host.bean(Hosts.AuditedEvents.class).events();
		events.clear();
		String payload = "/rowqueue/api/jobs/" + id + "/payload";
		host.get(payload, READ);
		host.get("/rowqueue/api/jobs/" + id, Hosts.LEVEL, "payloads");
		assertThat(events).isEmpty();
		String tag = Host.header(host.get(payload, Hosts.LEVEL, "payloads"), "ETag");
		assertThat(host.get(payload, Hosts.LEVEL, "payloads", "If-None-Match", tag).statusCode()).isEqualTo(304);
		host.get("/rowqueue/api/jobs/export?queue=audited-reads", Hosts.LEVEL, "payloads");
		assertThat(events).as("not again while a page polls")
			.extracting((event) -> event.getType() + " " + event.getData().get("path"))
			.containsExactly("ROWQUEUE_READ api/jobs/" + id + "/payload", "ROWQUEUE_READ api/jobs/export");
	}

	private static void problem(HttpResponse<String> response, int status, String code) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		assertThat(Host.header(response, "Content-Type")).startsWith("application/problem+json");
		assertThat(Host.json(response).get("type").asString()).isEqualTo("urn:rowqueue:problem:" + code);
	}

}
