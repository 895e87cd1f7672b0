package io.pgqueue.dashboard.browser;

import java.io.IOException;
import java.util.Map;

import io.pgqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What people do on the pages, with the keyboard and with the pointer. */
class UsingPagesTests extends BrowserTest {

	@Test
	void keysGoFromPageToPageWithoutLoadingTheShellAgain() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			page.evaluate("window.stillHere = true");
			page.press("g");
			page.press("q");
			page.await("document.querySelector('h1')?.textContent === 'Queues'");
			assertThat(page.evaluate("location.href").asString("")).isEqualTo(server.address("queues"));
			page.evaluate("history.back()");
			page.await("document.querySelector('h1')?.textContent.includes('48812031')");
			assertThat(page.evaluate("window.stillHere").asBoolean()).isTrue();
		});
	}

	@Test
	void backLeadsToThePlaceInTheListThatWasLeft() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.size(1440, 400);
			page.go(server.address("jobs?state=failed"));
			page.evaluate("window.scrollTo(0, 300)");
			page.evaluate("document.querySelector('tbody th a').click()");
			page.await(
					"document.querySelector('h1')?.textContent !== 'Jobs' && document.activeElement?.id === 'title'");
			assertThat(page.evaluate("window.scrollY").asInt()).isZero();
			page.evaluate("history.back()");
			page.await(
					"document.querySelector('h1')?.textContent === 'Jobs' && document.activeElement?.id === 'title'");
			assertThat(page.evaluate("window.scrollY").asInt()).isEqualTo(300);
		});
	}

	@Test
	void thePaletteFindsAJobByItsId() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address(""));
			page.evaluate("document.querySelector('.search').click()");
			page.await("document.querySelector('dialog.palette input') === document.activeElement");
			page.send("Input.insertText", Map.of("text", "48812031"));
			page.await("document.querySelector('[role=option]').textContent.includes('48812031')");
			page.press("Enter");
			page.await("location.pathname.endsWith('/jobs/48812031')");
		});
	}

	@Test
	void aPauseIsAskedForAndCanBeUndone() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			page.evaluate("document.querySelector('[aria-label=\"Pause mail\"]').click()");
			page.await("document.querySelector('dialog h2')?.textContent === 'Pause the queue mail?'");
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: queues/mail')");
			page.evaluate(
					"[...document.querySelectorAll('.toast button')].find((b) => b.textContent === 'Undo').click()");
			page.await("document.querySelectorAll('.toast').length === 1");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void allJobsOfAFilterAreChangedAfterTheirNumberWasTyped() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			clickOn(page, "All that match…");
			page.await("document.querySelector('.selection')?.textContent.includes('All that match')");
			page.evaluate("document.querySelector('.selection .primary').click()");
			page.await("document.querySelector('dialog h2')?.textContent === 'Retry 1,000+ jobs?'");
			assertThat(page.evaluate("document.querySelector('dialog .primary').disabled").asBoolean()).isTrue();
			page.evaluate("document.querySelector('dialog input[inputmode=numeric]').focus()");
			page.send("Input.insertText", Map.of("text", "1000"));
			page.await("!document.querySelector('dialog .primary').disabled");
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("location.pathname.endsWith('/operations/92')");
			page.await("document.querySelector('main').innerText.includes('12,043')");
			assertThat(page.troubles()).isEmpty();
		});
	}

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
			page.evaluate("document.querySelector('.selection .danger').click()");
			page.await("document.querySelector('dialog h2')?.textContent === 'Cancel 1,000+ jobs?'");
			assertThat(page.evaluate("JSON.parse(window.sent[0]).target.filter").asString("")).isEqualTo(
					"state=failed&state=running&state=starting&state=stuck&state=queued&state=scheduled&state=blocked");
			page.go(server.address("jobs?") + page.evaluate("JSON.parse(window.sent[0]).target.filter").asString(""));
			page.await("document.querySelector('.tabs [aria-current=page]').textContent.includes('Active')");
		});
	}

	@Test
	void moreJobsOfAnErrorThanWereCountedAreRetriedAsAnOperation() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("errors/9f3c51aa02be77d1"));
			clickOn(page, "Retry 1,000+ jobs");
			page.await("document.querySelector('dialog h2')?.textContent === 'Retry 1,000+ jobs?'");
			page.evaluate("document.querySelector('dialog input[inputmode=numeric]').focus()");
			page.send("Input.insertText", Map.of("text", "1000"));
			page.await("!document.querySelector('dialog .primary').disabled");
			page.evaluate("document.querySelector('dialog .primary').click()");
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
			page.evaluate("document.querySelector('dialog .danger').click()");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: jobs/48812031')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void aHoldIsReleased() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("limits"));
			page.evaluate("document.querySelector('[aria-label=\"Release customer:42\"]').click()");
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
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('#wrong-name').textContent === 'Must be given.'");
			page.evaluate("document.querySelector('dialog input[name=name]').focus()");
			page.send("Input.insertText", Map.of("text", "crm.update"));
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: limits/type/crm.update')");
		});
	}

	@Test
	void aHoldWhoseNameIsHiddenIsReleased() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("limits"));
			page.evaluate("document.querySelector('[aria-label=\"Release key\"]').click()");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: holds/1700000000000002-1')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void anotherShardIsChosenInTheHead() throws IOException {
		with(Scenario.SHARDS, (page, server) -> {
			page.go(server.address("queues"));
			page.evaluate("document.querySelector('[aria-label=\"Pause mail\"]').click()");
			page.await("document.querySelector('dialog')?.textContent.includes('Applies to the shard home only.')");
			page.press("Escape");
			page.go(server.address("jobs/48812031"));
			page.evaluate("""
					(() => { const choice = document.querySelector('select.shard'); choice.value = 'us west/2';
					choice.dispatchEvent(new Event('change')); })()""");
			page.await("location.pathname.endsWith('/shards/us~20west~2F2/jobs')");
		});
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			assertThat(page.evaluate("document.querySelectorAll('.shard').length").asInt()).isZero();
		});
	}

	@Test
	void aJobThatWaitsForItsNextAttemptShowsWhyTheLastOneFailed() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs"));
			page.await("document.querySelector('tbody tr') !== null");
			assertThat(page.evaluate("document.querySelector('tbody tr:has(a[href=\"jobs/48811988\"])').innerText")
				.asString("")).contains("scheduled", "Greylisting in action");
		});
	}

	@Test
	void aTagLeadsToTheJobsThatHaveIt() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			page.evaluate("[...document.querySelectorAll('a.chip')].find((a) => a.textContent === 'blue').click()");
			page.await("location.search === '?header=tenant%3Dblue'");
		});
	}

	@Test
	void errorsAreSearched() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("errors?status=open&type=webhook"));
			page.press("/");
			page.send("Input.insertText", Map.of("text", "refused & co"));
			page.evaluate("document.querySelector('form.filter').requestSubmit()");
			page.await("location.search.includes('q=refused')");
			assertThat(page.evaluate("new URLSearchParams(location.search).get('q')").asString(""))
				.isEqualTo("refused & co");
			page.evaluate("document.querySelector('.chip button').click()");
			page.await("!location.search.includes('type=')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void aChartWithoutFiguresSaysWhenTheFirstAreExpected() throws IOException {
		with(Scenario.EMPTY, (page, server) -> {
			page.go(server.address(""));
			page.await("document.querySelector('q-chart .no-data') !== null");
			assertThat(page.evaluate("document.querySelector('q-chart .no-data').textContent").asString(""))
				.matches("No figures yet\\. The first are expected at \\d\\d:\\d\\d\\.");
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
			page.evaluate("document.querySelector('dialog textarea').select()");
			page.send("Input.insertText", Map.of("text", "{oops"));
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('#wrong-payload').textContent === 'This is not JSON.'");
			page.evaluate("document.querySelector('dialog textarea').select()");
			page.send("Input.insertText", Map.of("text", "{}"));
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: jobs')");
		});
	}

	static void clickOn(BrowserPage page, String words) {
		page.evaluate("[...document.querySelectorAll('button')].find((each) => each.textContent.trim() === '" + words
				+ "').click()");
	}

	@Test
	void theSlotsOfAWorkerAreChangedAndItIsRestarted() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("workers/36"));
			page.evaluate("document.querySelector('[aria-label=\"Change Slots reports\"]').click()");
			page.await("document.querySelector('dialog h2')?.textContent === 'Slots of this worker for reports'");
			page.evaluate("document.querySelector('dialog [name=slots]').select()");
			page.send("Input.insertText", Map.of("text", "none"));
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('#wrong-slots').textContent.includes('from 1 to 9999')");
			page.evaluate("document.querySelector('dialog [name=slots]').select()");
			page.send("Input.insertText", Map.of("text", "80"));
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelector('.toast')?.textContent.includes('Done: workers/36')");
			clickOn(page, "Restart");
			page.await("document.querySelector('dialog h2')?.textContent.startsWith('Restart the worker')");
			page.evaluate("document.querySelector('dialog .primary').click()");
			page.await("document.querySelectorAll('.toast').length === 2");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void anEscapedQuestionChangesNothing() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			page.press("c");
			page.await("document.querySelector('dialog[open]') !== null");
			page.evaluate("document.querySelector('dialog footer button').click()");
			page.await("document.querySelector('dialog') === null");
			assertThat(page.evaluate("document.querySelectorAll('.toast').length").asInt()).isZero();
		});
	}

	@Test
	void theFilterIsTheAddress() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			page.press("/");
			page.send("Input.insertText", Map.of("text", "queue:webhooks 'not found'"));
			page.evaluate("document.querySelector('form.filter').requestSubmit()");
			page.await("document.querySelectorAll('.chip').length === 2");
			assertThat(page.evaluate("location.search").asString("")).contains("state=failed", "queue=webhooks", "q=");
			page.evaluate("document.querySelector('.chip button').click()");
			page.await("!location.search.includes('queue=webhooks')");
		});
	}

	@Test
	void aReaderWhoMayOnlyLookSeesNoButtonsAndNoPayload() throws IOException {
		with(Scenario.READ_ONLY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			assertThat(page.evaluate("document.querySelectorAll('.heading .danger, .heading .primary').length").asInt())
				.isZero();
			assertThat(page.evaluate("document.querySelector('main').innerText").asString(""))
				.contains("needs payloads")
				.doesNotContain("WebhookHandler", "9007199254740993");
		});
	}

	@Test
	void aPayloadIsShownDigitByDigit() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			page.await("document.querySelector('q-json .number')");
			assertThat(page.evaluate("document.querySelector('q-json pre').textContent").asString(""))
				.contains("\"id\": 9007199254740993", "\"total\": \"129.90\"");
		});
	}

	@Test
	void aProblemIsASentenceInPlaceOfThePage() throws IOException {
		with(Scenario.AWAY, (page, server) -> {
			page.go(server.address("workers"));
			assertThat(page.evaluate("document.querySelector('[role=alert]').innerText").asString(""))
				.contains("The database does not answer", "Try again");
		});
	}

	@Test
	void aChosenThemeIsKept() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address(""));
			page.press("t");
			page.press("t");
			page.await("document.documentElement.dataset.theme === 'dark'");
			page.go(server.address("queues"));
			assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor").asString(""))
				.isEqualTo("rgb(14, 18, 23)");
		});
	}

}
