package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.JobRequest;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.postgres.Database;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * An application with two databases. The pages and the API below {@code shards/eu} show
 * and change that shard only, those of the root the home shard only.
 */
class ShardPagesTests {

	private static final String ROOT = "/rowqueue/";

	private static final String EU = ROOT + "shards/eu/";

	private static final String[] ADMIN = { Hosts.LEVEL, "everything" };

	private static final Map<Host.Kind, Host> HOSTS = new EnumMap<>(Host.Kind.class);

	private static final Map<Host.Kind, Database> EUROPE = new EnumMap<>(Host.Kind.class);

	private static synchronized Host host(Host.Kind kind) {
		return HOSTS.computeIfAbsent(kind, (each) -> {
			Database eu = Host.createDatabase();
			EUROPE.put(each, eu);
			Host host = Host.start(each, new Class<?>[] { Hosts.LevelsByHeader.class },
					eu.properties("rowqueue.shards.eu"));
			Shards shards = host.bean(Shards.class);
			await("shards are opened while the application runs").atMost(Duration.ofMinutes(2))
				.until(() -> shards.list().stream().filter(Shard::available).count() == 2);
			shards.queue("home").enqueue(JobRequest.of("at-home", 1).queue("mail"));
			shards.queue("eu").enqueue(JobRequest.of("in-europe", 2).queue("mail"));
			return host;
		});
	}

	@AfterAll
	static void stop() {
		HOSTS.values().forEach(Host::close);
		HOSTS.clear();
	}

	@ParameterizedTest
	@EnumSource
	void aListHasTheJobsOfOneShard(Host.Kind kind) {
		Host host = host(kind);
		assertThat(get(host, ROOT + "api/jobs?state=queued").toString()).contains("at-home")
			.doesNotContain("in-europe");
		JsonNode europe = get(host, EU + "api/jobs?state=queued");
		assertThat(europe.toString()).contains("in-europe").doesNotContain("at-home");
		long id = europe.get("items").get(0).get("id").asLong();
		assertThat(get(host, EU + "api/jobs/" + id).get("job").get("type").asString()).isEqualTo("in-europe");
		assertThat(host.get(ROOT + "api/jobs/" + id, ADMIN).statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource
	void anActionIsThatOfOneShardAndRecordedThere(Host.Kind kind) {
		Host host = host(kind);
		Shards shards = host.bean(Shards.class);
		String pause = "{\"action\": \"pause\", \"reason\": \"europe only\"}";
		assertThat(host.post(EU + "api/queues/mail", pause, ADMIN).statusCode()).isEqualTo(200);
		assertThat(shards.admin("eu").jobs().pauses()).extracting(Pause::name).containsExactly("mail");
		assertThat(shards.admin("home").jobs().pauses()).isEmpty();
		assertThat(get(host, EU + "api/operations?kind=queues").toString()).contains("europe only");
		assertThat(get(host, ROOT + "api/operations?kind=queues").toString()).doesNotContain("europe only");
		String resume = "{\"action\": \"resume\"}";
		assertThat(Host.json(host.post(ROOT + "api/queues/mail", resume, ADMIN)).get("outcome").asString())
			.isEqualTo("unchanged");
		assertThat(shards.admin("eu").jobs().pauses()).hasSize(1);
		assertThat(Host.json(host.post(EU + "api/queues/mail", resume, ADMIN)).get("outcome").asString())
			.isEqualTo("resumed");
		assertThat(shards.admin("eu").jobs().pauses()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void everyPageKnowsTheShards(Host.Kind kind) {
		Host host = host(kind);
		assertThat(get(host, ROOT + "api/session").get("shards").toString())
			.isEqualTo("{\"shown\":\"home\",\"home\":\"home\",\"names\":[\"home\",\"eu\"]}");
		assertThat(get(host, EU + "api/session").get("shards").get("shown").asString()).isEqualTo("eu");
		JsonNode shards = get(host, ROOT + "api/shards").get("items");
		assertThat(shards).hasSize(2);
		assertThat(shards.get(0).get("home").asBoolean()).isTrue();
		assertThat(shards.get(1).get("name").asString()).isEqualTo("eu");
		assertThat(shards.get(1).get("available").asBoolean()).isTrue();
		assertThat(shards.get(0).get("buckets").asInt()).isEqualTo(4096);
	}

	@ParameterizedTest
	@EnumSource
	void theFiguresOfAShardAreThoseOfItsDatabase(Host.Kind kind) {
		Host host = host(kind);
		Map<String, JdbcClient> databases = databases(host, kind);
		databases.forEach((shard, jdbc) -> {
			int jobs = shard.equals("eu") ? 11 : 4;
			jdbc.sql(
					"""
							insert into rowqueue.job (queue, type, state, attempt, run_at, order_at, leased_at)
							select 'q' || i % 3, 'work', (array['queued', 'failed', 'blocked', 'scheduled'])[1 + i % 4]::rowqueue.job_state, 1, t, t, t
							from generate_series(1, ?) i, lateral (select now() - ? * i * interval '1 minute' as t) due""")
				.params(jobs, jobs)
				.update();
			ApplicationContext context = host.bean(ShardBeans.class).context(shard).orElseThrow();
			await("it is measured once, and then here").atMost(Duration.ofMinutes(2))
				.until(() -> context.getBean(Measurements.class).latest().isPresent());
			new MeasurementStore(context.getBean(QueueDatabases.class).worker()).measure(Duration.ofSeconds(10));
			context.getBean(Measurements.class).refresh();
		});
		for (JsonNode shard : get(host, ROOT + "api/shards").get("items")) {
			JdbcClient jdbc = databases.get(shard.get("name").asString());
			Map<String, Long> counts = new TreeMap<>();
			shard.get("counts").forEachEntry((state, count) -> counts.put(state, count.get("value").asLong()));
			Map<String, Long> expected = new TreeMap<>();
			jdbc.sql("select state::text, count(*) from rowqueue.job group by 1").query((row) -> {
				expected.put(row.getString(1), row.getLong(2));
			});
			assertThat(counts).isEqualTo(expected).hasSize(4);
			long oldest = jdbc
				.sql("""
						select extract(epoch from clock_timestamp() - min(run_at)) * 1000 from rowqueue.job where state = 'queued'""")
				.query(Long.class)
				.single();
			assertThat(shard.get("oldestMs").asLong()).isBetween(oldest - 300_000, oldest);
			assertThat(Instant.parse(shard.get("measuredAt").asString()))
				.isCloseTo(jdbc.sql("select measured_at from rowqueue.measurement")
					.query((row, index) -> row.getTimestamp(1).toInstant())
					.single(), within(2, ChronoUnit.SECONDS));
		}
	}

	private static Map<String, JdbcClient> databases(Host host, Host.Kind kind) {
		return Map.of("home", host.jdbc(), "eu", JdbcClient.create(EUROPE.get(kind).dataSource()));
	}

	/** Also while some that were moved are back. */
	@ParameterizedTest
	@EnumSource
	void aShardHasTheBucketsThatItsDatabaseOwns(Host.Kind kind) {
		Host host = host(kind);
		Map<String, JdbcClient> databases = databases(host, kind);
		Shards shards = host.bean(Shards.class);
		assertThat(shards.move("home", "eu", 9)).isEqualTo(9);
		assertThat(shards.move("eu", "home", 4)).isEqualTo(4);
		for (JsonNode shard : get(host, ROOT + "api/shards").get("items")) {
			String name = shard.get("name").asString();
			Map<String, Long> states = new TreeMap<>();
			databases.get(name).sql("select state, count(*) from rowqueue.shard_bucket group by 1").query((row) -> {
				states.put(row.getString(1), row.getLong(2));
			});
			long owned = states.getOrDefault("owned", 0L);
			assertThat(shard.get("buckets").asLong()).as("%s: %s", name, states)
				.isEqualTo(shard.get("home").asBoolean()
						? 4096 - states.values().stream().mapToLong(Long::longValue).sum() + owned : owned);
		}
		assertThat(get(host, ROOT + "api/shards").at("/items/1/buckets").asInt()).isEqualTo(5);
		assertThat(shards.move("eu", "home", 5)).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void aPageOfAShardLoadsTheFilesOfTheRoot(Host.Kind kind) {
		Host host = host(kind);
		HttpResponse<String> page = host.get(EU + "jobs/42", ADMIN);
		assertThat(page.body()).contains("<base href=\"../\">").contains("src=\"../../assets/");
		HttpResponse<String> root = host.get("/rowqueue/shards/eu", ADMIN);
		assertThat(root.statusCode()).isEqualTo(308);
		assertThat(Host.header(root, "Location")).isEqualTo("./eu/");
	}

	@ParameterizedTest
	@EnumSource
	void thereIsNoOtherShard(Host.Kind kind) {
		Host host = host(kind);
		assertThat(host.get(ROOT + "shards/us/api/session", ADMIN).statusCode()).isEqualTo(404);
		assertThat(host.get(ROOT + "shards/a~2Fb/api/session", ADMIN).statusCode()).isEqualTo(404);
		assertThat(host.get(ROOT + "shards/~/api/session", ADMIN).statusCode()).isEqualTo(404);
		Host single = Hosts.of(kind);
		assertThat(single.get(ROOT + "shards/eu/api/session", ADMIN).statusCode()).isEqualTo(404);
		assertThat(get(single, ROOT + "api/session").get("shards").isNull()).isTrue();
		assertThat(get(single, ROOT + "api/shards").get("items")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aShardNeedsTheSameRights(Host.Kind kind) {
		Host host = host(kind);
		assertThat(host.get(EU + "api/jobs").statusCode()).isEqualTo(403);
		assertThat(host.get(EU).statusCode()).isEqualTo(403);
		String pause = "{\"action\": \"pause\"}";
		assertThat(host.post(EU + "api/queues/mail", pause, Hosts.LEVEL, "read").statusCode()).isEqualTo(403);
		assertThat(host.send("POST", EU + "api/queues/mail", pause, ADMIN).statusCode()).isEqualTo(403);
	}

	private static JsonNode get(Host host, String path) {
		HttpResponse<String> response = host.get(path, ADMIN);
		assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(200);
		return Host.json(response);
	}

}
