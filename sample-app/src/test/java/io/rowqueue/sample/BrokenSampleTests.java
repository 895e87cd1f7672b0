package io.rowqueue.sample;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample, broken on purpose: what a stranger sees who is on call. The document
 * {@code docs/operations/breaking.md} has the same in words.
 */
@TestPropertySource(properties = { "rowqueue.measurement.interval=200ms", "rowqueue.health.horizon-age=50",
		"sample.imports.lookup=1h" })
class BrokenSampleTests extends RunningSample implements OnDevPostgres {

	@Autowired
	private DataSource dataSource;

	@Test
	void aPausedQueueSaysSoAndWhy() {
		assertThat(operate("queues/mail", Map.of("action", "pause", "reason", "the mail server moves"))).isEqualTo(200);
		post("/api/users", Map.of("name", "Ada", "email", "paused@example.org")).expectStatus().isCreated();

		JsonNode queue = json("rowqueue");
		assertThat(queue.at("/queues/mail/paused/reason").asString()).isEqualTo("the mail server moves");
		JsonNode lane = queue.get("lanes")
			.valueStream()
			.filter((each) -> text(each, "queue").equals("mail"))
			.findFirst()
			.orElseThrow();
		assertThat(explanation(lane.get("firstJob").asLong()).get("summary").asString())
			.isEqualTo("The queue 'mail' is paused: the mail server moves. Resume it to run its jobs.");

		assertThat(operate("queues/mail", Map.of("action", "resume"))).isEqualTo(200);
		eventually().untilAsserted(() -> assertThat(list("/api/inbox")).extracting((mail) -> mail.get("to"))
			.contains("paused@example.org"));
	}

	@Test
	void aTypeWithoutAHandlerIsNamed() {
		long job = enqueue("select rowqueue.enqueue('send-fax', '{}')");
		this.jdbc.sql("update rowqueue.job set run_at = now() - interval '2 minutes' where id = ?").param(job).update();

		eventually().untilAsserted(() -> assertThat(problems().path("unhandled.send-fax").asString(""))
			.contains("No live worker has a handler for the type 'send-fax' of the queue 'default'"));
		assertThat(explanation(job).get("summary").asString()).contains("No live worker has a handler",
				"check whether the type was renamed");

		assertThat(operate("jobs/" + job, Map.of("action", "cancel"))).isEqualTo(200);
		eventually().untilAsserted(() -> assertThat(problems().has("unhandled.send-fax")).isFalse());
	}

	@Test
	void aPayloadThatDoesNotFitIsToldApartFromAnAttemptThatMayWork() {
		long job = enqueue("select rowqueue.enqueue('welcome-mail', '[1]', queue => 'mail', max_attempts => 1)");

		eventually().untilAsserted(() -> assertThat(explanation(job).get("verdict").asString()).isEqualTo("FAILED"));
		assertThat(explanation(job).get("summary").asString()).contains("It failed permanently in attempt 1",
				"cannot be read as io.rowqueue.sample.mail.WelcomeMail");
		assertThat(json("rowqueue").get("recentFailures").valueStream().map((failure) -> failure.get("jobId").asLong()))
			.contains(job);
		eventually()
			.untilAsserted(() -> assertThat(meters()).contains("rowqueue_jobs{queue=\"mail\",state=\"failed\"} 1.0"));
		assertThat(operate("jobs/" + job, Map.of("action", "cancel"))).isEqualTo(200);
	}

	@Test
	void aHandlerThatHangsIsFoundAndStopped() {
		this.http.post()
			.uri("/api/imports")
			.contentType(MediaType.parseMediaType("text/csv"))
			.body("name,email\nAda,ada@example.org\n")
			.exchange()
			.expectStatus()
			.is2xxSuccessful();

		eventually().untilAsserted(() -> assertThat(
				json("rowqueue").get("longestRunning").valueStream().map((running) -> text(running, "type")))
			.contains("import-contact"));
		JsonNode running = json("rowqueue").at("/longestRunning/0");
		assertThat(Duration.parse(running.get("age").asString())).isPositive();

		long job = running.get("jobId").asLong();
		assertThat(operate("jobs/" + job, Map.of("action", "cancel"))).isEqualTo(200);
		eventually().untilAsserted(
				() -> assertThat(json("rowqueue/jobs/" + job).get("state").asString()).isEqualTo("cancelled"));
	}

	@Test
	void theSessionThatPinsTheHorizonIsNamed() throws Exception {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("set local application_name = 'the nightly report'");
			statement.execute("select from users");
			for (int i = 0; i < 60; i++) {
				this.jdbc.sql("select pg_current_xact_id()::text").query(String.class).single();
			}
			eventually().untilAsserted(() -> assertThat(problems().path("horizon").asString(""))
				.contains("A session, process ", "the nightly report"));
			connection.rollback();
		}
		eventually().untilAsserted(() -> assertThat(problems().has("horizon")).isFalse());
	}

	@Test
	void whatTheDatabaseRefusesIsNamedUntilItWorksAgain() {
		this.jdbc.sql("alter table rowqueue.job rename to job_of_somebody_else").update();
		try {
			eventually().untilAsserted(() -> assertThat(problems().propertyStream().map(Object::toString)).anyMatch(
					(problem) -> problem.startsWith("failing.rowqueue-claimer") && problem.contains("does not exist")));
			assertThat(
					this.http.get().uri("/actuator/rowqueue").exchange().returnResult(String.class).getStatus().value())
				.isEqualTo(503);
		}
		finally {
			this.jdbc.sql("alter table rowqueue.job_of_somebody_else rename to job").update();
		}
		eventually().untilAsserted(() -> assertThat(problems().has("failing.rowqueue-claimer")).isFalse());
	}

	@Test
	void sessionsThatAreEndedAreOpenedAnew() {
		this.jdbc
			.sql("select count(pg_terminate_backend(pid)) from pg_stat_activity"
					+ " where application_name = 'rowqueue' and datname = current_database()")
			.query(Long.class)
			.single();
		post("/api/users", Map.of("name", "Grace", "email", "again@example.org")).expectStatus().isCreated();

		eventually().untilAsserted(() -> assertThat(list("/api/inbox")).extracting((mail) -> mail.get("to"))
			.contains("again@example.org"));
		eventually().untilAsserted(() -> assertThat(json("health/rowqueue").get("status").asString()).isEqualTo("UP"));
	}

	private long enqueue(String sql) {
		return this.jdbc.sql(sql).query(Long.class).single();
	}

	private JsonNode problems() {
		return json("health/rowqueue").at("/details/problems");
	}

	private JsonNode explanation(long job) {
		return json("rowqueue/jobs/" + job).get("explanation");
	}

	private int operate(String path, Map<String, String> operation) {
		return post("/actuator/rowqueue/" + path, operation).returnResult(String.class).getStatus().value();
	}

	private String meters() {
		return actuator("prometheus");
	}

	private JsonNode json(String path) {
		return JsonMapper.shared().readTree(actuator(path));
	}

	private String actuator(String path) {
		return String
			.valueOf(this.http.get().uri("/actuator/" + path).exchange().returnResult(String.class).getResponseBody());
	}

	private static String text(JsonNode node, String name) {
		return node.get(name).asString();
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofMinutes(5));
	}

}
