package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

import io.rowqueue.dashboard.fixture.FixtureServer;
import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Every page in a real browser: no error in its console, no violation of its policy, no
 * request to another origin, and none of the problems that axe knows.
 */
class EveryPageTests extends BrowserTest {

	static final List<String> PAGES = List.of("", "jobs", "jobs?state=failed&queue=webhooks", "jobs/48812031", "queues",
			"queues/webhooks", "types", "types/webhook", "workers", "workers/36", "schedules",
			"schedules/nightly-report", "flows", "flows/1207", "batches", "batches/12", "limits", "health", "activity",
			"operations/92", "jobs/48812031/compare/48812032",

			"errors", "errors/9f3c51aa02be77d1", "lanes", "calendar", "calendar?days=1", "versions", "?range=7d");

	private static final String VIOLATIONS = """
			axe.run(document, { resultTypes: ['violations'], %s }).then(({ violations }) => violations.map((one) =>
				one.id + ': ' + one.nodes.map((node) => node.target + ' ' + node.failureSummary).slice(0, 3).join('; ')))
			""";

	/** Themes differ in nothing else, and all rules take seconds a page. */
	private static final String COLORS = "runOnly: ['color-contrast', 'link-in-text-block']";

	/** What has a name and the keyboard reaches, and tabs, are left out. */
	private static final String SCROLLED_SIDEWAYS = """
			[...document.querySelectorAll('main *')].filter((each) => each.scrollWidth > each.clientWidth + 1
				&& ['auto', 'scroll'].includes(getComputedStyle(each).overflowX)
				&& !each.matches('nav, [tabindex="0"][aria-label]')).map((each) => each.className + ' ' + each.textContent.slice(0, 40))
			""";

	/** From the widest to the narrowest, as a window that somebody drags. */
	private static final List<Integer> WIDTHS = List.of(1440, 1024, 820, 390);

	@Test
	void theOverviewAndTheJobsAreAccessibleAndFitTheirWindow() throws IOException {
		areAccessibleAndFitTheirWindow(PAGES.subList(0, 2));
	}

	@Tag("thorough")
	@Test
	void eachPageIsAccessibleAndFitsItsWindow() throws IOException {
		areAccessibleAndFitTheirWindow(PAGES);
	}

	/** Figures are the largest texts of a page, and grow while something is wrong. */
	@Test
	void theFiguresOfTheOverviewFitTheirTiles() throws IOException {
		with(Scenario.BUSY, (page, server) -> {
			page.go(server.address(""));
			page.await("document.querySelectorAll('.figures dd.figure').length === 6");
			page.press(".");
			page.await("document.querySelector('.liveness.frozen') !== null");
			page.evaluate(
					"document.querySelectorAll('.figures dd.figure').forEach((each) => { each.textContent = '28 min 34 s'; })");
			for (int width : new int[] { 1920, 1440, 1260, 1024, 900, 820, 390 }) {
				page.size(width, 1000);
				page.await("window.innerWidth === " + width);
				assertThat(page.evaluate(
						"[...document.querySelectorAll('.figures dd.figure')].filter((each) => each.scrollWidth > each.clientWidth).length")
					.asInt()).as("at %s px", width).isZero();
				assertThat(page.evaluate("getComputedStyle(document.querySelector('.figures dd.figure')).overflowX")
					.asString("")).isEqualTo("hidden");
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** In both themes, without trouble, and in windows of all widths. */
	private void areAccessibleAndFitTheirWindow(List<String> pages) throws IOException {
		String axe = axe();
		with(Scenario.BUSY, (page, server) -> {
			for (String each : pages) {
				page.go(server.address(each));
				showsNoAlert(page, each);
				isAccessible(page, axe, each);
				fits(page, each);
				tablesFit(page, each);
				whatIsScrolledSidewaysIsReachable(page, each);
			}
			page.go(server.address("limits"));
			clickOn(page, "Hold…");
			isAccessible(page, axe, "a question");
			assertThat(page.troubles()).isEmpty();
		});
	}

	@Tag("thorough")
	@Test
	void isAccessibleAndFitsItsWindowWithShards() throws IOException {
		String axe = axe();
		with(Scenario.SHARDS, (page, server) -> {
			for (String each : List.of("", "jobs")) {
				page.go(server.address(each));
				isAccessible(page, axe, "shards: " + each);
				fits(page, "shards: " + each);
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	/** As long as names may be, without a place where they could be broken. */
	@Tag("thorough")
	@Test
	void fitsItsWindowWithLongNames() throws IOException {
		with(Scenario.HOSTILE, (page, server) -> {
			server.say("x".repeat(200));
			for (String each : PAGES) {
				page.go(server.address(each));
				fits(page, "long names: " + each);
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "EMPTY", "READ_ONLY" })
	void showsWithoutTrouble(Scenario scenario) throws IOException {
		showsWithoutTrouble(scenario, (page, address) -> {
			if (address.contains("?")) {
				page.go(address); // a page that is shown already keeps its heading
			}
			else {
				page.follow(address);
			}
		});
	}

	@Tag("thorough")
	@ParameterizedTest
	@EnumSource(names = { "EMPTY", "READ_ONLY" })
	void isLoadedWithoutTrouble(Scenario scenario) throws IOException {
		showsWithoutTrouble(scenario, BrowserPage::go);
	}

	private static void showsWithoutTrouble(Scenario scenario, BiConsumer<BrowserPage, String> open)
			throws IOException {
		with(scenario, (page, server) -> {
			page.go(server.address("versions"));
			for (String each : PAGES) {
				open.accept(page, server.address(each));
				showsNoAlert(page, each);
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	private static void showsNoAlert(BrowserPage page, String where) {
		assertThat(page.evaluate("document.querySelector('[role=alert]')?.textContent ?? ''").asString("")).as(where)
			.isEmpty();
	}

	private static void isAccessible(BrowserPage page, String axe, String where) {
		page.evaluate(axe + "; 0");
		violatesNothing(page, "light", "", where);
		violatesNothing(page, "dark", COLORS, where);
	}

	private static void violatesNothing(BrowserPage page, String theme, String rules, String where) {
		page.prefers(theme);
		assertThat(page.evaluate(VIOLATIONS.formatted(rules))).as("%s, %s", where, theme).isEmpty();
	}

	private static void fits(BrowserPage page, String where) {
		for (int width : WIDTHS) {
			page.size(width, 900);
			// a chart is drawn again after the frame that has the new width
			await().untilAsserted(
					() -> assertThat(page.evaluate("document.documentElement.scrollWidth - window.innerWidth").asInt())
						.as("%s at %d", where, width)
						.isLessThanOrEqualTo(0));
		}
		page.size(1440, 1000);
	}

	/** From the width of a small laptop on, nothing of a table is out of sight. */
	private static void tablesFit(BrowserPage page, String where) {
		page.size(1280, 900);
		await().untilAsserted(() -> assertThat(page.evaluate(
				"[...document.querySelectorAll('main .scroll')].filter((each) => each.querySelector('table') && each.scrollWidth > each.clientWidth + 1).length")
			.asInt()).as(where).isZero());
		page.size(1440, 1000);
	}

	/**
	 * On a phone, only graphs and traces are wider than the window: tables are folded.
	 */
	private static void whatIsScrolledSidewaysIsReachable(BrowserPage page, String where) {
		page.size(390, 900);
		await().untilAsserted(() -> assertThat(page.evaluate(SCROLLED_SIDEWAYS)).as(where).isEmpty());
		page.size(1440, 1000);
	}

	private static String axe() throws IOException {
		try (InputStream in = EveryPageTests.class.getResourceAsStream("/axe.min.js")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
