package io.pgqueue.dashboard.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import io.pgqueue.dashboard.fixture.Scenario;
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

	private static final Path DIRECTORY = Path.of("target", "pictures");

	@ParameterizedTest
	@CsvSource({ "light,1440", "light,1024", "light,420", "dark,1440", "dark,1024", "dark,420" })
	void ofEveryPage(String theme, int width) throws IOException {
		Files.createDirectories(DIRECTORY);
		List<String> pages = EveryPageTests.PAGES;
		with(Scenario.BUSY, (page, server) -> {
			page.size(width, 900);
			page.prefers(theme);
			for (String each : pages) {
				page.go(server.address(each));
				page.await("document.querySelector('main .skeleton') === null");
				Files.write(DIRECTORY.resolve(name(each) + "-" + theme + "-" + width + ".png"), page.picture(true));
			}
			assertThat(page.troubles()).isEmpty();
		});
	}

	private static String name(String page) {
		String name = page.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
		return name.isEmpty() ? "overview" : name;
	}

}
