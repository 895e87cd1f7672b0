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
			page.click("document.querySelector('[aria-label=\"Pause mail\"]')");
			page.await("document.querySelector('dialog .primary') !== null");
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('.toast.problem') !== null");
			assertThat(page.evaluate("document.querySelector('.toast.problem').innerText").asString(""))
				.contains("You are not signed in", "reload the page to sign in again");
		});
	}

	@Test
	void whatWasReadForAnotherListIsNotShown() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			page.evaluate(INSTEAD.formatted("String(to).includes('cursor=')",
					"new Promise((_, left) => { window.asked = true; how.signal.addEventListener('abort',"
							+ " () => { left(how.signal.reason); window.left = true; }); })"));
			page.click("document.querySelector('.under-list button')");
			page.await("window.asked");
			page.click("document.querySelector('.tabs a[href$=\"state=queued\"]')");
			page.await("window.left && location.search === '?state=queued' && document.querySelector('tbody tr')");
			assertThat(page
				.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() =>"
						+ " shown(document.querySelector('#filter-wrong').textContent))))")
				.asString("?")).isEmpty();
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void furtherRowsThatCannotBeReadAreAProblemInWords() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("activity"));
			page.evaluate(INSTEAD.formatted("String(to).includes('cursor=')",
					"Promise.resolve(new Response(JSON.stringify({ type: 'urn:pgqueue:problem:database-busy',"
							+ " title: 'The database of the queue is busy', status: 503 }), { status: 503,"
							+ " headers: { 'Content-Type': 'application/problem+json' } }))"));
			clickOn(page, "Show more");
			page.await("document.querySelector('.toast.problem')?.innerText.includes('is busy')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void onlyTheWordThatWasRemovedLeavesTheFilterOfTheActivity() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("activity?who=ada&action=pause"));
			page.click("document.querySelector('.chip a')");
			page.await("location.search === '?action=pause'");
			page.go(server.address("activity?who=ada&kind=jobs&name=42"));
			page.click("document.querySelectorAll('.chip a')[1]");
			page.await("location.search === '?who=ada'");
		});
	}

}
