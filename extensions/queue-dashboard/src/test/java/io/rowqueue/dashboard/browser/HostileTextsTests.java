package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.util.List;

import io.rowqueue.dashboard.fixture.FixtureServer;
import io.rowqueue.dashboard.fixture.HostileTexts;
import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each hostile text in every field of every page: it is shown as text, nothing of it
 * runs, and the policy has nothing to prevent.
 */
class HostileTextsTests extends BrowserTest {

	private static final List<String> PAGES = EveryPageTests.PAGES.stream()
		.filter((page) -> !page.contains("?"))
		.toList();

	/** How many texts a field has at once. */
	private static final int TOGETHER = 5;

	@Test
	void areShownAsText() throws IOException {
		List<String> all = HostileTexts.all();
		List<String> texts = "full".equals(System.getProperty("rowqueue.test.dose")) ? all : all.subList(0, TOGETHER);
		with(Scenario.HOSTILE, (page, server) -> {
			for (int from = 0; from < texts.size(); from += TOGETHER) {
				int to = Math.min(from + TOGETHER, texts.size());
				server.say(String.join(" ", texts.subList(from, to)));
				page.go(server.address(PAGES.get(PAGES.size() - 1)));
				for (String each : PAGES) {
					page.follow(server.address(each));
					for (int i = from; i < to; i++) {
						shows(page, HostileTexts.mark(i), each);
					}
					isHarmless(page, each + ": from " + HostileTexts.mark(from));
				}
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** What is asked before something is changed names it truly. */
	@Test
	void aQuestionShowsThemAsText() throws IOException {
		with(Scenario.HOSTILE, (page, server) -> {
			server.say("mail\\u202eevil\\u2066");
			page.go(server.address("queues"));
			page.click("document.querySelector('button.pause')");
			page.await("document.querySelector('dialog h2') !== null");
			assertThat(page.evaluate("document.querySelector('dialog').innerText").asString(""))
				.contains("mail\\u202eevil\\u2066")
				.doesNotContainPattern("[\u202a-\u202e\u2066-\u2069]");
		});
	}

	private static void shows(BrowserPage page, String mark, String where) {
		assertThat(page.evaluate("document.body.textContent.includes('" + mark + "')").asBoolean())
			.as("%s: %s", where, mark)
			.isTrue();
	}

	private static void isHarmless(BrowserPage page, String where) {
		assertThat(page.evaluate("String(window.owned)").asString("")).as(where).isEqualTo("undefined");
		assertThat(page
			.evaluate(
					"document.querySelectorAll('main img, main script, main iframe, main style, main [onload]').length")
			.asInt()).as(where).isZero();
		assertThat(page.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069\\u001b]/.test(document.body.innerText)").asBoolean())
			.as(where)
			.isFalse();
		assertThat(page
			.evaluate("[...document.links].filter((link) => !/^https?:/.test(link.href)"
					+ " || new URL(link.href).origin !== location.origin).map((link) => link.href).join()")
			.asString("")).as(where).isEmpty();
	}

}
