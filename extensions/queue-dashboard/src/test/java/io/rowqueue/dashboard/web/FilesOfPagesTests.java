package io.rowqueue.dashboard.web;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules for the files that browsers load. */
@TestInstance(Lifecycle.PER_CLASS)
class FilesOfPagesTests {

	private static final int MAX_BYTES_GZIPPED = 110_000;

	/** What would make HTML, styles or code from text, and so defeat the policy. */
	private static final Pattern FORBIDDEN = Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|document\\.write"
			+ "|unsafeHTML|unsafeSVG|\\beval\\(|new Function|\\sstyle=|styleMap|\\son[a-z]+=[\"$]|https?://(?!www\\.w3\\.org)");

	private static final Pattern IMPORT = Pattern.compile("(?:from|import) '(\\.[^']*)'");

	private Assets assets;

	@BeforeAll
	void load() throws IOException {
		this.assets = Assets.load(Objects.requireNonNull(FilesOfPagesTests.class.getClassLoader()));
	}

	@Test
	void areSmallTogether() {
		int sum = this.assets.paths()
			.stream()
			.filter((path) -> path.endsWith(".js") || path.endsWith(".css"))
			.map(this.assets::find)
			.map(Objects::requireNonNull)
			.mapToInt((asset) -> Objects.requireNonNullElse(asset.gzipped(), asset.content()).length())
			.sum();
		assertThat(sum).isBetween(1, MAX_BYTES_GZIPPED);
	}

	@Test
	void makeNoHtmlStyleOrCodeFromText() {
		assertThat(findings((path, text) -> {
			Matcher matcher = FORBIDDEN.matcher(text);
			return matcher.find() ? matcher.group() : null;
		})).isEmpty();
	}

	@Test
	void importOnlyFilesThatAreThere() {
		assertThat(findings((path, text) -> IMPORT.matcher(text)
			.results()
			.map((found) -> URI.create(path).resolve(found.group(1)).toString())
			.filter((target) -> this.assets.find(target) == null)
			.findFirst()
			.orElse(null))).isEmpty();
	}

	@Test
	void nameAnnotationsThatThereAre() {
		String texts = Objects.requireNonNull(this.assets.find("texts/en.js")).content().toString();
		assertThat(Pattern.compile("@([A-Z]\\w+)").matcher(texts).results().map((found) -> found.group(1)))
			.contains("JobHandler")
			.allMatch(FilesOfPagesTests::isAnnotation);
	}

	private static boolean isAnnotation(String name) {
		return Stream.of("io.rowqueue.", "io.rowqueue.schedule.")
			.map((folder) -> folder + name)
			.filter((each) -> ClassUtils.isPresent(each, FilesOfPagesTests.class.getClassLoader()))
			.anyMatch((each) -> ClassUtils.resolveClassName(each, FilesOfPagesTests.class.getClassLoader())
				.isAnnotation());
	}

	private List<String> findings(Rule rule) {
		List<String> found = new ArrayList<>();
		for (String path : this.assets.paths()) {
			if (path.endsWith(".js") && !path.startsWith("vendor/")) {
				String finding = rule.broken(path, Objects.requireNonNull(this.assets.find(path)).content().toString());
				if (finding != null) {
					found.add(path + ": " + finding);
				}
			}
		}
		return found;
	}

	private interface Rule {

		@Nullable String broken(String path, String text);

	}

}
