package io.pgqueue.dashboard.browser;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import io.pgqueue.dashboard.fixture.FixtureServer;
import io.pgqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

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
			axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map((one) =>
				one.id + ': ' + one.nodes.map((node) => node.target + ' ' + node.failureSummary).slice(0, 3).join('; ')))
			""";

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void isAccessible(String theme) throws IOException {
		String axe = axe();
		with(Scenario.BUSY, (page, server) -> {
			page.prefers(theme);
			for (String each : PAGES) {
				page.go(server.address(each));
				page.evaluate(axe + "; 0");
				assertThat(page.evaluate(VIOLATIONS)).as("%s, %s", each, theme).isEmpty();
			}
			page.go(server.address("limits"));
			UsingPagesTests.clickOn(page, "Hold…");
			page.evaluate(axe + "; 0");
			assertThat(page.evaluate(VIOLATIONS)).as("a question, %s", theme).isEmpty();
			assertThat(page.troubles()).isEmpty();
		});
		with(Scenario.SHARDS, (page, server) -> {
			page.prefers(theme);
			page.go(server.address(""));
			page.evaluate(axe + "; 0");
			assertThat(page.evaluate(VIOLATIONS)).as("shards, %s", theme).isEmpty();
			assertThat(page.troubles()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "BUSY", "EMPTY", "READ_ONLY" })
	void showsWithoutTrouble(Scenario scenario) throws IOException {
		with(scenario, (page, server) -> {
			for (String each : PAGES) {
				page.go(server.address(each));
				assertThat(page.evaluate("document.querySelector('[role=alert]')?.textContent ?? ''").asString(""))
					.as(each)
					.isEmpty();
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 1440, 1024, 820, 390 })
	void fitsItsWindow(int width) throws IOException {
		with(Scenario.BUSY, (page, server) -> fits(page, server, PAGES, width));
		with(Scenario.SHARDS, (page, server) -> fits(page, server, List.of("", "jobs"), width));
	}

	private static void fits(BrowserPage page, FixtureServer server, List<String> pages, int width) {
		page.size(width, 900);
		for (String each : pages) {
			page.go(server.address(each));
			assertThat(page.evaluate("document.documentElement.scrollWidth - window.innerWidth").asInt())
				.as("%s at %d", each, width)
				.isLessThanOrEqualTo(0);
		}
	}

	private static String axe() throws IOException {
		try (InputStream in = EveryPageTests.class.getResourceAsStream("/axe.min.js")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
