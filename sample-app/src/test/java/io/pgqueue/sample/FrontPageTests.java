package io.pgqueue.sample;

import org.junit.jupiter.api.Test;

class FrontPageTests extends RunningSample implements OnDevPostgres {

	@Test
	void theRootLeadsToTheDashboard() {
		this.http.get()
			.uri("/")
			.exchange()
			.expectStatus()
			.isFound()
			.expectHeader()
			.valueMatches("Location", ".*/pgqueue/");

		this.http.get().uri("/pgqueue/").exchange().expectStatus().isNotFound();
	}

}
