package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.dashboard.fixture.Scenario;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pictures of all pages, for people who look at them and for the documentation. They are
 * made with {@code -Dpictures=true}, in {@code target/pictures}.
 */
@EnabledIfSystemProperty(named = "pictures", matches = "true")
class PicturesTests extends BrowserTest {

	/** Pages, and the button that asks. */
	private static final Map<String, String> QUESTIONS = Map.of("jobs/48812031", "Erase…", "schedules/nightly-report",
			"Backfill…", "workers/36", "Restart", "limits", "Hold…", "jobs", "Enqueue…");

	private static final Path DIRECTORY = Path.of("target", "pictures");

	@ParameterizedTest
	@CsvSource({ "light,1440", "light,1024", "light,390", "dark,1440", "dark,1024", "dark,390" })
	void ofEveryPage(String theme, int width) throws IOException {
		Files.createDirectories(DIRECTORY);
		List<String> pages = EveryPageTests.PAGES;
		with(Scenario.BUSY, (page, server) -> {
			page.size(width, 900);
			page.prefers(theme);
			for (String each : pages) {
				page.go(server.address(each));
				page.await("document.querySelector('main .skeleton') === null");
				picture(page, name(each), theme, width);
			}
			assertThat(page.troubles()).isEmpty();
		});
		with(Scenario.SHARDS, (page, server) -> {
			page.size(width, 900);
			page.prefers(theme);
			page.go(server.address(""));
			page.await("document.querySelector('main .skeleton') === null");
			picture(page, "shards", theme, width);
		});
	}

	@ParameterizedTest
	@CsvSource({ "light,1440", "light,1024", "light,390", "dark,1440", "dark,1024", "dark,390" })
	void ofQuestions(String theme, int width) throws IOException {
		Files.createDirectories(DIRECTORY);
		with(Scenario.BUSY, (page, server) -> {
			page.size(width, 900);
			page.prefers(theme);
			for (Map.Entry<String, String> each : QUESTIONS.entrySet()) {
				page.go(server.address(each.getKey()));
				page.await("document.querySelector('main .skeleton') === null");
				clickOn(page, each.getValue());
				page.await("document.querySelector('dialog[open]') !== null");
				Files.write(file("question-" + name(each.getKey()), theme, width), page.picture(false));
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	/**
	 * The window has the height of the page, so that what stays in place is shown once.
	 */
	private static void picture(BrowserPage page, String name, String theme, int width) throws IOException {
		page.size(width, Math.max(900, page.evaluate("document.documentElement.scrollHeight").asInt()));
		Files.write(file(name, theme, width), page.picture(true));
		page.size(width, 900);
	}

	private static Path file(String name, String theme, int width) {
		return DIRECTORY.resolve(name + "-" + theme + "-" + width + ".png");
	}

	private static String name(String page) {
		String name = page.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
		return name.isEmpty() ? "overview" : name;
	}

}
