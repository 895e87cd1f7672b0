package io.rowqueue.sample.signup;

import java.util.Map;

import io.rowqueue.sample.RunningSample;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a sign-up does, on whatever PostgreSQL. */
abstract class SignUpContract extends RunningSample {

	@Test
	void aSignUpEndsInAMailAndInAWebhookThatWasRefusedTwice() {
		post("/api/users", Map.of("name", "Ada Lovelace", "email", "ada@example.org")).expectStatus().isCreated();

		await().untilAsserted(() -> assertThat(list("/api/inbox")).filteredOn("to", "ada@example.org")
			.singleElement()
			.satisfies((mail) -> assertThat(mail).containsEntry("subject", "Welcome, Ada Lovelace")));
		await().untilAsserted(() -> assertThat(list("/demo/receiver"))
			.filteredOn((webhook) -> webhook.get("body").toString().contains("ada@example.org"))
			.singleElement()
			.satisfies((webhook) -> await()
				.untilAsserted(() -> assertThat(get("/api/jobs/" + webhook.get("id"))).containsEntry("attempt", 3)
					.containsEntry("state", "SUCCEEDED"))));
	}

	@Test
	void aSignUpWithATakenAddressLeavesNeitherUserNorJob() {
		post("/api/users", Map.of("name", "Grace", "email", "grace@example.org")).expectStatus().isCreated();
		int users = count("users");
		int jobs = jobs();

		post("/api/users", Map.of("name", "Grace again", "email", "Grace@example.org")).expectStatus()
			.isEqualTo(HttpStatus.CONFLICT)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("There is a user with the address Grace@example.org");

		assertThat(count("users")).isEqualTo(users);
		assertThat(jobs()).isEqualTo(jobs);
	}

	@Test
	void aSignUpIsRefusedWithTheReasonOfEachField() {
		int jobs = jobs();

		post("/api/users", Map.of("name", " ", "email", "nobody")).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.errors.name")
			.isEqualTo("must not be blank")
			.jsonPath("$.errors.email")
			.isEqualTo("must be a well-formed email address");

		assertThat(jobs()).isEqualTo(jobs);
	}

	/** Waiting, running and over: whatever workers do meanwhile, the sum stays. */
	private int jobs() {
		return count("(select id from rowqueue.job union all select id from rowqueue.job_finished) job");
	}

}
