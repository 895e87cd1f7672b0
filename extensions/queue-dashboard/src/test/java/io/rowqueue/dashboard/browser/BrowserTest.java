package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import io.rowqueue.dashboard.fixture.FixtureServer;
import io.rowqueue.dashboard.fixture.Scenario;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** One page of one browser for all tests, on a server with answers from files. */
abstract class BrowserTest {

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
	}

	private static @Nullable FixtureServer server;

	private static @Nullable BrowserPage page;

	/** Shows pages of a scenario to {@code reader}, who must see no trouble. */
	static void with(Scenario scenario, Reader reader) throws IOException {
		FixtureServer server = open(scenario);
		BrowserPage page = page();
		page.size(1440, 1000);
		page.prefers("light");
		try {
			reader.read(page, server);
		}
		finally {
			page.leave();
		}
	}

	/** The server, which always has the same address: the browser keeps its files. */
	static synchronized FixtureServer open(Scenario scenario) throws IOException {
		if (server == null) {
			server = new FixtureServer(0, scenario);
		}
		server.show(scenario);
		return server;
	}

	/** The page, which shows nothing. */
	static synchronized BrowserPage page() throws IOException {
		if (page == null) {
			Path program = Chromium.find()
				.orElseThrow(() -> new TestAbortedException("No Chromium was found: the pages were not tried in a"
						+ " browser. Install one, or name it by -Dchromium=/path/to/it"));
			Chromium chromium = Chromium.start(program);
			Runtime.getRuntime().addShutdownHook(new Thread(chromium::close, "chromium close"));
			page = chromium.open();
		}
		return page;
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
