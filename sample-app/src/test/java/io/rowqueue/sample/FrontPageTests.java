package io.rowqueue.sample;

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
			.valueMatches("Location", ".*/rowqueue/");

		this.http.get().uri("/rowqueue/").exchange().expectStatus().isNotFound();
	}

}
