package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.util.Map;

import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What people change on the pages, and what they are asked before. */
class ActingOnPagesTests extends BrowserTest {

	@Test
	void aPauseIsAskedForAndCanBeUndone() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.click("document.querySelector('[aria-label=\"Pause mail\"]')");
			page.await("document.querySelector('dialog h2')?.textContent === 'Pause the queue mail?'");
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: queues/mail')");
			page.evaluate("document.querySelector('.toast .undo').focus()");
			page.press("u");
			page.await(
					"document.querySelector('.toast')?.textContent.includes('Done: queues/mail') && !document.querySelector('.undo')");
			assertThat(page.evaluate("document.activeElement.id").asString("")).as("what had the focus is gone")
				.isEqualTo("title");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void jobsThatWereNotAllCountedAreChangedAfterAllWasTyped() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			clickOn(page, "All that match…");
			page.await("document.querySelector('.selection')?.textContent.includes('All that match')");
			page.press("r");
			page.await("document.querySelector('dialog h2')?.textContent === 'Retry 1,000+ jobs?'");
			assertThat(page.evaluate("document.querySelector('dialog .primary').disabled").asBoolean()).isTrue();
			page.evaluate("document.querySelector('dialog label:last-of-type input').focus()");
			page.send("Input.insertText", Map.of("text", "all"));
			page.await("!document.querySelector('dialog .primary').disabled");
			page.click("document.querySelector('dialog .primary')");
			page.await("location.pathname.endsWith('/operations/92')");
			page.await("document.querySelector('main').innerText.includes('12,043')");
			page.go(server.address("batches/12"));
			assertThat(page.evaluate("document.querySelector('.facts').innerText").asString(""))
				.containsPattern("about .+ left at its pace");
			clickOn(page, "Retry 1,198 jobs");
			page.await("document.querySelector('dialog h2')?.textContent === 'Retry 1,000+ jobs?'");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Tag("thorough")
	@Test
	void aChangeOfAllJobsWithoutAFilterNamesTheirStates() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs"));
			page.evaluate(
					"""
							window.sent = []; const before = window.fetch;
							window.fetch = (to, how) => { how?.body && window.sent.push(how.body); return before(to, how); }""");
			clickOn(page, "All that match…");
			page.await("document.querySelector('.selection')?.textContent.includes('All that match')");
			page.click("document.querySelector('.selection .danger')");
			page.await("document.querySelector('dialog h2')?.textContent === 'Cancel 1,000+ jobs?'");
			assertThat(page.evaluate("JSON.parse(window.sent[0]).target.filter").asString("")).isEqualTo(
					"state=failed&state=running&state=starting&state=stuck&state=queued&state=scheduled&state=blocked");
			page.go(server.address("jobs?") + page.evaluate("JSON.parse(window.sent[0]).target.filter").asString(""));
			page.await("document.querySelector('.tabs [aria-current=page]').textContent.includes('Active')");
		});
	}

	/** It is shown above the list: all jobs would be changed if it was left out. */
	@Test
	void aWordOfTheFilterWithoutAValueIsSentForTheServerToRefuse() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed&type="));
			page.evaluate(
					"""
							window.sent = []; const before = window.fetch;
							window.fetch = (to, how) => { how?.body && window.sent.push(how.body); return before(to, how); }""");
			clickOn(page, "All that match…");
			page.await("document.querySelector('.selection .danger') !== null");
			page.click("document.querySelector('.selection .danger')");
			page.await("window.sent.length > 0");
			assertThat(page.evaluate("JSON.parse(window.sent[0]).target.filter").asString(""))
				.isEqualTo("state=failed&type=");
			assertThat(page
				.evaluate(
						"performance.getEntriesByType('resource').map((each) => each.name.split('/api/')[1]).join(' ')")
				.asString("")).contains("jobs?state=failed&type=&limit=50");
		});
	}

	@Tag("thorough")
	@Test
	void moreJobsOfAnErrorThanWereCountedAreRetriedAsAnOperation() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("errors/9f3c51aa02be77d1"));
			clickOn(page, "Retry 1,000+ jobs");
			page.await("document.querySelector('dialog h2')?.textContent === 'Retry 1,000+ jobs?'");
			page.evaluate("document.querySelector('dialog label:last-of-type input').focus()");
			page.send("Input.insertText", Map.of("text", "all"));
			page.await("!document.querySelector('dialog .primary').disabled");
			page.click("document.querySelector('dialog .primary')");
			page.await("location.pathname.endsWith('/operations/92')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void aJobIsErasedAfterItsIdWasTyped() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			clickOn(page, "Erase…");
			page.await("document.querySelector('dialog h2')?.textContent === 'Erase job 48812031 (webhook)?'");
			assertThat(page.evaluate("document.querySelector('dialog .danger').disabled").asBoolean()).isTrue();
			page.evaluate("document.querySelector('dialog input').focus()");
			page.send("Input.insertText", Map.of("text", "48812031"));
			page.await("!document.querySelector('dialog .danger').disabled");
			page.click("document.querySelector('dialog .danger')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: jobs/48812031')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Tag("thorough")
	@Test
	void aHoldIsReleased() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("limits"));
			page.click("document.querySelector('[aria-label=\"Release customer:42\"]')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: limits/key/customer')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void aHoldNeedsANameAndATime() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("limits"));
			clickOn(page, "Hold…");
			page.await("document.querySelector('dialog h2')?.textContent === 'Hold jobs for some time'");
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('#wrong-name').textContent === 'Must be given.'");
			page.evaluate("document.querySelector('dialog input[name=name]').focus()");
			page.send("Input.insertText", Map.of("text", "crm.update"));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: limits/type/crm.update')");
		});
	}

	@Tag("thorough")
	@Test
	void aHoldWhoseNameIsHiddenIsReleased() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("limits"));
			page.click("document.querySelector('[aria-label=\"Release key\"]')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: holds/1700000000000002-1')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void aPayloadThatIsNoJsonIsNotSent() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs"));
			clickOn(page, "Enqueue…");
			page.await("document.querySelector('dialog textarea') !== null");
			page.evaluate("document.querySelector('dialog [name=type]').focus()");
			page.send("Input.insertText", Map.of("text", "report"));
			page.evaluate("document.querySelector('dialog [name=queue]').focus()");
			page.await("document.querySelector('dialog textarea').value.includes('\"event\": \"created\"')");
			assertThat(page.evaluate("document.querySelector('dialog summary').innerText").asString(""))
				.isEqualTo("Schema of com.acme.shop.webhook.Webhook");
			page.evaluate("document.querySelector('dialog textarea').select()");
			page.send("Input.insertText", Map.of("text", "{oops"));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('#wrong-payload').textContent === 'This is not JSON.'");
			page.evaluate("document.querySelector('dialog textarea').select()");
			page.send("Input.insertText", Map.of("text", "{}"));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: jobs')");
		});
	}

	@Test
	void theSlotsOfAWorkerAreChangedAndItIsRestarted() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("workers/36"));
			page.click("document.querySelector('[aria-label=\"Change Slots reports\"]')");
			page.await("document.querySelector('dialog h2')?.textContent === 'Slots of this worker for reports'");
			page.evaluate("document.querySelector('dialog [name=slots]').select()");
			page.send("Input.insertText", Map.of("text", "none"));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('#wrong-slots').textContent.includes('from 1 to 9999')");
			page.evaluate("document.querySelector('dialog [name=slots]').select()");
			page.send("Input.insertText", Map.of("text", "80"));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: workers/36')");
			clickOn(page, "Restart");
			page.await("document.querySelector('dialog h2')?.textContent.startsWith('Restart the worker')");
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelectorAll('.toast').length === 2");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void anEscapedQuestionChangesNothingAndGivesTheFocusBack() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			clickOn(page, "Erase…");
			page.await("document.querySelector('dialog[open]') !== null");
			page.click("document.querySelector('dialog footer button')");
			page.await("document.querySelector('dialog') === null");
			assertThat(page.evaluate("document.activeElement.matches('.menu:not([open]) summary')").asBoolean())
				.as("the menu that asked")
				.isTrue();
			assertThat(page.evaluate("document.querySelectorAll('.toast').length").asInt()).isZero();
		});
	}

}
