package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.util.Map;

import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a reader is told when the application answers otherwise than expected. */
class PagesInTroubleTests extends BrowserTest {

	/** The clock goes on: a look that had begun before it was set counts as one after. */
	private static final String LOOKED = "(window.time += 500, window.looked > 0)";

	/** Answers some requests of the page in place of the server. */
	private static final String INSTEAD = """
			{ const before = window.fetch; window.fetch = (to, how) => %s ? %s : before(to, how); } 0""";

	private static final String BUSY = """
			Promise.resolve(new Response(JSON.stringify({ type: 'urn:rowqueue:problem:%s', title: 'The database of the queue is busy' }),
				{ status: %d, headers: { 'Content-Type': 'application/problem+json' } }))""";

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

	@Tag("thorough")
	@Test
	void anActionThatIsAnsweredByAPageToSignInSaysSo() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.evaluate(INSTEAD.formatted("how?.method === 'POST'",
					"Promise.resolve(new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }))"));
			page.click("document.querySelector('[aria-label=\"Pause mail\"]')");
			page.await("document.querySelector('dialog .primary') !== null");
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('dialog [role=alert]')?.innerText.includes('You are not signed in')");
			assertThat(page.evaluate("document.querySelector('dialog [role=alert]').innerText").asString(""))
				.contains("reload the page to sign in again");
		});
	}

	/** A payload of hours is in the dialog. */
	@Test
	void whatWasTypedIsStillThereWhenTheServerRefusesIt() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs"));
			clickOn(page, "Enqueue…");
			page.await("document.querySelector('dialog textarea') !== null");
			page.evaluate("document.querySelector('dialog [name=type]').focus()");
			page.send("Input.insertText", Map.of("text", "report"));
			page.evaluate(INSTEAD.formatted("how?.method === 'POST'", BUSY.formatted("invalid-request", 400)));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('dialog [role=alert]')?.innerText.includes('is busy')");
			assertThat(page.evaluate("document.querySelector('dialog [name=type]').value").asString(""))
				.isEqualTo("report");
			assertThat(page.evaluate("document.querySelector('dialog .primary').disabled").asBoolean()).isFalse();
			page.click("document.querySelector('dialog footer button')");
			page.await("document.querySelector('dialog') === null");
			assertThat(page.troubles()).isEmpty();
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

	@Tag("thorough")
	@Test
	void furtherRowsThatCannotBeReadAreAProblemInWords() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("activity"));
			page.evaluate(INSTEAD.formatted("String(to).includes('cursor=')",
					"Promise.resolve(new Response(JSON.stringify({ type: 'urn:rowqueue:problem:database-busy',"
							+ " title: 'The database of the queue is busy', status: 503 }), { status: 503,"
							+ " headers: { 'Content-Type': 'application/problem+json' } }))"));
			clickOn(page, "Show more");
			page.await("document.querySelector('.toast.problem')?.innerText.includes('is busy')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** A process that hangs keeps the connection, and sends nothing. */
	@Tag("thorough")
	@Test
	void aServerThatDoesNotAnswerIsAway() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.await("document.querySelector('.liveness.live') !== null");
			page.evaluate(
					"""
							AbortSignal.timeout = () => { const late = new AbortController();
								window.late = () => late.abort(new DOMException('too late', 'TimeoutError')); return late.signal; }; 0""");
			page.evaluate(INSTEAD.formatted("true",
					"new Promise((_, left) => how.signal.addEventListener('abort', () => left(how.signal.reason)))"));
			page.await("window.late");
			page.await("(window.late(), document.querySelector('.liveness.stale'))");
			assertThat(page.evaluate("document.querySelector('.banner.warning').innerText").asString(""))
				.contains("This page tries again by itself");
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** They would be taken for the jobs of the tab that is shown as chosen. */
	@Test
	void jobsOfAnotherTabAreNotShownWhenThoseOfThisOneCannotBeRead() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			page.await("document.querySelector('tbody tr') !== null");
			page.evaluate(INSTEAD.formatted("String(to).includes('/jobs?')", BUSY.formatted("database-busy", 503)));
			page.click("document.querySelector('.tabs a[href$=\"state=queued\"]')");
			page.await("document.querySelector('[role=alert]')?.innerText.includes('is busy')");
			assertThat(page.evaluate("document.querySelectorAll('tbody tr').length").asInt()).isZero();
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** Searches that repeat themselves would use up what a minute allows. */
	@Test
	void aListThatIsSearchedForATextIsNotSearchedWithEachLook() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.evaluate(
					"window.time = Date.now(); Date.now = () => window.time; window.searched = 0; window.looked = 0");
			page.evaluate(INSTEAD.formatted("/\\/jobs(\\/summary)?\\?/.test(to) && (window.searched++, false) || "
					+ "String(to).endsWith('/attention') && (window.looked++, false)", "null"));
			page.evaluate("document.querySelector('#title').append(Object.assign(document.createElement('a'),"
					+ " { id: 'search', href: 'jobs?state=failed&q=refused' }))");
			page.click("document.querySelector('#search')");
			page.await("document.querySelector('tbody [aria-label^=\"Retry\"]') !== null");
			page.evaluate("window.time += 6_000; window.searched = 0; window.looked = 0");
			page.await(LOOKED);
			assertThat(page.evaluate("window.searched").asInt()).isZero();
			page.click("document.querySelector('tbody [aria-label^=\"Retry\"]')");
			page.await("window.searched > 0");
			page.evaluate("window.searched = 0; window.time += 60_000; window.looked = 0");
			page.await(LOOKED);
			assertThat(page.evaluate("window.searched").asInt()).as("forgotten tabs search nothing").isZero();
			clickOn(page, "Show the latest");
			page.await("window.searched > 0");
		});
	}

	@Test
	void jobsThatAreShownStayWhileTooManySearchesRun() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed&q=refused"));
			page.await("document.querySelector('tbody tr') !== null");
			page.evaluate(INSTEAD.formatted("String(to).includes('/jobs?')", BUSY.formatted("busy", 429)));
			page.click("document.querySelector('tbody [aria-label^=\"Retry\"]')");
			page.await("document.querySelector('.banner.warning')?.innerText.includes('is busy')");
			assertThat(page.evaluate("document.querySelectorAll('tbody tr').length").asInt()).isPositive();
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** As after an update of the application. */
	@Test
	void anAnswerThatThePageDoesNotKnowIsAProblemInWords() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.evaluate(INSTEAD.formatted("String(to).endsWith('/workers')",
					"Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } }))"));
			page.press("g");
			page.press("w");
			page.await("document.querySelector('[role=alert]')?.innerText.includes('This page cannot be shown')");
			page.press("g");
			page.press("q");
			page.await("document.querySelector('h1')?.textContent === 'Queues'");
		});
	}

	@Tag("thorough")
	@Test
	void onlyTheWordThatWasRemovedLeavesTheFilterOfTheActivity() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("activity?who=ada&action=pause"));
			page.click("document.querySelector('.chip a')");
			page.await("location.search === '?action=pause'");
			page.go(server.address("activity?who=ada&kind=jobs&name=42"));
			page.click("document.querySelectorAll('.chip a')[1]");
			page.await("location.search === '?who=ada&kind=jobs'");
			page.go(server.address("activity?who=ada&kind=jobs&name=42"));
			page.click("document.querySelector('.tabs a')");
			page.await("location.search === '?who=ada'");
		});
	}

}
