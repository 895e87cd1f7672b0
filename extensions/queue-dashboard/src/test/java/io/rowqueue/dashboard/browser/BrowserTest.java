package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.nio.file.Path;

import io.rowqueue.dashboard.fixture.FixtureServer;
import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.opentest4j.TestAbortedException;

/** A browser for the tests of a class, and pages on servers with answers from files. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class BrowserTest {

	private Chromium chromium;

	@BeforeAll
	void startChromium() throws IOException {
		Path program = Chromium.find()
			.orElseThrow(() -> new TestAbortedException("No Chromium was found: the pages were not tried in a browser."
					+ " Install one, or name it by -Dchromium=/path/to/it"));
		this.chromium = Chromium.start(program);
	}

	@AfterAll
	void stopChromium() throws IOException {
		if (this.chromium != null) {
			this.chromium.close();
		}
	}

	/** Shows pages of a scenario to {@code reader}, who must see no trouble. */
	void with(Scenario scenario, Reader reader) throws IOException {
		try (FixtureServer server = new FixtureServer(0, scenario); BrowserPage page = this.chromium.open()) {
			page.size(1440, 1000);
			page.prefers("light");
			reader.read(page, server);
		}
	}

	/** Clicks on the button with these words, as soon as the page shows it. */
	static void clickOn(BrowserPage page, String words) {
		page.click(
				"[...document.querySelectorAll('button')].find((each) => each.textContent.trim() === '" + words + "')");
	}

	/** What is done with a page. */
	interface Reader {

		void read(BrowserPage page, FixtureServer server) throws IOException;

	}

}
