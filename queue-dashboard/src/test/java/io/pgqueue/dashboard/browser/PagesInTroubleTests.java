package io.pgqueue.dashboard.browser;

import java.io.IOException;

import io.pgqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a reader is told when the application answers otherwise than expected. */
class PagesInTroubleTests extends BrowserTest {

	/** Answers some requests of the page in place of the server. */
	private static final String INSTEAD = """
			{ const before = window.fetch; window.fetch = (to, how) => %s ? %s : before(to, how); } 0""";

	@Test
	void aReaderWhoseSessionHasEndedIsToldSo() throws IOException {
		with(Scenario.SIGNED_OUT, (page, server) -> {
			page.go(server.address("queues"));
			assertThat(page.evaluate("document.querySelector('[role=alert]').innerText").asString(""))
				.contains("You are not signed in", "reload the page to sign in again")
				.doesNotContain("SyntaxError");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void anActionThatIsAnsweredByAPageToSignInSaysSo() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.evaluate(INSTEAD.formatted("how?.method === 'POST'",
					"Promise.resolve(new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }))"));
			page.evaluate("document.querySelector('[aria-label=\"Pause mail\"]').click()");
			page.await("document.querySelector('dialog .primary') !== null");
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('.toast.problem') !== null");
			assertThat(page.evaluate("document.querySelector('.toast.problem').innerText").asString(""))
				.contains("You are not signed in", "reload the page to sign in again");
		});
	}

}
