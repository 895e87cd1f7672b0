package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.engine.admin.DefaultJobChanges;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.BulkTask;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Batch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Changes of all jobs that a filter selects, over HTTP. */
class ManyJobsTests {

	private static final String OPERATIONS = "/rowqueue/api/operations";

	private static final String[] OPERATE = { Hosts.LEVEL, "operate" };

	private static final String[] ADMIN = { Hosts.LEVEL, "admin" };

	private static final String[] EVERYTHING = { Hosts.LEVEL, "everything" };

	@ParameterizedTest
	@EnumSource
	void aPreviewSaysHowManyThereAre(Host.Kind kind) {
		Host host = Hosts.of(kind);
		failed(host, "previewed", 12);
		JsonNode preview = Host.json(host.post(OPERATIONS,
				"{\"action\": \"retry\", \"dryRun\": true, \"target\": {\"filter\": \"state=failed&type=previewed\"}}",
				OPERATE));
		assertThat(preview.at("/selected/value").asInt()).isEqualTo(12);
		assertThat(preview.at("/selected/kind").asString()).isEqualTo("exact");
		assertThat(preview.at("/sample").size()).isEqualTo(10);
		assertThat(failedNow(host, "previewed")).isEqualTo(12);
	}

	@ParameterizedTest
	@EnumSource
	void processesCarryItOutAndThePageShowsHowFarTheyAre(Host.Kind kind) {
		Host host = Hosts.of(kind);
		failed(host, "retried-all", 250);
		long id = Host.json(host.post(OPERATIONS,
				"{\"action\": \"retry\", \"reason\": \"mended\", \"target\": {\"filter\": \"state=failed&type=retried-all\"}}",
				OPERATE))
			.get("operation")
			.asLong();
		assertThat(operation(host, id).get("state").asString()).isEqualTo("running");
		carryOut(host);
		JsonNode done = operation(host, id);
		assertThat(done.get("state").asString()).isEqualTo("done");
		assertThat(done.get("selected").asInt()).isEqualTo(250);
		assertThat(done.get("done").asInt()).isEqualTo(250);
		assertThat(done.get("reason").asString()).isEqualTo("mended");
		assertThat(done.at("/bulk/filter").asString()).isEqualTo("state=failed&type=retried-all");
		assertThat(failedNow(host, "retried-all")).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void moreThanCanBeCountedNeedAnAdministrator(Host.Kind kind) {
		Host host = Hosts.of(kind);
		failed(host, "very-many", JobSearch.MAX_COUNT + 1);
		String body = "{\"action\": \"cancel\", \"target\": {\"filter\": \"state=failed&type=very-many\"}}";
		HttpResponse<String> refused = host.post(OPERATIONS, body, OPERATE);
		assertThat(refused.statusCode()).isEqualTo(403);
		assertThat(Host.json(refused).get("needs").asString()).isEqualTo("admin");
		HttpResponse<String> started = host.post(OPERATIONS, body, ADMIN);
		assertThat(started.statusCode()).as(started.body()).isEqualTo(200);
		carryOut(host);
		assertThat(failedNow(host, "very-many")).isZero();
	}

	/** A queue, a type, a flow or a batch is as good a name for them as a filter. */
	@ParameterizedTest
	@EnumSource
	void moreThanCanBeCountedNeedAnAdministratorWhateverNamesThem(Host.Kind kind) {
		Host host = Hosts.of(kind);
		failed(host, "many-of-a-type", JobSearch.MAX_COUNT + 1);
		host.jdbc().sql("update rowqueue.job set queue = 'many-of-a-queue' where type = 'many-of-a-type'").update();
		JobQueue jobs = host.bean(JobQueue.class);
		long batch = jobs.enqueueBatch(Batch.named("many"),
				Stream.generate(() -> JobRequest.of("later", "{}").delay(Duration.ofDays(1)))
					.limit(JobSearch.MAX_COUNT + 1));
		String retry = "{\"action\": \"retry\"}";
		String cancel = "{\"action\": \"cancel\"}";
		for (String[] each : new String[][] { { "queues/many-of-a-queue", retry }, { "types/many-of-a-type", retry },
				{ "batches/" + batch, cancel } }) {
			HttpResponse<String> refused = host.post("/rowqueue/api/" + each[0], each[1], OPERATE);
			assertThat(refused.statusCode()).as(each[0] + refused.body()).isEqualTo(403);
			assertThat(Host.json(refused).get("needs").asString()).isEqualTo("admin");
		}
		assertThat(host.post("/rowqueue/api/queues/many-of-a-queue", "{\"action\": \"pause\"}", OPERATE).statusCode())
			.isEqualTo(200);
		assertThat(failedNow(host, "many-of-a-type")).isEqualTo(JobSearch.MAX_COUNT + 1);
		host.jdbc()
			.sql("delete from rowqueue.job where id in (select max(id) from rowqueue.job where type = 'many-of-a-type')")
			.update();
		assertThat(host.post("/rowqueue/api/types/many-of-a-type", retry, OPERATE).statusCode()).isEqualTo(200);
		assertThat(failedNow(host, "many-of-a-type")).isZero();
		assertThat(host.post("/rowqueue/api/batches/" + batch, cancel, ADMIN).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void itCanBeStopped(Host.Kind kind) {
		Host host = Hosts.of(kind);
		failed(host, "stopped", 5);
		long id = Host
			.json(host.post(OPERATIONS,
					"{\"action\": \"retry\", \"target\": {\"filter\": \"state=failed&type=stopped\"}}", OPERATE))
			.get("operation")
			.asLong();
		String path = OPERATIONS + "/" + id;
		assertThat(host.post(path, "{\"action\": \"stop\"}", OPERATE).statusCode()).isEqualTo(200);
		assertThat(operation(host, id).get("state").asString()).isEqualTo("stopped");
		assertThat(host.post(path, "{\"action\": \"stop\"}", OPERATE).statusCode()).isEqualTo(409);
		carryOut(host);
		assertThat(failedNow(host, "stopped")).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void whatMakesNoSenseStartsNothing(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String body : new String[] { "{\"action\": \"retry\", \"target\": {}}",
				"{\"action\": \"retry\", \"target\": {\"filter\": \"type=none\"}}",
				"{\"action\": \"explode\", \"target\": {\"filter\": \"type=none\"}}",
				"{\"action\": \"reschedule\", \"target\": {\"filter\": \"type=none\"}}",
				"{\"action\": \"cancel\", \"target\": {\"filter\": \"sate=failed\"}}" }) {
			assertThat(host.post(OPERATIONS, body, ADMIN).statusCode()).as(body).isEqualTo(400);
		}
		assertThat(host.get(OPERATIONS + "?kind=unknown", ADMIN).statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource
	void aFilterByContentIsForCallersWhoAreShownPayloads(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String filter : List.of("q=secret", "%71=secret", "error=broken", "-error=broken", "key=customer",
				"limitKey=customer", "tag=customer:42", "header=customer%3D42")) {
			for (boolean dryRun : new boolean[] { false, true }) {
				String body = "{\"action\": \"cancel\", \"dryRun\": %s, \"target\": {\"filter\": \"type=by-content&%s\"}}"
					.formatted(dryRun, filter);
				HttpResponse<String> refused = host.post(OPERATIONS, body, ADMIN);
				assertThat(refused.statusCode()).as(body).isEqualTo(403);
				assertThat(Host.json(refused).get("needs").asString()).as(body).isEqualTo("payloads");
				if (dryRun) { // each of them takes one of the searches of a minute
					assertThat(host.post(OPERATIONS, body, EVERYTHING).statusCode()).as(body).isEqualTo(200);
				}
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void anEmptyFilterIsRefusedAlsoForAPreview(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String action : List.of("cancel", "erase", "retry", "reschedule", "prioritize")) {
			for (String filter : List.of("", "&")) {
				for (boolean dryRun : new boolean[] { false, true }) {
					String body = "{\"action\": \"%s\", \"delayMs\": 1, \"priority\": 1, \"dryRun\": %s, \"target\": {\"filter\": \"%s\"}}"
						.formatted(action, dryRun, filter);
					HttpResponse<String> refused = host.post(OPERATIONS, body, ADMIN);
					assertThat(refused.statusCode()).as(body).isEqualTo(400);
					assertThat(refused.body()).as(body).contains("the filter is empty", "state=blocked&state=failed");
				}
			}
		}
		assertThat(host.post(OPERATIONS, "{\"action\": \"cancel\", \"dryRun\": true, \"target\": {\"filter\": \""
				+ "state=blocked&state=failed&state=queued&state=running&state=scheduled&state=starting&state=stuck\"}}",
				ADMIN)
			.statusCode()).isEqualTo(200);
	}

	private static JsonNode operation(Host host, long id) {
		return Host.json(host.get(OPERATIONS + "/" + id, ADMIN)).get("operation");
	}

	private static void failed(Host host, String type, int jobs) {
		host.jdbc().sql("""
				insert into rowqueue.job (type, queue, state, attempt, run_at, order_at, leased_at, created_at)
				select ?, 'default', 'failed', 1, t, t, t, t from generate_series(1, ?), lateral (
					select now() - interval '1 hour' as t) past""").params(type, jobs).update();
	}

	private static long failedNow(Host host, String type) {
		return host.jdbc()
			.sql("select count(*) from rowqueue.job where type = ? and state = 'failed'")
			.param(type)
			.query(Long.class)
			.single();
	}

	/** As the processes with workers do. */
	private static void carryOut(Host host) {
		QueueDatabases databases = host.bean(QueueDatabases.class);
		BulkTask task = new BulkTask(new BulkStore(databases.worker()), new JobSearchStore(databases.worker()),
				new DefaultJobChanges(databases.worker(), host.bean(WakeUps.class)));
		do {
			task.run();
		}
		while (task.isUnfinished());
	}

}
