package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.util.Map;

import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Tag;
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

	@Tag("thorough")
	@Test
	void backLeadsToThePlaceInTheListThatWasLeft() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.size(1440, 400);
			page.go(server.address("jobs?state=failed"));
			page.evaluate("window.scrollTo(0, 300)");
			page.click("document.querySelector('tbody th a')");
			page.await(
					"document.querySelector('h1')?.textContent !== 'Jobs' && document.activeElement?.id === 'title'");
			assertThat(page.evaluate("window.scrollY").asInt()).isZero();
			page.evaluate("history.back()");
			page.await(
					"document.querySelector('h1')?.textContent === 'Jobs' && document.activeElement?.id === 'title'");
			assertThat(page.evaluate("window.scrollY").asInt()).isEqualTo(300);
		});
	}

	/** The checkbox that was clicked on has the focus. */
	@Tag("thorough")
	@Test
	void keysWorkAfterARowWasSelectedWithThePointer() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			page.await("document.querySelector('tbody input[type=checkbox]') !== null");
			page.evaluate("document.querySelector('tbody input[type=checkbox]').focus()");
			page.click("document.querySelector('tbody input[type=checkbox]')");
			page.await("document.querySelector('.selection') !== null");
			page.press("Escape");
			page.await("document.querySelector('.selection') === null");
			page.press("j");
			page.await("document.activeElement.matches('tbody a')");
		});
	}

	@Test
	void thePaletteFindsAJobByItsId() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address(""));
			page.click("document.querySelector('.search')");
			page.await("document.querySelector('dialog.palette input') === document.activeElement");
			page.send("Input.insertText", Map.of("text", "48812031"));
			page.await("document.querySelector('[role=option]').textContent.includes('48812031')");
			page.press("Enter");
			page.await("location.pathname.endsWith('/jobs/48812031')");
		});
	}

	/** The measurement does not name it. */
	@Test
	void thePaletteOpensAQueueThatNoListHas() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address(""));
			page.click("document.querySelector('.search')");
			page.await("document.querySelector('dialog.palette input') === document.activeElement");
			page.send("Input.insertText", Map.of("text", "tenant-271"));
			page.await("document.querySelector('[role=option]')?.textContent.includes('tenant-271')");
			page.press("Enter");
			page.await("location.pathname.endsWith('/queues/tenant-271')");
		});
	}

	@Test
	void aLongListIsSearchedByName() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("types"));
			page.await("document.querySelectorAll('tbody tr').length === 10");
			page.evaluate("document.querySelector('[name=by-name]').focus()");
			page.send("Input.insertText", Map.of("text", "MAIL"));
			page.await("document.querySelectorAll('tbody tr').length < 10");
			assertThat(page
				.evaluate(
						"[...document.querySelectorAll('tbody th')].every((each) => each.textContent.includes('mail'))")
				.asBoolean()).isTrue();
			page.go(server.address("queues"));
			page.await("document.querySelectorAll('tbody tr').length > 0");
			assertThat(page.evaluate("document.querySelectorAll('[name=by-name]').length").asInt())
				.as("a short list needs no search")
				.isZero();
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Test
	void anotherShardIsChosenInTheHead() throws IOException {
		with(Scenario.SHARDS, (page, server) -> {
			page.go(server.address("queues"));
			page.click("document.querySelector('[aria-label=\"Pause mail\"]')");
			page.await("document.querySelector('dialog')?.textContent.includes('Applies to the shard home only.')");
			page.press("Escape");
			page.go(server.address("jobs/48812031"));
			// a browser that keeps the page to come back to keeps what it says
			assertThat(page.evaluate("""
					(() => { const choice = document.querySelector('select.shard'); choice.value = 'us west/2';
					choice.dispatchEvent(new Event('change')); return choice.value; })()""").asString(""))
				.isEqualTo("home");
			page.await("location.pathname.endsWith('/shards/us~20west~2F2/jobs')");
		});
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("queues"));
			assertThat(page.evaluate("document.querySelectorAll('.shard').length").asInt()).isZero();
		});
	}

	@Tag("thorough")
	@Test
	void aJobThatWaitsForItsNextAttemptShowsWhyTheLastOneFailed() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs"));
			page.await("document.querySelector('tbody tr') !== null");
			assertThat(page.evaluate("document.querySelector('tbody tr:has(a[href=\"jobs/48811988\"])').innerText")
				.asString("")).contains("retrying", "Greylisting in action");
		});
	}

	@Test
	void aSavedViewIsOpenedFromThePaletteAndRemoved() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed&type=webhook"));
			clickOn(page, "Save view");
			page.await("document.querySelector('dialog input') !== null");
			page.evaluate("document.querySelector('dialog input').focus()");
			page.send("Input.insertText", Map.of("text", "Broken hooks"));
			page.click("document.querySelector('dialog .primary')");
			page.await("document.querySelector('form.filter').textContent.includes('Remove view Broken hooks')");
			page.go(server.address("queues"));
			page.click("document.querySelector('.search')");
			page.await("document.querySelector('dialog.palette input') === document.activeElement");
			page.send("Input.insertText", Map.of("text", "Broken"));
			page.await("document.querySelector('[role=option]')?.textContent.includes('Broken hooks')");
			page.press("Enter");
			page.await("location.search.includes('type=webhook')");
			clickOn(page, "Remove view Broken hooks");
			page.await("document.querySelector('form.filter').textContent.includes('Save view')");
			assertThat(page.evaluate("JSON.parse(localStorage.getItem('rowqueue')).views.length").asInt()).isZero();
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Tag("thorough")
	@Test
	void aTagLeadsToTheJobsThatHaveIt() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs/48812031"));
			page.click("[...document.querySelectorAll('a.chip')].find((a) => a.textContent === 'blue')");
			page.await("location.search === '?header=tenant%3Dblue'");
		});
	}

	@Tag("thorough")
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
			page.click("document.querySelector('.chip button')");
			page.await("!location.search.includes('type=')");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Tag("thorough")
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
	void theFilterIsTheAddress() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address("jobs?state=failed"));
			page.press("/");
			page.send("Input.insertText", Map.of("text", "queue:webhooks 'not found'"));
			page.evaluate("document.querySelector('form.filter').requestSubmit()");
			page.await("document.querySelectorAll('.chip').length === 2");
			assertThat(page.evaluate("location.search").asString("")).contains("state=failed", "queue=webhooks", "q=");
			page.click("document.querySelector('.chip button')");
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

	@Tag("thorough")
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

	@Tag("thorough")
	@Test
	void aChosenThemeIsKept() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address(""));
			page.press("t");
			page.press("t");
			page.await("document.documentElement.dataset.theme === 'dark'");
			page.go(server.address("queues"));
			assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor").asString(""))
				.isEqualTo("rgb(12, 16, 22)");
		});
	}

}
