package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.engine.admin.DefaultJobChanges;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.BulkTask;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Batch;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Changes of all jobs that a filter selects, over HTTP. */
class ManyJobsTests {

	private static final String OPERATIONS = "/rowqueue/api/operations";

	private static final String[] OPERATE = { Hosts.LEVEL, "operate" };

	private static final String[] ADMIN = { Hosts.LEVEL, "admin" };

	private static final String[] EVERYTHING = { Hosts.LEVEL, "everything" };

	private final Host host = Hosts.of(Host.Kind.SERVLET);

	@Test
	void aPreviewSaysHowManyThereAre() {
		failed("previewed", 12);
		JsonNode preview = Host.json(this.host.post(OPERATIONS,
				"{\"action\": \"retry\", \"dryRun\": true, \"target\": {\"filter\": \"state=failed&type=previewed\"}}",
				OPERATE));
		assertThat(preview.at("/selected/value").asInt()).isEqualTo(12);
		assertThat(preview.at("/selected/kind").asString()).isEqualTo("exact");
		assertThat(preview.at("/sample").size()).isEqualTo(10);
		assertThat(failedNow("previewed")).isEqualTo(12);
	}

	@Test
	void processesCarryItOutAndThePageShowsHowFarTheyAre() {
		failed("retried-all", 250);
		long id = Host.json(this.host.post(OPERATIONS,
				"{\"action\": \"retry\", \"reason\": \"mended\", \"target\": {\"filter\": \"state=failed&type=retried-all\"}}",
				OPERATE))
			.get("operation")
			.asLong();
		assertThat(operation(id).get("state").asString()).isEqualTo("running");
		carryOut();
		JsonNode done = operation(id);
		assertThat(done.get("state").asString()).isEqualTo("done");
		assertThat(done.get("selected").asInt()).isEqualTo(250);
		assertThat(done.get("done").asInt()).isEqualTo(250);
		assertThat(done.get("reason").asString()).isEqualTo("mended");
		assertThat(done.at("/bulk/filter").asString()).isEqualTo("state=failed&type=retried-all");
		assertThat(failedNow("retried-all")).isZero();
	}

	@Test
	void moreThanCanBeCountedNeedAnAdministrator() {
		failed("very-many", JobSearch.MAX_COUNT + 1);
		String body = "{\"action\": \"cancel\", \"target\": {\"filter\": \"state=failed&type=very-many\"}}";
		HttpResponse<String> refused = this.host.post(OPERATIONS, body, OPERATE);
		assertThat(refused.statusCode()).isEqualTo(403);
		assertThat(Host.json(refused).get("needs").asString()).isEqualTo("admin");
		HttpResponse<String> started = this.host.post(OPERATIONS, body, ADMIN);
		assertThat(started.statusCode()).as(started.body()).isEqualTo(200);
		carryOut();
		assertThat(failedNow("very-many")).isZero();
	}

	/** A queue, a type, a flow or a batch is as good a name for them as a filter. */
	@Test
	void moreThanCanBeCountedNeedAnAdministratorWhateverNamesThem() {
		failed("many-of-a-type", JobSearch.MAX_COUNT + 1);
		this.host.jdbc()
			.sql("update rowqueue.job set queue = 'many-of-a-queue' where type = 'many-of-a-type'")
			.update();
		JobQueue jobs = this.host.bean(JobQueue.class);
		long batch = jobs.enqueueBatch(Batch.named("many"),
				Stream.generate(() -> JobRequest.of("later", "{}").delay(Duration.ofDays(1)))
					.limit(JobSearch.MAX_COUNT + 1));
		String retry = "{\"action\": \"retry\"}";
		String cancel = "{\"action\": \"cancel\"}";
		for (String[] each : new String[][] { { "queues/many-of-a-queue", retry }, { "types/many-of-a-type", retry },
				{ "batches/" + batch, cancel } }) {
			HttpResponse<String> refused = this.host.post("/rowqueue/api/" + each[0], each[1], OPERATE);
			assertThat(refused.statusCode()).as(each[0] + refused.body()).isEqualTo(403);
			assertThat(Host.json(refused).get("needs").asString()).isEqualTo("admin");
		}
		assertThat(
				this.host.post("/rowqueue/api/queues/many-of-a-queue", "{\"action\": \"pause\"}", OPERATE).statusCode())
			.isEqualTo(200);
		assertThat(failedNow("many-of-a-type")).isEqualTo(JobSearch.MAX_COUNT + 1);
		this.host.jdbc()
			.sql("delete from rowqueue.job where id in (select max(id) from rowqueue.job where type = 'many-of-a-type')")
			.update();
		assertThat(this.host.post("/rowqueue/api/types/many-of-a-type", retry, OPERATE).statusCode()).isEqualTo(200);
		assertThat(failedNow("many-of-a-type")).isZero();
		assertThat(this.host.post("/rowqueue/api/batches/" + batch, cancel, ADMIN).statusCode()).isEqualTo(200);
	}

	@Test
	void itCanBeStopped() {
		failed("stopped", 5);
		long id = Host
			.json(this.host.post(OPERATIONS,
					"{\"action\": \"retry\", \"target\": {\"filter\": \"state=failed&type=stopped\"}}", OPERATE))
			.get("operation")
			.asLong();
		String path = OPERATIONS + "/" + id;
		assertThat(this.host.post(path, "{\"action\": \"stop\"}", OPERATE).statusCode()).isEqualTo(200);
		assertThat(operation(id).get("state").asString()).isEqualTo("stopped");
		assertThat(this.host.post(path, "{\"action\": \"stop\"}", OPERATE).statusCode()).isEqualTo(409);
		carryOut();
		assertThat(failedNow("stopped")).isEqualTo(5);
	}

	@Test
	void whatMakesNoSenseStartsNothing() {
		for (String body : new String[] { "{\"action\": \"retry\", \"target\": {}}",
				"{\"action\": \"retry\", \"target\": {\"filter\": \"type=none\"}}",
				"{\"action\": \"explode\", \"target\": {\"filter\": \"type=none\"}}",
				"{\"action\": \"reschedule\", \"target\": {\"filter\": \"type=none\"}}",
				"{\"action\": \"cancel\", \"target\": {\"filter\": \"sate=failed\"}}" }) {
			assertThat(this.host.post(OPERATIONS, body, ADMIN).statusCode()).as(body).isEqualTo(400);
		}
		assertThat(this.host.get(OPERATIONS + "?kind=unknown", ADMIN).statusCode()).isEqualTo(400);
	}

	@Test
	void aFilterByContentIsForCallersWhoAreShownPayloads() {
		for (String filter : List.of("q=secret", "%71=secret", "error=broken", "-error=broken", "key=customer",
				"limitKey=customer", "tag=customer:42", "header=customer%3D42")) {
			for (boolean dryRun : new boolean[] { false, true }) {
				String body = "{\"action\": \"cancel\", \"dryRun\": %s, \"target\": {\"filter\": \"type=by-content&%s\"}}"
					.formatted(dryRun, filter);
				HttpResponse<String> refused = this.host.post(OPERATIONS, body, ADMIN);
				assertThat(refused.statusCode()).as(body).isEqualTo(403);
				assertThat(Host.json(refused).get("needs").asString()).as(body).isEqualTo("payloads");
				if (dryRun) { // each of them takes one of the searches of a minute
					assertThat(this.host.post(OPERATIONS, body, EVERYTHING).statusCode()).as(body).isEqualTo(200);
				}
			}
		}
	}

	@Test
	void anEmptyFilterIsRefusedAlsoForAPreview() {
		for (String action : List.of("cancel", "erase", "retry", "reschedule", "prioritize")) {
			for (String filter : List.of("", "&")) {
				for (boolean dryRun : new boolean[] { false, true }) {
					String body = "{\"action\": \"%s\", \"delayMs\": 1, \"priority\": 1, \"dryRun\": %s, \"target\": {\"filter\": \"%s\"}}"
						.formatted(action, dryRun, filter);
					HttpResponse<String> refused = this.host.post(OPERATIONS, body, ADMIN);
					assertThat(refused.statusCode()).as(body).isEqualTo(400);
					assertThat(refused.body()).as(body).contains("the filter is empty", "state=blocked&state=failed");
				}
			}
		}
		assertThat(this.host.post(OPERATIONS, "{\"action\": \"cancel\", \"dryRun\": true, \"target\": {\"filter\": \""
				+ "state=blocked&state=failed&state=queued&state=running&state=scheduled&state=starting&state=stuck\"}}",
				ADMIN)
			.statusCode()).isEqualTo(200);
	}

	private JsonNode operation(long id) {
		return Host.json(this.host.get(OPERATIONS + "/" + id, ADMIN)).get("operation");
	}

	private void failed(String type, int jobs) {
		this.host.jdbc().sql("""
				insert into rowqueue.job (type, queue, state, attempt, run_at, order_at, leased_at, created_at)
				select ?, 'default', 'failed', 1, t, t, t, t from generate_series(1, ?), lateral (
					select now() - interval '1 hour' as t) past""").params(type, jobs).update();
	}

	private long failedNow(String type) {
		return this.host.jdbc()
			.sql("select count(*) from rowqueue.job where type = ? and state = 'failed'")
			.param(type)
			.query(Long.class)
			.single();
	}

	/** As the processes with workers do. */
	private void carryOut() {
		QueueDatabases databases = this.host.bean(QueueDatabases.class);
		BulkTask task = new BulkTask(new BulkStore(databases.worker()), new JobSearchStore(databases.worker()),
				new DefaultJobChanges(databases.worker(), this.host.bean(WakeUps.class)));
		do {
			task.run();
		}
		while (task.isUnfinished());
	}

}
