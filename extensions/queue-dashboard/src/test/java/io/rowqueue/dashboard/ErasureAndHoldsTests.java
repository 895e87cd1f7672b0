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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Erasing jobs, holding them, weighting their keys, sending them signals; and workers.
 */
class ErasureAndHoldsTests {

	private static final String API = "/rowqueue/api/";

	private static final String[] ADMIN = { Hosts.LEVEL, "everything" };

	@ParameterizedTest
	@EnumSource
	void aJobIsErased(Host.Kind kind) {
		Host host = Hosts.of(kind);
		long id = enqueue(host, "erase:one");
		assertThat(post(host, "jobs/" + id, "{\"action\": \"erase\"}").get("outcome").asString()).isEqualTo("erased");
		assertThat(host.get(API + "jobs/" + id, ADMIN).statusCode()).isEqualTo(404);
		assertThat(recorded(host, "jobs", String.valueOf(id))).contains("erase");
	}

	@ParameterizedTest
	@EnumSource
	void allJobsOfATagAreErasedAfterAPreview(Host.Kind kind) {
		Host host = Hosts.of(kind);
		long id = enqueue(host, "erase:many");
		String target = "\"action\": \"erase\", \"target\": {\"filter\": \"state=scheduled&tag=erase%3Amany\"}";
		JsonNode preview = post(host, "operations", "{" + target + ", \"dryRun\": true}");
		assertThat(preview.get("selected").get("value").asInt()).isEqualTo(1);
		assertThat(preview.get("sample").get(0).get("id").asLong()).isEqualTo(id);
		assertThat(host.post(API + "operations", "{" + target + ", \"dryRun\": true}", Hosts.LEVEL, "operate")
			.statusCode()).isEqualTo(403);
		assertThat(post(host, "operations", "{" + target + "}").get("operation").asLong()).isPositive();
	}

	@ParameterizedTest
	@EnumSource
	void aLimitKeyIsHeldAndReleased(Host.Kind kind) {
		Host host = Hosts.of(kind);
		String path = "limits/key/customer:42";
		post(host, path, "{\"action\": \"hold\", \"delayMs\": 600000, \"reason\": \"their API is down\"}");
		JsonNode hold = named(limits(host, ADMIN).get("holds"), "name", "customer:42");
		assertThat(hold.get("kind").asString()).isEqualTo("key");
		assertThat(hold.get("reason").asString()).isEqualTo("their API is down");
		assertThat(limits(host, Hosts.LEVEL, "read").get("holds").toString()).contains("customer:")
			.doesNotContain("customer:42");
		assertThat(post(host, path, "{\"action\": \"release\"}").get("outcome").asString()).isEqualTo("released");
		assertThat(limits(host, ADMIN).get("holds").toString()).doesNotContain("customer:42");
		assertThat(recorded(host, "keys", "customer:42")).contains("hold", "release");
		assertThat(host.get(API + "operations?kind=keys", Hosts.LEVEL, "read").body()).contains("customer:")
			.doesNotContain("customer:42");
	}

	@ParameterizedTest
	@EnumSource
	void aKeyThatIsNotShownIsReleased(Host.Kind kind) {
		Host host = Hosts.of(kind);
		JobLimits limits = host.bean(JobLimits.class);
		limits.hold(LimitKind.KEY, "customer:4711", Duration.ofHours(1), "unseen");
		JsonNode hold = null;
		for (JsonNode each : limits(host, Hosts.LEVEL, "operate").get("holds")) {
			hold = each.path("reason").asString("").equals("unseen") ? each : hold;
		}
		assertThat(hold).isNotNull();
		assertThat(hold.toString()).doesNotContain("4711");
		String path = API + "holds/" + hold.get("id").asString();
		String release = "{\"action\": \"release\"}";
		assertThat(host.post(path, release, Hosts.LEVEL, "read").statusCode()).isEqualTo(403);
		assertThat(limits.holds()).extracting(Hold::name).contains("customer:4711");
		HttpResponse<String> released = host.post(path, release, Hosts.LEVEL, "operate");
		assertThat(released.statusCode()).as(released.body()).isEqualTo(200);
		assertThat(released.body()).doesNotContain("4711");
		assertThat(limits.holds()).extracting(Hold::name).doesNotContain("customer:4711");
		assertThat(host.post(path, release, Hosts.LEVEL, "operate").statusCode()).isEqualTo(404);
		assertThat(host.post(path, "{\"action\": \"hold\"}", Hosts.LEVEL, "operate").statusCode()).isIn(400, 404);
	}

	@ParameterizedTest
	@EnumSource
	void aLimitOfAWholeKeyDoesNotShowTheKey(Host.Kind kind) {
		Host host = Hosts.of(kind);
		JobLimits limits = host.bean(JobLimits.class);
		limits.set(LimitKind.KEY, "customer", Limit.of("5"));
		limits.set(LimitKind.KEY, "customer:911", Limit.of("1"));
		assertThat(limits(host, Hosts.LEVEL, "admin").get("items").findValuesAsString("name")).contains("customer")
			.anyMatch((name) -> name.startsWith("customer:"))
			.doesNotContain("customer:911");
		assertThat(limits(host, ADMIN).get("items").findValuesAsString("name")).contains("customer:911");
	}

	/** What a page offers to change, and to undo, says all of the limit. */
	@ParameterizedTest
	@EnumSource
	void aLimitThatIsSetAsItIsShownKeepsItsOrderAndItsBurst(Host.Kind kind) {
		Host host = Hosts.of(kind);
		JobLimits limits = host.bean(JobLimits.class);
		Limit ordered = Limit.concurrency(1).rate(100, Duration.ofMinutes(1)).burst(20).ordered(true);
		limits.set(LimitKind.KEY, "account", ordered);
		String shown = limits(host, ADMIN).get("items")
			.valueStream()
			.filter((limit) -> limit.get("name").asString().equals("account"))
			.map((limit) -> limit.get("limit").get("text").asString())
			.findFirst()
			.orElseThrow();
		post(host, "limits/key/account", "{\"action\": \"limit\", \"limit\": \"" + shown + "\"}");
		assertThat(limits.list()).filteredOn((limit) -> limit.name().equals("account"))
			.extracting(LimitView::limit)
			.containsExactly(ordered);
	}

	/** What has no colon is a class of keys only where it has a limit. */
	@ParameterizedTest
	@EnumSource
	void aKeyWithoutAColonIsShownToThoseWhoMaySeeKeys(Host.Kind kind) {
		Host host = Hosts.of(kind);
		post(host, "weights/acme", "{\"action\": \"weight\", \"weight\": 3}");
		post(host, "limits/key/acme", "{\"action\": \"hold\", \"delayMs\": 600000}");
		post(host, "limits/key/region", "{\"action\": \"limit\", \"limit\": \"5\"}");
		assertThat(host.get(API + "operations?kind=keys", Hosts.LEVEL, "admin").body()).contains("region")
			.doesNotContain("acme");
		assertThat(Host.json(host.get(API + "operations?kind=keys&name=acme", Hosts.LEVEL, "admin")).get("items"))
			.isEmpty();
		assertThat(Host.json(host.get(API + "operations?kind=keys&name=acme", ADMIN)).get("items")).hasSize(2);
		assertThat(Host.json(host.get(API + "operations?kind=keys&name=region", Hosts.LEVEL, "admin")).get("items"))
			.isNotEmpty();
		for (String path : List.of("limits/key/acme", "limits/key/other")) {
			assertThat(host.post(API + path, "{\"action\": \"release\"}", Hosts.LEVEL, "admin").statusCode()).as(path)
				.isEqualTo(403);
		}
		assertThat(host.post(API + "limits/key/a:b", "{\"action\": \"unlimit\"}", Hosts.LEVEL, "admin").statusCode())
			.isEqualTo(403);
		assertThat(host.post(API + "limits/key/region", "{\"action\": \"unlimit\"}", Hosts.LEVEL, "admin").statusCode())
			.isEqualTo(200);
		post(host, "limits/key/acme", "{\"action\": \"release\"}");
		post(host, "weights/acme", "{\"action\": \"weight\", \"weight\": 1}");
	}

	/** Otherwise a key that is masked could be guessed. */
	@ParameterizedTest
	@EnumSource
	void whatWasDoneToAKeyIsFoundByThoseWhoMaySeeKeys(Host.Kind kind) {
		Host host = Hosts.of(kind);
		String path = API + "operations?kind=keys&name=customer";
		assertThat(host.get(path + ":42", Hosts.LEVEL, "admin").statusCode()).isEqualTo(403);
		assertThat(host.get(path + ":42", ADMIN).statusCode()).isEqualTo(200);
		assertThat(host.get(path, Hosts.LEVEL, "read").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void whatWasDoneToAWorkerIsFound(Host.Kind kind) {
		Host host = Hosts.of(kind);
		host.post(API + "workers/999", "{\"action\": \"quiet\"}", ADMIN);
		assertThat(
				Host.json(host.get(API + "operations?kind=workers&name=999", ADMIN)).get("items").get(0).get("action"))
			.hasToString("\"quiet\"");
	}

	@ParameterizedTest
	@EnumSource
	void aFairnessKeyGetsAWeight(Host.Kind kind) {
		Host host = Hosts.of(kind);
		post(host, "weights/tenant:7", "{\"action\": \"weight\", \"weight\": 3}");
		assertThat(host.bean(JobLimits.class).weights()).containsEntry("tenant:7", 3);
		assertThat(named(limits(host, ADMIN).get("weights"), "key", "tenant:7").get("weight").asInt()).isEqualTo(3);
		assertThat(recorded(host, "keys", "tenant:7")).contains("has the weight 3");
		for (String wrong : List.of("{\"action\": \"weight\"}", "{\"action\": \"weight\", \"weight\": 101}",
				"{\"action\": \"weight\", \"weight\": 0}", "{\"action\": \"limit\", \"limit\": \"5\"}")) {
			assertThat(host.post(API + "weights/tenant:7", wrong, ADMIN).statusCode()).as(wrong).isEqualTo(400);
		}
		post(host, "weights/tenant:7", "{\"action\": \"weight\", \"weight\": 1}");
		assertThat(host.bean(JobLimits.class).weights()).doesNotContainKey("tenant:7");
	}

	@ParameterizedTest
	@EnumSource
	void aJobIsSentASignal(Host.Kind kind) {
		Host host = Hosts.of(kind);
		long id = enqueue(host, "signal:one");
		String signal = "{\"action\": \"signal\", \"signal\": \"approved\", \"payload\": \"{\\\"by\\\": \\\"ada\\\"}\"}";
		assertThat(post(host, "jobs/" + id, signal).get("outcome").asString()).isEqualTo("signalled");
		assertThat(post(host, "jobs/" + id, signal).get("outcome").asString()).isEqualTo("unchanged");
		assertThat(host.jdbc()
			.sql("select payload ->> 'by' from rowqueue.job_signal where job_id = ?")
			.param(id)
			.query(String.class)
			.single()).isEqualTo("ada");
		assertThat(recorded(host, "jobs", String.valueOf(id))).contains("approved", "13 characters")
			.doesNotContain("ada");
		for (String wrong : List.of("{\"action\": \"signal\"}", "{\"action\": \"signal\", \"signal\": \" \"}",
				"{\"action\": \"signal\", \"signal\": \"other\", \"payload\": \"{oops\"}",
				"{\"action\": \"signal\", \"signal\": \"" + "x".repeat(201) + "\"}")) {
			assertThat(host.post(API + "jobs/" + id, wrong, ADMIN).statusCode()).as(wrong).isEqualTo(400);
		}
		assertThat(host.post(API + "jobs/987654321", signal, ADMIN).statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource
	void anOperationOnAWorkerThatDoesNotLiveIsNotFound(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String body : List.of("{\"action\": \"quiet\"}", "{\"action\": \"resume\"}",
				"{\"action\": \"slots\", \"slots\": \"*=5\"}", "{\"action\": \"restart\"}")) {
			HttpResponse<String> response = host.post(API + "workers/1", body, ADMIN);
			assertThat(response.statusCode()).as(body).isEqualTo(404);
			assertThat(response.body()).as(body).contains("There is no live worker with this id");
		}
	}

	private static long enqueue(Host host, String tag) {
		return host.bean(JobQueue.class)
			.enqueue(JobRequest.of("erased", Hosts.PAYLOAD).queue("later").tags(tag).delay(Duration.ofHours(1)))
			.id();
	}

	private static JsonNode post(Host host, String path, String body) {
		HttpResponse<String> response = host.post(API + path, body, ADMIN);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return Host.json(response);
	}

	private static JsonNode limits(Host host, String... headers) {
		return Host.json(host.get(API + "limits", headers));
	}

	private static JsonNode named(JsonNode list, String field, String name) {
		for (JsonNode each : list) {
			if (each.get(field).path("text").asString("").equals(name)) {
				return each;
			}
		}
		throw new AssertionError(name + " is not in " + list);
	}

	private static String recorded(Host host, String kind, String name) {
		return Awaitility.await()
			.until(() -> host.jdbc()
				.sql("select coalesce(string_agg(o::text, ' '), '') from rowqueue.operation o where kind = ? and name = ?")
				.params(kind, name)
				.query(String.class)
				.single(), (text) -> !text.isEmpty());
	}

}
