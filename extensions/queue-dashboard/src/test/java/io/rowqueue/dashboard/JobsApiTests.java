package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs over HTTP: lists, one of them, what can be done with it, and its record. */
class JobsApiTests {

	private static final String JOBS = "/rowqueue/api/jobs";

	private static final String[] READ = { Hosts.LEVEL, "read" };

	private static final String[] OPERATE = { Hosts.LEVEL, "operate" };

	private static final String[] PAYLOADS = { Hosts.LEVEL, "payloads" };

	private final Host host = Hosts.of(Host.Kind.SERVLET);

	@Test
	void listsJobsInPages() {
		List<Long> enqueued = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			enqueued.add(enqueue("listed"));
		}
		JsonNode first = json(this.host.get(JOBS + "?type=listed&state=queued&limit=3", READ));
		assertThat(ids(first)).isEqualTo(enqueued.subList(0, 3));
		assertThat(first.at("/items/0/state").asString()).isEqualTo("queued");
		assertThat(first.at("/items/0/dueAt").asString()).endsWith("Z");
		String cursor = first.at("/page/next").asString();
		JsonNode second = json(this.host.get(JOBS + "?type=listed&state=queued&limit=3&cursor=" + cursor, READ));
		assertThat(ids(second)).isEqualTo(enqueued.subList(3, 5));
		assertThat(second.at("/page/next").isNull()).isTrue();
		JsonNode count = json(this.host.get(JOBS + "/count?type=listed", READ));
		assertThat(count.at("/count/value").asInt()).isEqualTo(5);
		assertThat(count.at("/count/kind").asString()).isEqualTo("exact");
	}

	@Test
	void refusesWhatMakesNoSense() {
		for (String query : List.of("?sate=failed", "?state=fail", "?state=failed&state=succeeded", "?limit=0",
				"?limit=9999", "?cursor=none", "?id=x")) {
			HttpResponse<String> response = this.host.get(JOBS + query, READ);
			assertThat(response.statusCode()).as(query).isEqualTo(400);
			assertThat(response.body()).as(query).contains("urn:rowqueue:problem:invalid-request");
		}
		assertThat(this.host.get(JOBS + "/4711", READ).statusCode()).isEqualTo(404);
	}

	@Test
	void aListSaysWhyItsJobsWait() {
		this.host.bean(JobQueue.class).enqueue(JobRequest.of("nobody-runs-it").queue("why"));
		this.host.bean(JobQueue.class).enqueue(JobRequest.of("nobody-runs-it").queue("why").delay(Duration.ofHours(1)));
		JsonNode waiting = json(this.host.get(JOBS + "?queue=why&state=queued", READ)).at("/items/0/verdict");
		assertThat(waiting.get("code").asString()).startsWith("NO_WORKER");
		assertThat(waiting.get("text").asString()).endsWith(".");
		assertThat(json(this.host.get(JOBS + "?queue=why&state=scheduled", READ)).at("/items/0/verdict").isNull())
			.isTrue();
	}

	@Test
	void aListHasTheBeginningOfEachPayloadForThoseWhoMaySeeIt() {
		this.host.bean(JobQueue.class).enqueue(JobRequest.of("with-payload", "a".repeat(500)).queue("previews"));
		JsonNode shown = json(this.host.get(JOBS + "?queue=previews", PAYLOADS)).at("/items/0/payload");
		assertThat(shown.get("text").asString()).isEqualTo("\"" + "a".repeat(119));
		assertThat(shown.get("truncated").asBoolean()).isTrue();
		JsonNode hidden = json(this.host.get(JOBS + "?queue=previews", READ)).at("/items/0/payload");
		assertThat(hidden.get("hidden").asBoolean()).isTrue();
		this.host.bean(JobQueue.class)
			.enqueue(JobRequest.of("large-payload", "b".repeat(5000)).queue("previews-large"));
		assertThat(json(this.host.get(JOBS + "?queue=previews-large", PAYLOADS)).at("/items/0/payload").isNull())
			.isTrue();
	}

	/** A spreadsheet would run a cell that looks like a formula. */
	@Test
	void aListIsExported() {
		for (String type : List.of("=1+1", "+1", "-1", "@a", "a,\"b\"")) {
			this.host.bean(JobQueue.class).enqueue(JobRequest.of(type, Hosts.PAYLOAD).queue("exported"));
		}
		HttpResponse<String> csv = this.host.get(JOBS + "/export?format=csv&queue=exported", READ);
		assertThat(Host.header(csv, "Content-Type")).startsWith("text/csv");
		assertThat(Host.header(csv, "Content-Disposition")).contains("jobs.csv");
		assertThat(csv.body().lines()).hasSize(6);
		assertThat(csv.body()).startsWith("id,type,queue,state")
			.contains(",'=1+1,", ",'+1,", ",'-1,", ",'@a,", ",\"a,\"\"b\"\"\",")
			.doesNotContain(Hosts.PAYLOAD);
		HttpResponse<String> lines = this.host.get(JOBS + "/export?format=ndjson&queue=exported", READ);
		assertThat(lines.body().lines()).hasSize(5)
			.allSatisfy((line) -> assertThat(line).contains("\"queue\":\"exported\""));
		assertThat(this.host.get(JOBS + "/export?format=xml", READ).statusCode()).isEqualTo(400);
	}

	/** In many countries, a spreadsheet ends a cell at a semicolon. */
	@Test
	void noCellOfAnExportIsAFormulaWhateverSeparatesCells() {
		for (String type : List.of("a;=1+1;b", "a;\"=1+1", "a;@b", "a;b-1=2")) {
			this.host.bean(JobQueue.class).enqueue(JobRequest.of(type, Hosts.PAYLOAD).queue("separated"));
		}
		String csv = this.host.get(JOBS + "/export?format=csv&queue=separated", READ).body();
		assertThat(csv).contains(",a;'=1+1;b,", ",\"a;\"\"'=1+1\",", ",a;'@b,", ",a;b-1=2,");
		for (String separator : List.of(",", ";", "\t")) {
			assertThat(csv.lines().flatMap((line) -> Stream.of(line.split(separator)))).as(separator)
				.noneMatch((cell) -> cell.matches("\"*[=+@-].*"));
		}
	}

	@Test
	void aListLeavesOutWhatIsExcluded() {
		long kept = enqueue("kept");
		enqueue("excluded");
		assertThat(ids(json(this.host.get(JOBS + "?state=queued&type=kept&type=excluded&-type=excluded", READ))))
			.contains(kept)
			.hasSameSizeAs(ids(json(this.host.get(JOBS + "?state=queued&type=kept", READ))));
		assertThat(ids(json(this.host.get(JOBS + "?type=kept&-state=queued", READ)))).isEmpty();
		assertThat(ids(json(this.host.get(JOBS + "?type=kept&attempt=%3E0", READ)))).isEmpty();
		assertThat(ids(json(this.host.get(JOBS + "?type=kept&error=00000000000000ab", READ)))).isEmpty();
	}

	/** Else a searcher could find out what he may not see. */
	@Test
	void hiddenTextsCannotBeSearched() {
		for (String query : List.of("?q=" + Hosts.PAYLOAD, "?key=a", "?limitKey=a", "?error=a", "?-error=a")) {
			assertThat(this.host.get(JOBS + query, READ).statusCode()).as(query).isEqualTo(403);
			assertThat(this.host.get(JOBS + "/export" + query, READ).statusCode()).as(query).isEqualTo(403);
			assertThat(this.host.get(JOBS + "/count" + query, READ).statusCode()).as(query).isEqualTo(403);
			assertThat(this.host.get(JOBS + query, PAYLOADS).statusCode()).as(query).isEqualTo(200);
		}
		assertThat(ids(json(this.host.get(JOBS + "?q=" + Hosts.PAYLOAD, PAYLOADS)))).isNotEmpty();
	}

	@Test
	void tagsAndHeadersLeadToAJobOnlyForThoseWhoMaySeeThem() {
		long id = this.host.bean(JobQueue.class)
			.enqueue(JobRequest.of("one").tags("customer:" + Hosts.PAYLOAD).header("tenant", Hosts.PAYLOAD))
			.id();
		for (String query : List.of("?tag=customer:" + Hosts.PAYLOAD, "?header=tenant%3D" + Hosts.PAYLOAD)) {
			assertThat(this.host.get(JOBS + query, READ).statusCode()).as(query).isEqualTo(403);
			assertThat(ids(json(this.host.get(JOBS + query, PAYLOADS)))).contains(id);
		}
		assertThat(this.host.get(JOBS + "/" + id, READ).body()).contains("customer:******", "tenant")
			.doesNotContain(Hosts.PAYLOAD);
		assertThat(json(this.host.get(JOBS + "/" + id, PAYLOADS)).at("/related/tags/0/text").asString())
			.isEqualTo("customer:" + Hosts.PAYLOAD);
	}

	@Test
	void oneJobShowsWhatItsCallerMaySee() {
		long id = this.host.bean(JobQueue.class).enqueue(JobRequest.of("one", Hosts.PAYLOAD)).id();
		JsonNode job = json(this.host.get(JOBS + "/" + id, READ));
		assertThat(job.at("/job/type").asString()).isEqualTo("one");
		assertThat(job.at("/explanation/code").asString()).startsWith("NO_WORKER");
		assertThat(job.at("/hasPayload").asBoolean()).isTrue();
		assertThat(job.at("/actions")).isEmpty();
		assertThat(json(this.host.get(JOBS + "/" + id, OPERATE)).at("/actions").toString()).contains("cancel");
		assertThat(this.host.get(JOBS + "/" + id + "/payload", READ).body()).contains("\"hidden\":true")
			.doesNotContain(Hosts.PAYLOAD);
		assertThat(this.host.get(JOBS + "/" + id + "/payload", PAYLOADS).body()).contains(Hosts.PAYLOAD);
		assertThat(this.host.get(JOBS + "/" + id + "/result", PAYLOADS).statusCode()).isEqualTo(404);
		for (String part : List.of("timeline", "attempts", "steps", "log", "explanation")) {
			assertThat(this.host.get(JOBS + "/" + id + "/" + part, READ).statusCode()).as(part).isEqualTo(200);
		}
	}

	@Test
	void whatIsDoneToAJobIsRecorded() {
		long id = enqueue("acted");
		JsonNode done = json(this.host.post(JOBS + "/" + id, "{\"action\": \"prioritize\", \"priority\": 5}", OPERATE));
		assertThat(done.at("/outcome").asString()).isEqualTo("prioritized");
		JsonNode operation = json(this.host.get("/rowqueue/api/operations/" + done.at("/operation").asLong(), READ))
			.at("/operation");
		assertThat(operation.at("/via").asString()).isEqualTo("dashboard");
		assertThat(operation.at("/action").asString()).isEqualTo("prioritize");
		assertThat(operation.at("/kind").asString()).isEqualTo("jobs");
		assertThat(operation.at("/name").asString()).isEqualTo(String.valueOf(id));
		assertThat(operation.at("/state").asString()).isEqualTo("done");
		HttpResponse<String> refused = this.host.post(JOBS + "/" + id, "{\"action\": \"retry\"}", OPERATE);
		assertThat(refused.statusCode()).isEqualTo(409);
		JsonNode operations = json(this.host.get("/rowqueue/api/operations?kind=jobs&name=" + id, READ)).at("/items");
		assertThat(operations).extracting((each) -> each.at("/state").asString()).containsExactly("refused", "done");
		assertThat(this.host.get(JOBS + "/" + id + "/timeline", READ).body()).contains("prioritize by");
	}

	@Test
	void aJobThatHasChangedIsNotActedOn() {
		long id = enqueue("changed");
		String revision = json(this.host.get(JOBS + "/" + id, READ)).at("/revision").asString();
		String cancel = "{\"action\": \"cancel\", \"revision\": \"" + revision + "\"}";
		this.host.post(JOBS + "/" + id, "{\"action\": \"prioritize\", \"priority\": 5}", OPERATE);
		HttpResponse<String> stale = this.host.post(JOBS + "/" + id, cancel, OPERATE);
		assertThat(stale.statusCode()).isEqualTo(409);
		assertThat(stale.body()).contains("urn:rowqueue:problem:changed");
		assertThat(this.host.post(JOBS + "/" + id, "{\"action\": \"cancel\"}", READ).statusCode()).isEqualTo(403);
		assertThat(this.host.post(JOBS + "/" + id, "{\"action\": \"cancel\"}", OPERATE).statusCode()).isEqualTo(200);
		assertThat(ids(json(this.host.get(JOBS + "?state=cancelled&type=changed", READ)))).contains(id);
	}

	@Test
	void onlyWhoSeesTheStepsOfAJobRetriesItFromOne() {
		long id = enqueue("stepped");
		String retry = "{\"action\": \"retry\", \"step\": \"load\"}";
		assertThat(this.host.post(JOBS + "/" + id, retry, OPERATE).statusCode()).isEqualTo(403);
		assertThat(this.host.post(JOBS + "/" + id, "{\"action\": \"retry\"}", OPERATE).statusCode()).isEqualTo(409);
	}

	private long enqueue(String type) {
		return this.host.bean(JobQueue.class).enqueue(JobRequest.of(type)).id();
	}

	private static JsonNode json(HttpResponse<String> response) {
		return Host.json(response);
	}

	private static List<Long> ids(JsonNode page) {
		List<Long> ids = new ArrayList<>();
		page.at("/items").forEach((item) -> ids.add(item.at("/id").asLong()));
		return ids;
	}

}
