package io.rowqueue.autoconfigure.endpoint;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schema.SchemaPart;
import org.apache.catalina.authenticator.BasicAuthenticator;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.realm.RealmBase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint as those see it who operate the queue, over HTTP. */
class QueueEndpointTests {

	private static final String UNRESTRICTED = "management.endpoint.rowqueue.access=unrestricted";

	private static final String SHOW_ALWAYS = "management.endpoint.rowqueue.show-payloads=always";

	private static final String SHOW_WHEN_AUTHORIZED = "management.endpoint.rowqueue.show-payloads=when-authorized";

	/** The application of all tests that configure nothing. */
	@RegisterExtension
	private static final SharedApplication SHARED = new SharedApplication(UNRESTRICTED);

	@RegisterExtension
	private static final SharedApplication WITH_PAYLOADS = new SharedApplication(UNRESTRICTED, SHOW_ALWAYS);

	@RegisterExtension
	private static final SharedApplication FOR_USERS = new SharedApplication(UNRESTRICTED, SHOW_WHEN_AUTHORIZED,
			"management.endpoint.rowqueue.roles=", "sign-in=true");

	@RegisterExtension
	private static final SharedApplication FOR_OPERATORS = new SharedApplication(UNRESTRICTED, SHOW_WHEN_AUTHORIZED,
			"management.endpoint.rowqueue.roles=operator", "sign-in=true");

	/** With the access that is the default, and without a login. */
	@RegisterExtension
	private static final SharedApplication READ_ONLY = new SharedApplication(SHOW_WHEN_AUTHORIZED,
			"management.info.rowqueue.enabled=true");

	@RegisterExtension
	private static final TestDatabase OTHER = new TestDatabase();

	private static final HttpClient http = HttpClient.newHttpClient();

	/** The application of one test. */
	private ConfigurableApplicationContext own;

	private ConfigurableApplicationContext context;

	private TestDatabase database = OTHER;

	private String user = "";

	@AfterEach
	void close() {
		if (this.own != null) {
			this.own.close();
		}
	}

	@Test
	void theEndpointShowsQueuesWorkersLanesPausesAndFailures() throws Exception {
		start(SHARED);
		long failed = fail();
		queue().enqueue(JobRequest.of("unknown").queue("mail"));
		admin().pauseQueue("empty", "on purpose");
		queue().enqueue(JobRequest.of("unknown").queue("closing:ledger").priority(-1));
		admin().pauseQueue("closing:*", "the day is over");
		admin().pauseType("works", null);
		JsonNode overview = get("");
		assertThat(overview.at("/queues/default/jobs/failed").asInt()).isEqualTo(1);
		assertThat(overview.at("/queues/mail/jobs/queued").asInt()).isEqualTo(1);
		assertThat(overview.at("/queues/empty/paused/reason").asString()).isEqualTo("on purpose");
		assertThat(overview.at("/queues/closing:ledger/paused/name").asString()).isEqualTo("closing:*");
		assertThat(overview.at("/pausedTypes/0/name").asString()).isEqualTo("works");
		assertThat(overview.at("/workers/0/slots").asInt()).isEqualTo(10);
		assertThat(overview.at("/workers/0/types").toString()).contains("works");
		assertThat(overview.at("/lanes/0/type").asString()).isEqualTo("unknown");
		assertThat(overview.at("/lanes/0/workers").asInt()).as("no worker can run it").isZero();
		assertThat(get("/jobs/" + overview.at("/lanes/0/firstJob").asLong()).at("/explanation/verdict").asString())
			.isEqualTo("NO_WORKER_FOR_TYPE");
		assertThat(overview.at("/recentFailures/0/jobId").asLong()).isEqualTo(failed);
		assertThat(overview.at("/recentFailures/0/error").asString())
			.isEqualTo("java.lang.IllegalStateException: ******");
		assertThat(overview.at("/recentFailures/0/startedAt").asString()).isNotBlank();
	}

	@Test
	void theEndpointListsJobsByStateQueueAndType() throws Exception {
		start(SHARED);
		long failed = fail();
		long first = queue().enqueue(JobRequest.of("unknown").queue("mail")).id();
		long second = queue().enqueue(JobRequest.of("other")).id();
		assertThat(ids("")).containsExactly(second, first, failed);
		assertThat(ids("?state=failed")).containsExactly(failed);
		assertThat(ids("?state=queued")).containsExactly(first, second);
		assertThat(ids("?state=queued&type=other")).containsExactly(second);
		assertThat(ids("?queue=mail")).containsExactly(first);
		assertThat(get("/jobs").at("/next").isNull()).isTrue();
		assertThat(ids("?state=running")).isEmpty();
		assertThat(get("/jobs?state=failed").at("/jobs/0/startedAt").asString()).isNotBlank();
		assertThat(get("/jobs").toString()).doesNotContain("secret", "broken");
		assertThat(ids("?state=succeeded")).isEmpty();
		HttpResponse<String> invalid = send("/jobs?state=fail", null);
		assertThat(invalid.statusCode()).isEqualTo(400);
		assertThat(invalid.body()).contains("'fail' is not one of the states blocked, scheduled, retrying");
		assertThat(send("/jobs?shard=eu", null).body()).contains("one database and no shards");
		assertThat(send("/jobs?cursor=none", null).body()).contains("the cursor is invalid");
		assertThat(ids("?filter=state%3Dfailed%26attempt%3D%3E0")).containsExactly(failed);
		assertThat(ids("?filter=-state%3Dfailed%26-type%3Dother")).containsExactly(first);
		assertThat(send("/jobs?filter=sate%3Dfailed", null).body()).contains("not a word of a filter");
		assertThat(send("/jobs?filter=error%3Dbroken", null).body()).contains("shown payloads");
		assertThat(send("/jobs?state=failed&filter=type%3Dother", null).statusCode()).isEqualTo(400);
		assertThat(send("/flows", null).statusCode()).isEqualTo(404);
	}

	@Test
	void deadWorkersAreNotAmongTheLiving() throws Exception {
		start(SHARED);
		this.database.execute("insert into rowqueue.worker (name, queues, types, slots, dead_at)"
				+ " values ('gone:1', '{*}', '{works}', '{}', clock_timestamp())");
		Awaitility.await().until(() -> !get("").at("/workers").isEmpty());
		assertThat(get("").at("/workers").toString()).doesNotContain("gone:1");
		assertThat(get("").at("/deadWorkers/0/name").asString()).isEqualTo("gone:1");
	}

	@Test
	void theEndpointShowsTheLongestRunningJobs() throws Exception {
		start(SHARED);
		long hanging = queue().enqueue(JobRequest.of("hangs")).id();
		Awaitility.await().until(() -> !get("").at("/longestRunning/0").isMissingNode());
		JsonNode running = get("").at("/longestRunning/0");
		assertThat(running.get("jobId").asLong()).isEqualTo(hanging);
		assertThat(running.get("type").asString()).isEqualTo("hangs");
		assertThat(Duration.parse(running.get("age").asString())).isPositive();
		assertThat(running.get("workerId").asLong()).isEqualTo(get("").at("/workers/0/id").asLong());
		assertThat(post("/jobs/" + hanging, "{'action':'cancel'}")).isEqualTo(200);
	}

	@Test
	void theEndpointShowsAJobWithHistoryAndExplanationButMasked() throws Exception {
		start(SHARED);
		long failed = fail();
		JsonNode job = get("/jobs/" + failed);
		assertThat(job.get("state").asString()).isEqualTo("failed");
		assertThat(job.at("/explanation/verdict").asString()).isEqualTo("FAILED");
		assertThat(job.at("/failures/0/attempt").asInt()).isEqualTo(1);
		assertThat(job.at("/failures/0/error").asString()).isEqualTo("java.lang.IllegalStateException: ******");
		assertThat(job.at("/explanation/summary").asString()).contains("IllegalStateException: ******. Fix");
		assertThat(job.get("payload").asString()).isEqualTo("******");
		assertThat(job.get("uniqueKey").asString()).isEqualTo("******");
		assertThat(job.toString()).doesNotContain("secret", "broken", "at io.rowqueue");
	}

	@Test
	void payloadsAndStackTracesAreShownIfConfigured() throws Exception {
		start(WITH_PAYLOADS);
		JsonNode job = get("/jobs/" + fail());
		assertThat(job.get("payload").asString()).contains("secret");
		assertThat(job.get("uniqueKey").asString()).isEqualTo("secret key");
		assertThat(job.at("/failures/0/error").asString()).contains("at io.rowqueue");
	}

	@Test
	void theEndpointReadsNoMoreOfAPayloadThanItShows() throws Exception {
		start(WITH_PAYLOADS);
		long id = this.context.getBean(JdbcTemplate.class).queryForObject("""
				insert into rowqueue.job (queue, type, state, run_at, order_at, payload)
				values ('big', 'nobody', 'scheduled', now() + interval '1 hour', now(), to_json(repeat('x', 2000000)))
				returning id""", Long.class);
		assertThat(get("/jobs/" + id).get("payload").asString())
			.hasSize(1024 * 1024 + "... (2000002 characters)".length())
			.startsWith("\"xxx")
			.endsWith("... (2000002 characters)");
		assertThat(this.context.getBean(JobStore.class).findCommitted(id, 0).orElseThrow().payload())
			.isEqualTo("... (2000002 characters)");
	}

	@Test
	void payloadsAreNotShownWithoutTheRequiredLogin() throws Exception {
		start(READ_ONLY);
		assertThat(get("/jobs/" + fail()).get("payload").asString()).isEqualTo("******");
	}

	@ParameterizedTest
	@CsvSource({ "'', ada, true", "'', '', false", "operator, ada, false", "operator, grace, true" })
	void payloadsAreShownToAUserWithTheRole(String roles, String user, boolean shown) throws Exception {
		start(roles.isEmpty() ? FOR_USERS : FOR_OPERATORS);
		this.user = user;
		JsonNode job = get("/jobs/" + fail());
		assertThat(job.get("payload").asString().contains("secret")).isEqualTo(shown);
		assertThat(job.at("/failures/0/error").asString().contains("at io.rowqueue")).isEqualTo(shown);
		assertThat(get("").at("/recentFailures/0/error").asString()).as("an overview is short")
			.isEqualTo("java.lang.IllegalStateException: " + (shown ? "broken" : "******"));
	}

	@Test
	void anOperationRecordsItsUser() throws Exception {
		start(FOR_USERS);
		this.user = "grace";
		post("/queues/mail", "{'action':'pause'}");
		assertThat(this.context.getBean(Audit.class).events).singleElement()
			.extracting(AuditEvent::getPrincipal)
			.isEqualTo("grace");
	}

	@Test
	void theApplicationsOwnSanitizingAppliesAsWell() throws Exception {
		start(SHOW_ALWAYS, "sanitize=true");
		JsonNode job = get("/jobs/" + fail());
		assertThat(job.get("payload").asString()).isEqualTo("******");
		assertThat(job.get("uniqueKey").asString()).isEqualTo("secret key");
	}

	@Test
	void anUnknownJobIsNotFound() throws Exception {
		start(SHARED);
		assertThat(send("/jobs/4711", null).statusCode()).isEqualTo(404);
		assertThat(send("/nothing/4711", null).statusCode()).isEqualTo(404);
		assertThat(send("/jobs/x", null).statusCode()).isEqualTo(400);
	}

	@Test
	void theEndpointShowsAndChangesAFlow() throws Exception {
		start(SHARED);
		FlowResult flow = queue().enqueue(
				Flow.named("order").job("a", JobRequest.of("unknown")).job("b", JobRequest.of("unknown")).after("a"));
		JsonNode shown = get("/flows/" + flow.id());
		assertThat(get("").at("/flows/0/id").asLong()).isEqualTo(flow.id());
		assertThat(get("").at("/queues/default/jobs/blocked").asInt()).isPositive();
		assertThat(shown.at("/flow/state").asString()).isEqualTo("RUNNING");
		assertThat(shown.at("/jobs/1/state").asString()).isEqualTo("BLOCKED");
		assertThat(get("/jobs/" + flow.jobId("b")).at("/explanation/verdict").asString()).isEqualTo("WAITS_FOR_JOBS");
		assertThat(post("/flows/" + flow.id(), "{'action':'retry'}")).isEqualTo(200);
		assertThat(post("/flows/" + flow.id(), "{'action':'cancel'}")).isEqualTo(200);
		assertThat(queue().find(flow.jobId("b")).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		assertThat(post("/flows/" + flow.id(), "{'action':'pause'}")).isEqualTo(400);
		assertThat(post("/flows/4711", "{'action':'cancel'}")).isEqualTo(404);
		assertThat(send("/flows/4711", null).statusCode()).isEqualTo(404);
	}

	@Test
	void theEndpointShowsAndChangesABatch() throws Exception {
		start(SHARED);
		long batch = queue().enqueueBatch(Batch.named("import").keepOpen(),
				Stream.of(JobRequest.of("unknown"), JobRequest.of("unknown")));
		assertThat(get("/batches/" + batch).at("/pending").asInt()).isEqualTo(2);
		assertThat(get("").at("/batches/0/batch/id").asLong()).isEqualTo(batch);
		assertThat(post("/batches/" + batch, "{'action':'cancel'}")).isEqualTo(200);
		assertThat(get("/batches/" + batch).at("/batch/cancelled").asInt()).isEqualTo(2);
		assertThat(post("/batches/" + batch, "{'action':'retry'}")).isEqualTo(400);
		assertThat(post("/batches/4711", "{'action':'cancel'}")).isEqualTo(404);
	}

	@Test
	void theEndpointChangesAJob() throws Exception {
		start(SHARED);
		long waiting = queue().enqueue(JobRequest.of("unknown")).id();
		assertThat(post("/jobs/" + waiting, "{'action':'retry'}")).as("it has not failed").isEqualTo(409);
		assertThat(post("/jobs/" + waiting, "{'action':'cancel'}")).isEqualTo(200);
		assertThat(queue().find(waiting).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		assertThat(post("/jobs/" + waiting, "{'action':'cancel'}")).as("it has ended").isEqualTo(404);
	}

	@Test
	void theEndpointPausesResumesAndRetriesQueuesAndTypes() throws Exception {
		start(SHARED);
		fail();
		assertThat(post("/queues/mail", "{'action':'pause','reason':'the server moves'}")).isEqualTo(200);
		assertThat(post("/types/works", "{'action':'pause'}")).isEqualTo(200);
		assertThat(admin().pauses()).extracting(Pause::name).containsExactly("mail", "works");
		assertThat(post("/queues/mail", "{'action':'resume'}")).isEqualTo(200);
		assertThat(post("/types/works", "{'action':'resume'}")).isEqualTo(200);
		assertThat(admin().pauses()).isEmpty();
		HttpResponse<String> retried = send("/types/fails", "{'action':'retry'}");
		assertThat(JsonMapper.shared().readTree(retried.body()).get("jobs").asInt()).isEqualTo(1);
	}

	@Test
	void pausingAnUnknownNameIsReported() throws Exception {
		start(SHARED);
		Awaitility.await().until(() -> !get("").at("/workers").isEmpty());
		assertThat(send("/queues/defalt", "{'action':'pause'}").body()).contains("is it misspelled?");
		assertThat(send("/queues/default", "{'action':'pause'}").body()).doesNotContain("is it misspelled?");
		assertThat(send("/types/work", "{'action':'pause'}").body()).contains("is it misspelled?");
		assertThat(send("/types/works", "{'action':'pause'}").body()).doesNotContain("is it misspelled?");
	}

	@Test
	void theEndpointShowsAndChangesSchedules() throws Exception {
		start(SHARED);
		this.context.getBean(Schedules.class)
			.put(Schedule.of("report", Rhythm.cron("0 0 2 * * *", "Europe/Berlin"),
					JobRequest.of("unknown", "a secret")));
		assertThat(post("/schedules/report", "{'action':'pause','reason':'holidays'}")).isEqualTo(200);
		JsonNode schedule = get("").at("/schedules/0");
		assertThat(schedule.get("name").asString()).isEqualTo("report");
		assertThat(schedule.get("state").asString()).isEqualTo("paused");
		assertThat(schedule.get("rhythm").asString()).isEqualTo("cron 0 0 2 * * * Europe/Berlin");
		assertThat(schedule.get("pauseReason").asString()).isEqualTo("holidays");
		assertThat(schedule.get("nextRunAt").asString()).isNotBlank();
		assertThat(schedule.toString()).doesNotContain("secret");
		assertThat(post("/schedules/report", "{'action':'resume'}")).isEqualTo(200);
		assertThat(post("/schedules/report", "{'action':'trigger'}")).isEqualTo(200);
		assertThat(post("/schedules/report", "{'action':'trigger'}")).as("its job waits").isEqualTo(409);
		assertThat(post("/schedules/report", "{'action':'cancel'}")).isEqualTo(400);
		assertThat(get("/schedules/report").at("/runs/0/origin").asString()).isEqualTo("triggered");
		assertThat(post("/schedules/other", "{'action':'pause'}")).isEqualTo(404);
		assertThat(this.context.getBean(Audit.class).events).extracting(AuditEvent::getType)
			.containsExactly("ROWQUEUE_PAUSE", "ROWQUEUE_RESUME", "ROWQUEUE_TRIGGER", "ROWQUEUE_TRIGGER",
					"ROWQUEUE_CANCEL", "ROWQUEUE_PAUSE");
	}

	@Test
	void theEndpointShowsWindows() throws Exception {
		start("rowqueue.windows.night.times=MON,TUE 23:00-06:00,SAT 00:00-24:00",
				"rowqueue.windows.night.queues=reports", "rowqueue.windows.night.zone=Europe/Moscow");
		Awaitility.await().until(() -> !get("").at("/windows").isEmpty());
		Awaitility.await().until(() -> get("").at("/windows/0/declared").asBoolean());
		JsonNode window = get("").at("/windows/0");
		assertThat(window.get("name").asString()).isEqualTo("night");
		assertThat(window.get("times").toString()).isEqualTo("[\"MON,TUE 23:00-06:00\",\"SAT 00:00-24:00\"]");
		assertThat(window.get("queues").toString()).isEqualTo("[\"reports\"]");
		assertThat(post("/windows/night", "{'action':'pause'}")).isEqualTo(400);
	}

	@Test
	void everyChangeIsAudited() throws Exception {
		start(SHARED);
		Audit audit = this.context.getBean(Audit.class);
		post("/queues/mail", "{'action':'pause','reason':'the server moves'}");
		post("/jobs/4711", "{'action':'cancel'}");
		assertThat(audit.events).extracting(AuditEvent::getType).containsExactly("ROWQUEUE_PAUSE", "ROWQUEUE_CANCEL");
		assertThat(audit.events.get(0).getData()).containsEntry("kind", "queues")
			.containsEntry("name", "mail")
			.containsEntry("outcome", "done")
			.containsEntry("reason", "the server moves")
			.containsEntry("remoteAddress", "127.0.0.1");
		assertThat(audit.events.get(1).getData()).containsEntry("outcome", "not_found");
		assertThat(audit.events.get(0).getPrincipal()).isEqualTo("unknown");
	}

	@Test
	void whatMakesNoSenseIsAuditedAsWell() throws Exception {
		start(SHARED);
		post("/jobs/4711", "{'action':'nonsense'}");
		post("/jobs/4711", "{'action':'erase'}");
		post("/nonsense/4711", "{}");
		assertThat(this.context.getBean(Audit.class).events).extracting(AuditEvent::getType)
			.containsExactly("ROWQUEUE_UNKNOWN_ACTION", "ROWQUEUE_ERASE", "ROWQUEUE_UNKNOWN_ACTION");
		assertThat(this.context.getBean(Audit.class).events)
			.allSatisfy((event) -> assertThat(event.getData()).containsEntry("outcome", "invalid")
				.containsEntry("remoteAddress", "127.0.0.1"));
		assertThat(this.context.getBean(Audit.class).events.get(0).getData()).containsEntry("action", "nonsense");
	}

	@Test
	void anOperationThatFailsForAnyReasonIsAudited() throws Exception {
		start("broken-schedules=true");
		assertThat(post("/schedules/report", "{'action':'trigger'}")).isEqualTo(500);
		assertThat(this.context.getBean(Audit.class).events).singleElement().satisfies((event) -> {
			assertThat(event.getType()).isEqualTo("ROWQUEUE_TRIGGER");
			assertThat(event.getData()).containsEntry("outcome", "failed")
				.containsEntry("message", "failed: java.lang.UnsupportedOperationException");
		});
	}

	@Test
	void readingUnmaskedDataIsAudited() throws Exception {
		start(FOR_OPERATORS);
		long id = fail();
		this.user = "ada";
		get("/jobs/" + id);
		assertThat(this.context.getBean(Audit.class).events).as("all is masked").isEmpty();
		this.user = "grace";
		get("/jobs/" + id);
		assertThat(this.context.getBean(Audit.class).events).singleElement().satisfies((event) -> {
			assertThat(event.getType()).isEqualTo("ROWQUEUE_READ");
			assertThat(event.getPrincipal()).isEqualTo("grace");
			assertThat(event.getData()).containsEntry("kind", "jobs")
				.containsEntry("name", String.valueOf(id))
				.containsEntry("remoteAddress", "127.0.0.1");
		});
	}

	@Test
	void theEndpointReportsWhatIsWrongWithARequest() throws Exception {
		start(SHARED);
		HttpResponse<String> response = send("/jobs/1", "{'action':'foo'}");
		assertThat(response.statusCode()).isEqualTo(400);
		JsonNode body = JsonMapper.shared().readTree(response.body());
		assertThat(body.get("outcome").asString()).isEqualTo("INVALID");
		assertThat(body.get("message").asString())
			.isEqualTo("the action must be pause, resume, retry, cancel, trigger");
		assertThat(send("/jobs/x", null).body()).contains("the id must be a number");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void whatOthersWroteStaysInItsLineOfTheLogAndInItsOwnOrder(CapturedOutput output) throws Exception {
		start(SHARED);
		post("/queues/a%0Ab%1Bc%C2%9Bd%C2%85e%E2%80%AEf%E2%80%A8g", "{'action':'pause'}");
		assertThat(output).contains("pause of queues 'a b c d e f g' by unknown from 127.0.0.1: paused");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aLineOfTheLogBeginsWithWhatWasRequested(CapturedOutput output) throws Exception {
		start(SHARED);
		post("/jobs/1", "{}");
		assertThat(output).contains(": a request without an action of jobs '1' by unknown from 127.0.0.1: ");
	}

	@TestFactory
	Stream<DynamicTest> whatMakesNoSenseIsRefused() {
		start(SHARED);
		return """
				/jobs/1        | {'action':'pause'}
				/jobs/x        | {'action':'cancel'}
				/jobs/-1       | {'action':'cancel'}
				/jobs/1        | {}
				/jobs/1        | {'action':'reschedule','delay':'1h'}
				/jobs/1        | {'action':'prioritize','priority':4}
				/jobs/1        | {'action':'erase'}
				/jobs/1        | {'action':'cancel','reason':'a mistake'}
				/queues/mail   | {'action':'limit','limit':'5'}
				/types/works   | {'action':'hold','delay':'1h'}
				/workers/1     | {'action':'restart'}
				/windows/night | {'action':'remove'}
				/queues/mail   | {'action':'cancel'}
				/queues/%20    | {'action':'pause'}
				/nonsense/mail | {'action':'pause'}
				""".lines()
			.map((line) -> line.split("\\|"))
			.map((row) -> DynamicTest.dynamicTest(row[0] + row[1], () -> {
				assertThat(post(row[0].strip(), row[1].strip())).isEqualTo(400);
				assertThat(this.context.getBean(Audit.class).events).isNotEmpty()
					.allSatisfy((event) -> assertThat(event.getData()).containsEntry("outcome", "invalid"));
				assertThat(admin().pauses()).isEmpty();
			}));
	}

	@Test
	void longReasonsAndNamesAreRefused() throws Exception {
		start(SHARED);
		assertThat(post("/queues/" + "x".repeat(201), "{'action':'pause'}")).isEqualTo(400);
		assertThat(post("/queues/x", "{'action':'pause','reason':'" + "x".repeat(501) + "'}")).isEqualTo(400);
	}

	@Test
	void theEndpointWritesNothingUnlessThatIsAllowed() throws Exception {
		start(READ_ONLY);
		get("");
		assertThat(post("/queues/mail", "{'action':'pause'}")).isEqualTo(405);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void anUnavailableDatabaseIsReportedAndFailedOperationsAreAudited(CapturedOutput output) throws Exception {
		this.database = new TestDatabase();
		start("spring.flyway.enabled=false");
		this.database.execute("alter table rowqueue.job rename to job_of_somebody_else");
		this.database.execute("alter table rowqueue.pause rename to pause_of_somebody_else");
		HttpResponse<String> overview = send("", null);
		assertThat(overview.statusCode()).isEqualTo(503);
		assertThat(overview.body())
			.contains("UNAVAILABLE",
					"the queue's database is not available, or rejected a statement (SQL state 42P01); see the log")
			.doesNotContain("relation");
		assertThat(output).contains("relation \"rowqueue.job\" does not exist");
		assertThat(send("/jobs/1", null).statusCode()).isEqualTo(503);
		assertThat(post("/queues/mail", "{'action':'pause'}")).isEqualTo(503);
		assertThat(this.context.getBean(Audit.class).events).singleElement()
			.satisfies((event) -> assertThat(event.getData()).containsEntry("outcome", "unavailable"));
	}

	@Test
	void versionsAreShownUnderInfoIfConfigured() throws Exception {
		start(SHARED);
		assertThat(send(URI.create(base() + "info"), null).body()).doesNotContain("schemaVersion");
		start(READ_ONLY);
		JsonNode info = JsonMapper.shared().readTree(send(URI.create(base() + "info"), null).body());
		assertThat(info.at("/rowqueue/version").asString()).matches("\\d+\\.\\d+\\.\\d+.*");
		assertThat(info.at("/rowqueue/schemaVersion/installed").asInt()).isEqualTo(SchemaPart.core().newestVersion());
		assertThat(info.at("/rowqueue/schemaVersion/library").asInt()).isEqualTo(SchemaPart.core().newestVersion());
	}

	private void start(SharedApplication application) {
		this.database = application.database;
		this.context = application.context();
		this.database.empty("worker");
		this.context.getBean(Audit.class).events.clear();
	}

	/** An application that no other test uses. */
	private void start(String... properties) {
		this.database.empty();
		this.own = run(this.database, Stream.concat(Stream.of(UNRESTRICTED), Stream.of(properties)));
		this.context = this.own;
	}

	private static ConfigurableApplicationContext run(TestDatabase database, Stream<String> properties) {
		Stream<String> always = Stream.of("server.port=0", "server.address=127.0.0.1", "spring.liquibase.enabled=false",
				"spring.main.banner-mode=off", "management.endpoints.web.exposure.include=*");
		return new SpringApplication(Everything.class)
			.run(Stream.of(always, properties, Stream.of(database.properties()))
				.flatMap((some) -> some)
				.map((property) -> "--" + property)
				.toArray(String[]::new));
	}

	private long fail() throws InterruptedException {
		long id = queue().enqueue(JobRequest.of("fails", "a secret").uniqueKey("secret key").maxAttempts(1)).id();
		queue().await(id, Duration.ofSeconds(60));
		return id;
	}

	private List<Long> ids(String query) throws Exception {
		List<Long> ids = new ArrayList<>();
		get("/jobs" + query).at("/jobs").forEach((job) -> ids.add(job.get("id").asLong()));
		return ids;
	}

	private JobQueue queue() {
		return this.context.getBean(JobQueue.class);
	}

	private JobAdmin admin() {
		return this.context.getBean(JobAdmin.class);
	}

	private String base() {
		return "http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port") + "/actuator/";
	}

	private JsonNode get(String path) throws Exception {
		HttpResponse<String> response = send(path, null);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private int post(String path, String body) throws Exception {
		return send(path, body).statusCode();
	}

	private HttpResponse<String> send(String path, String body) throws Exception {
		return send(URI.create(base() + "rowqueue" + path), body);
	}

	private HttpResponse<String> send(URI uri, String body) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60));
		if (!this.user.isEmpty()) {
			request.header("Authorization", "Basic "
					+ Base64.getEncoder().encodeToString((this.user + ":password").getBytes(StandardCharsets.UTF_8)));
		}
		if (body != null) {
			request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body.replace('\'', '"')));
		}
		return http.send(request.build(), BodyHandlers.ofString());
	}

	/** An application that several tests use and none changes, and its database. */
	private static final class SharedApplication implements AfterAllCallback {

		private final TestDatabase database = new TestDatabase();

		private final String[] properties;

		private ConfigurableApplicationContext context;

		SharedApplication(String... properties) {
			this.properties = properties;
		}

		ConfigurableApplicationContext context() {
			if (this.context == null) {
				this.context = run(this.database, Stream.of(this.properties));
			}
			return this.context;
		}

		@Override
		public void afterAll(ExtensionContext tests) {
			if (this.context != null) {
				this.context.close();
			}
			this.database.afterAll(tests);
		}

	}

	static class Audit {

		private final List<AuditEvent> events = new ArrayList<>();

		@EventListener
		void on(AuditApplicationEvent event) {
			this.events.add(event.getAuditEvent());
		}

	}

	/** Everybody has the same password, and Grace is an operator. */
	static class People extends RealmBase {

		@Override
		public Principal authenticate(String name, String password) {
			return password.equals(getPassword(name)) ? getPrincipal(name) : null;
		}

		@Override
		protected String getPassword(String name) {
			return "password";
		}

		@Override
		protected Principal getPrincipal(String name) {
			return new GenericPrincipal(name, name.equals("grace") ? List.of("operator") : List.of());
		}

	}

	/** All but JPA, which the endpoint has nothing to do with and which starts slowly. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
	static class Everything {

		@Bean
		Audit audit() {
			return new Audit();
		}

		/** A login by name and password, as a servlet container has it. */
		@Bean
		@org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty("sign-in")
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> signIn() {
			return (factory) -> factory.addContextCustomizers((server) -> {
				server.setRealm(new People());
				server.setPreemptiveAuthentication(true);
				server.getPipeline().addValve(new BasicAuthenticator());
			});
		}

		@Bean
		@org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty("sanitize")
		SanitizingFunction sanitizing() {
			return (data) -> data.getKey().endsWith("payload") ? data.withSanitizedValue() : data;
		}

		/** An interceptor of the application that fails, say. */
		@Bean
		@org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty("broken-schedules")
		static BeanPostProcessor brokenSchedules() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof Schedules) ? Proxy.newProxyInstance(getClass().getClassLoader(),
							new Class<?>[] { Schedules.class }, (proxy, method, arguments) -> {
								throw new UnsupportedOperationException(method.getName());
							}) : bean;
				}

			};
		}

		@Bean
		JobHandlers.Registrar handlers() {
			return (handlers) -> {
				handlers.add("works", String.class, (payload, job) -> {
				});
				handlers.add("hangs", String.class, (payload, job) -> new CountDownLatch(1).await());
				handlers.add("fails", String.class, (payload, job) -> {
					throw new IllegalStateException("broken");
				});
			};
		}

	}

}
