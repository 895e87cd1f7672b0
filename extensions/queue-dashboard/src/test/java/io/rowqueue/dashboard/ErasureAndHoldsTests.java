package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Erasing jobs, holding them, weighting their keys, sending them signals; and workers.
 */
class ErasureAndHoldsTests {

	private static final String API = "/rowqueue/api/";

	private static final String[] ADMIN = { Hosts.LEVEL, "everything" };

	private final Host host = Hosts.of(Host.Kind.SERVLET);

	@Test
	void aJobIsErased() {
		long id = enqueue("erase:one");
		assertThat(post("jobs/" + id, "{\"action\": \"erase\"}").get("outcome").asString()).isEqualTo("erased");
		assertThat(this.host.get(API + "jobs/" + id, ADMIN).statusCode()).isEqualTo(404);
		assertThat(recorded("jobs", String.valueOf(id))).contains("erase");
	}

	@Test
	void allJobsOfATagAreErasedAfterAPreview() {
		long id = enqueue("erase:many");
		String target = "\"action\": \"erase\", \"target\": {\"filter\": \"state=scheduled&tag=erase%3Amany\"}";
		JsonNode preview = post("operations", "{" + target + ", \"dryRun\": true}");
		assertThat(preview.get("selected").get("value").asInt()).isEqualTo(1);
		assertThat(preview.get("sample").get(0).get("id").asLong()).isEqualTo(id);
		assertThat(this.host.post(API + "operations", "{" + target + ", \"dryRun\": true}", Hosts.LEVEL, "operate")
			.statusCode()).isEqualTo(403);
		assertThat(post("operations", "{" + target + "}").get("operation").asLong()).isPositive();
	}

	@Test
	void aLimitKeyIsHeldAndReleased() {
		String path = "limits/key/customer:42";
		post(path, "{\"action\": \"hold\", \"delayMs\": 600000, \"reason\": \"their API is down\"}");
		JsonNode hold = named(limits(ADMIN).get("holds"), "name", "customer:42");
		assertThat(hold.get("kind").asString()).isEqualTo("key");
		assertThat(hold.get("reason").asString()).isEqualTo("their API is down");
		assertThat(limits(Hosts.LEVEL, "read").get("holds").toString()).contains("customer:")
			.doesNotContain("customer:42");
		assertThat(post(path, "{\"action\": \"release\"}").get("outcome").asString()).isEqualTo("released");
		assertThat(limits(ADMIN).get("holds").toString()).doesNotContain("customer:42");
		assertThat(recorded("keys", "customer:42")).contains("hold", "release");
		assertThat(this.host.get(API + "operations?kind=keys", Hosts.LEVEL, "read").body()).contains("customer:")
			.doesNotContain("customer:42");
	}

	@Test
	void aKeyThatIsNotShownIsReleased() {
		JobLimits limits = this.host.bean(JobLimits.class);
		limits.hold(LimitKind.KEY, "customer:4711", Duration.ofHours(1), "unseen");
		JsonNode hold = null;
		for (JsonNode each : limits(Hosts.LEVEL, "operate").get("holds")) {
			hold = each.path("reason").asString("").equals("unseen") ? each : hold;
		}
		assertThat(hold).isNotNull();
		assertThat(hold.toString()).doesNotContain("4711");
		String path = API + "holds/" + hold.get("id").asString();
		String release = "{\"action\": \"release\"}";
		assertThat(this.host.post(path, release, Hosts.LEVEL, "read").statusCode()).isEqualTo(403);
		assertThat(limits.holds()).extracting(Hold::name).contains("customer:4711");
		HttpResponse<String> released = this.host.post(path, release, Hosts.LEVEL, "operate");
		assertThat(released.statusCode()).as(released.body()).isEqualTo(200);
		assertThat(released.body()).doesNotContain("4711");
		assertThat(limits.holds()).extracting(Hold::name).doesNotContain("customer:4711");
		assertThat(this.host.post(path, release, Hosts.LEVEL, "operate").statusCode()).isEqualTo(404);
		assertThat(this.host.post(path, "{\"action\": \"hold\"}", Hosts.LEVEL, "operate").statusCode()).isIn(400, 404);
	}

	@Test
	void aLimitOfAWholeKeyDoesNotShowTheKey() {
		JobLimits limits = this.host.bean(JobLimits.class);
		limits.set(LimitKind.KEY, "customer", Limit.of("5"));
		limits.set(LimitKind.KEY, "customer:911", Limit.of("1"));
		assertThat(limits(Hosts.LEVEL, "admin").get("items").findValuesAsString("name")).contains("customer")
			.anyMatch((name) -> name.startsWith("customer:"))
			.doesNotContain("customer:911");
		assertThat(limits(ADMIN).get("items").findValuesAsString("name")).contains("customer:911");
	}

	/** What a page offers to change, and to undo, says all of the limit. */
	@Test
	void aLimitThatIsSetAsItIsShownKeepsItsOrderAndItsBurst() {
		JobLimits limits = this.host.bean(JobLimits.class);
		Limit ordered = Limit.concurrency(1).rate(100, Duration.ofMinutes(1)).burst(20).ordered(true);
		limits.set(LimitKind.KEY, "account", ordered);
		String shown = limits(ADMIN).get("items")
			.valueStream()
			.filter((limit) -> limit.get("name").asString().equals("account"))
			.map((limit) -> limit.get("limit").get("text").asString())
			.findFirst()
			.orElseThrow();
		post("limits/key/account", "{\"action\": \"limit\", \"limit\": \"" + shown + "\"}");
		assertThat(limits.list()).filteredOn((limit) -> limit.name().equals("account"))
			.extracting(LimitView::limit)
			.containsExactly(ordered);
	}

	/** What has no colon is a class of keys only where it has a limit. */
	@Test
	void aKeyWithoutAColonIsShownToThoseWhoMaySeeKeys() {
		post("weights/acme", "{\"action\": \"weight\", \"weight\": 3}");
		post("limits/key/acme", "{\"action\": \"hold\", \"delayMs\": 600000}");
		post("limits/key/region", "{\"action\": \"limit\", \"limit\": \"5\"}");
		assertThat(this.host.get(API + "operations?kind=keys", Hosts.LEVEL, "admin").body()).contains("region")
			.doesNotContain("acme");
		assertThat(Host.json(this.host.get(API + "operations?kind=keys&name=acme", Hosts.LEVEL, "admin")).get("items"))
			.isEmpty();
		assertThat(Host.json(this.host.get(API + "operations?kind=keys&name=acme", ADMIN)).get("items")).hasSize(2);
		assertThat(
				Host.json(this.host.get(API + "operations?kind=keys&name=region", Hosts.LEVEL, "admin")).get("items"))
			.isNotEmpty();
		for (String path : List.of("limits/key/acme", "limits/key/other")) {
			assertThat(this.host.post(API + path, "{\"action\": \"release\"}", Hosts.LEVEL, "admin").statusCode())
				.as(path)
				.isEqualTo(403);
		}
		assertThat(
				this.host.post(API + "limits/key/a:b", "{\"action\": \"unlimit\"}", Hosts.LEVEL, "admin").statusCode())
			.isEqualTo(403);
		assertThat(this.host.post(API + "limits/key/region", "{\"action\": \"unlimit\"}", Hosts.LEVEL, "admin")
			.statusCode()).isEqualTo(200);
		post("limits/key/acme", "{\"action\": \"release\"}");
		post("weights/acme", "{\"action\": \"weight\", \"weight\": 1}");
	}

	/** Otherwise a key that is masked could be guessed. */
	@Test
	void whatWasDoneToAKeyIsFoundByThoseWhoMaySeeKeys() {
		String path = API + "operations?kind=keys&name=customer";
		assertThat(this.host.get(path + ":42", Hosts.LEVEL, "admin").statusCode()).isEqualTo(403);
		assertThat(this.host.get(path + ":42", ADMIN).statusCode()).isEqualTo(200);
		assertThat(this.host.get(path, Hosts.LEVEL, "read").statusCode()).isEqualTo(200);
	}

	@Test
	void whatWasDoneToAWorkerIsFound() {
		this.host.post(API + "workers/999", "{\"action\": \"quiet\"}", ADMIN);
		assertThat(Host.json(this.host.get(API + "operations?kind=workers&name=999", ADMIN))
			.get("items")
			.get(0)
			.get("action")).hasToString("\"quiet\"");
	}

	@Test
	void aFairnessKeyGetsAWeight() {
		post("weights/tenant:7", "{\"action\": \"weight\", \"weight\": 3}");
		assertThat(this.host.bean(JobLimits.class).weights()).containsEntry("tenant:7", 3);
		assertThat(named(limits(ADMIN).get("weights"), "key", "tenant:7").get("weight").asInt()).isEqualTo(3);
		assertThat(recorded("keys", "tenant:7")).contains("has the weight 3");
		for (String wrong : List.of("{\"action\": \"weight\"}", "{\"action\": \"weight\", \"weight\": 101}",
				"{\"action\": \"weight\", \"weight\": 0}", "{\"action\": \"limit\", \"limit\": \"5\"}")) {
			assertThat(this.host.post(API + "weights/tenant:7", wrong, ADMIN).statusCode()).as(wrong).isEqualTo(400);
		}
		post("weights/tenant:7", "{\"action\": \"weight\", \"weight\": 1}");
		assertThat(this.host.bean(JobLimits.class).weights()).doesNotContainKey("tenant:7");
	}

	@Test
	void aJobIsSentASignal() {
		long id = enqueue("signal:one");
		String signal = "{\"action\": \"signal\", \"signal\": \"approved\", \"payload\": \"{\\\"by\\\": \\\"ada\\\"}\"}";
		assertThat(post("jobs/" + id, signal).get("outcome").asString()).isEqualTo("signalled");
		assertThat(post("jobs/" + id, signal).get("outcome").asString()).isEqualTo("unchanged");
		assertThat(this.host.jdbc()
			.sql("select payload ->> 'by' from rowqueue.job_signal where job_id = ?")
			.param(id)
			.query(String.class)
			.single()).isEqualTo("ada");
		assertThat(recorded("jobs", String.valueOf(id))).contains("approved", "13 characters").doesNotContain("ada");
		for (String wrong : List.of("{\"action\": \"signal\"}", "{\"action\": \"signal\", \"signal\": \" \"}",
				"{\"action\": \"signal\", \"signal\": \"other\", \"payload\": \"{oops\"}",
				"{\"action\": \"signal\", \"signal\": \"" + "x".repeat(201) + "\"}")) {
			assertThat(this.host.post(API + "jobs/" + id, wrong, ADMIN).statusCode()).as(wrong).isEqualTo(400);
		}
		assertThat(this.host.post(API + "jobs/987654321", signal, ADMIN).statusCode()).isEqualTo(404);
	}

	private long enqueue(String tag) {
		return this.host.bean(JobQueue.class)
			.enqueue(JobRequest.of("erased", Hosts.PAYLOAD).queue("later").tags(tag).delay(Duration.ofHours(1)))
			.id();
	}

	private JsonNode post(String path, String body) {
		HttpResponse<String> response = this.host.post(API + path, body, ADMIN);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return Host.json(response);
	}

	private JsonNode limits(String... headers) {
		return Host.json(this.host.get(API + "limits", headers));
	}

	private static JsonNode named(JsonNode list, String field, String name) {
		for (JsonNode each : list) {
			if (each.get(field).path("text").asString("").equals(name)) {
				return each;
			}
		}
		throw new AssertionError(name + " is not in " + list);
	}

	private String recorded(String kind, String name) {
		return Awaitility.await()
			.until(() -> this.host.jdbc()
				.sql("select coalesce(string_agg(o::text, ' '), '') from rowqueue.operation o where kind = ? and name = ?")
				.params(kind, name)
				.query(String.class)
				.single(), (text) -> !text.isEmpty());
	}

}
