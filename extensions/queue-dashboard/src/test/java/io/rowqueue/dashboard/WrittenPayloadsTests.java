package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Payloads that people write: for waiting jobs, for copies of jobs, and for new jobs. */
class WrittenPayloadsTests {

	private static final String JOBS = "/rowqueue/api/jobs";

	private static final String[] ADMIN = { Hosts.LEVEL, "admin" };

	private final Host host = Hosts.of(Host.Kind.SERVLET);

	@Test
	void aWaitingJobGetsAnotherPayload() {
		long id = enqueue();
		String revision = revision(id);
		String body = "{\"action\": \"edit\", \"payload\": \"{\\\"card\\\": 2.10}\", \"revision\": \"%s\"}"
			.formatted(revision);
		HttpResponse<String> edited = this.host.post(JOBS + "/" + id, body, ADMIN);
		assertThat(edited.statusCode()).as(edited.body()).isEqualTo(200);
		assertThat(payload(id)).isEqualTo("{\"card\": 2.10}");
		HttpResponse<String> stale = this.host.post(JOBS + "/" + id, body, ADMIN);
		assertThat(stale.statusCode()).isEqualTo(409);
		assertThat(Host.json(stale).get("type").asString()).endsWith(":changed");
		String recorded = this.host.jdbc()
			.sql("select string_agg(o::text, ' ') from rowqueue.operation o where kind = 'jobs' and name = ?")
			.param(String.valueOf(id))
			.query(String.class)
			.single();
		assertThat(recorded).contains("edit", "14 characters").doesNotContain("2.10", "card", "sha");
	}

	@Test
	void whatIsNoJsonIsRefused() {
		long id = enqueue();
		for (String payload : new String[] { "not json", "{", "" }) {
			HttpResponse<String> response = this.host.post(JOBS + "/" + id,
					"{\"action\": \"edit\", \"payload\": \"" + payload + "\", \"revision\": \"" + revision(id) + "\"}",
					ADMIN);
			assertThat(response.statusCode()).as(payload + response.body()).isEqualTo(400);
			assertThat(response.body()).contains("ayload must be JSON");
		}
		assertThat(payload(id)).contains(Hosts.PAYLOAD);
		assertThat(this.host.post(JOBS + "/" + id, "{\"action\": \"edit\", \"payload\": \"1\"}", ADMIN).statusCode())
			.as("without a revision")
			.isEqualTo(400);
	}

	@Test
	void aCopyHasThePayloadOfTheJobOrAnother() {
		long id = enqueue();
		long copy = job(this.host.post(JOBS + "/" + id, "{\"action\": \"replay\"}", ADMIN));
		assertThat(payload(copy)).isEqualTo(payload(id));
		long other = job(this.host.post(JOBS + "/" + id, "{\"action\": \"replay\", \"payload\": \"[1]\"}", ADMIN));
		assertThat(payload(other)).isEqualTo("[1]");
		JsonNode shown = Host.json(this.host.get(JOBS + "/" + other, ADMIN)).get("job");
		assertThat(shown.get("type").asString()).isEqualTo("written");
		assertThat(shown.get("queue").asString()).isEqualTo("later");
		assertThat(shown.get("priority").asInt()).isEqualTo(3);
	}

	@Test
	void aNewJobIsEnqueued() {
		long id = job(this.host.post(JOBS,
				"{\"type\": \"written\", \"queue\": \"q\", \"payload\": \"{}\", \"priority\": -2, \"delayMs\": 3600000}",
				ADMIN));
		JsonNode shown = Host.json(this.host.get(JOBS + "/" + id, ADMIN)).get("job");
		assertThat(shown.get("state").asString()).isEqualTo("scheduled");
		assertThat(shown.get("priority").asInt()).isEqualTo(-2);
		assertThat(this.host.post(JOBS, "{\"type\": \"writen\"}", ADMIN).body()).contains("is it misspelled?\"");
		assertThat(this.host.post(JOBS, "{\"type\": \"welcome-mail\"}", ADMIN).body()).doesNotContain("misspelled");
		for (String body : new String[] { "{}", "{\"type\": \" \"}", "{\"type\": \"a\", \"delayMs\": -1}",
				"{\"type\": \"a\", \"payload\": \"{\"}", "{\"type\": \"a\", \"priority\": 40000}" }) {
			assertThat(this.host.post(JOBS, body, ADMIN).statusCode()).as(body).isEqualTo(400);
		}
	}

	/** A handler of this process has to be able to read it. */
	@Test
	void aPayloadFitsTheHandlerOfThisProcess() {
		aPayloadFitsTheHandler(Host.Kind.SERVLET);
	}

	@Tag("thorough")
	@Test
	void aPayloadFitsTheHandlerOfThisReactiveProcess() {
		aPayloadFitsTheHandler(Host.Kind.REACTIVE);
	}

	private static void aPayloadFitsTheHandler(Host.Kind kind) {
		try (Host host = Host.start(kind, new Class<?>[] { Hosts.LevelsByHeader.class, Handlers.class })) {
			assertThat(host.post(JOBS, "{\"type\": \"counted\", \"payload\": \"7\"}", ADMIN).statusCode())
				.isEqualTo(200);
			HttpResponse<String> refused = host.post(JOBS,
					"{\"type\": \"counted\", \"payload\": \"{\\\"card\\\": 1}\"}", ADMIN);
			assertThat(refused.statusCode()).isEqualTo(400);
			assertThat(refused.body()).contains("counted", "Integer").doesNotContain("card");
		}
	}

	private long enqueue() {
		return this.host.bean(JobQueue.class)
			.enqueue(JobRequest.of("written", Map.of("card", Hosts.PAYLOAD))
				.queue("later")
				.priority(3)
				.delay(Duration.ofHours(1)))
			.id();
	}

	private String revision(long id) {
		return Host.json(this.host.get(JOBS + "/" + id, ADMIN)).get("revision").asString();
	}

	private static long job(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return Host.json(response).get("job").asLong();
	}

	private String payload(long id) {
		return this.host.jdbc()
			.sql("select payload::text from rowqueue.job where id = ?")
			.param(id)
			.query(String.class)
			.single();
	}

	static class Handlers {

		@Bean
		JobHandlers.Registrar counted() {
			return (handlers) -> handlers.add("counted", Integer.class, (count, context) -> {
			});
		}

	}

}
