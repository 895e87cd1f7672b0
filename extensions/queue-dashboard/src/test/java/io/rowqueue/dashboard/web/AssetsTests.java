package io.rowqueue.dashboard.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.DashboardResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The files of the pages. */
class AssetsTests {

	private static final String SCRIPT = "export const x = 1;\n".repeat(50);

	private final Assets assets = new Assets(
			Map.of("index.html", Content.of("<base href=\"@base@\">@assets@app.js @preloads@"), "app.js",
					Content.of(SCRIPT), "theme.js", Content.of("x"), "style.css", Content.of("a{}")));

	private final AtomicInteger opened = new AtomicInteger();

	private final Shell shell = new Shell(this.assets, this.opened::incrementAndGet);

	@Test
	void aFileIsKeptForEver() {
		DashboardResponse response = this.shell.asset(this.assets.hash() + "/app.js", "");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.headers()).containsEntry("Cache-Control", "public, max-age=31536000, immutable")
			.containsEntry("Content-Type", "text/javascript;charset=UTF-8")
			.doesNotContainKey("Content-Encoding");
		assertThat(response.body().toString()).isEqualTo(SCRIPT);
	}

	@Test
	void aFileIsSentCompressedToThoseWhoTakeIt() throws IOException {
		DashboardResponse response = this.shell.asset(this.assets.hash() + "/app.js", "br, gzip");
		assertThat(response.headers()).containsEntry("Content-Encoding", "gzip")
			.containsEntry("Vary", "Accept-Encoding");
		assertThat(new GZIPInputStream(new ByteArrayInputStream(response.body().bytes())).readAllBytes()).asString()
			.isEqualTo(SCRIPT);
	}

	@Test
	void onlyWhoOpensAPageHasLooked() {
		this.shell.asset(this.assets.hash() + "/app.js", "");
		assertThat(this.opened).hasValue(0);
		this.shell.page("jobs/1", "");
		assertThat(this.opened).hasValue(1);
	}

	/** As while an update of the application is rolled out to several processes. */
	@Test
	void aFileOfAPageOfAnotherVersionIsSentAndNotKept() {
		DashboardResponse response = this.shell.asset("0123456789abcdef/app.js", "");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.headers()).containsEntry("Cache-Control", "no-store");
		assertThat(response.body().toString()).isEqualTo(SCRIPT);
	}

	@Test
	void anotherContentHasAnotherPath() {
		assertThat(new Assets(Map.of("app.js", Content.of("1"))).hash())
			.isNotEqualTo(new Assets(Map.of("app.js", Content.of("2"))).hash())
			.isEqualTo(new Assets(Map.of("app.js", Content.of("1"))).hash());
	}

	@Test
	void commentsAndIndentationAreNotSentAndLinesStayWhereTheyAre() {
		String source = "/** One\n * two. */\nexport const x = 1; /* short */\n\t/** @type {X} */\n\t// why\n\tconst y = '/* no */';\n"
				+ "const z = (/** @type {any} */ a) => a;\n";
		assertThat(Assets.compacted("app.js", Content.of(source)).toString())
			.isEqualTo("\n\nexport const x = 1; /* short */\n\n\nconst y = '/* no */';\nconst z = (a) => a;\n");
		assertThat(Assets.compacted("vendor/lit-html.js", Content.of(source)).toString()).isEqualTo(source);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "app.js", "0000000000000000/index.html", "HASH/index.html", "HASH/",
			"HASH/../app.js", "HASH/nothing.js", "HASH/../../../application.properties" })
	void nothingElseIsServed(String path) {
		assertThat(this.shell.asset(path.replace("HASH", this.assets.hash()), "").status()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource({ "'',./", "jobs,./", "jobs/42,../", "jobs/,../", "jobs/42/compare/57,../../../" })
	void theBaseOfAPageIsTheRoot(String page, String base) {
		assertThat(this.shell.page(page, "").body().toString()).startsWith("<base href=\"" + base + "\">");
	}

	@Test
	void aPageLoadsItsModulesAtOnce() {
		assertThat(this.shell.page("", "").body().toString())
			.contains("<link rel=\"modulepreload\" href=\"assets/" + this.assets.hash() + "/app.js\">")
			.doesNotContain("theme.js")
			.doesNotContain("@");
	}

	@Test
	void aRefusalIsNoMarkup() {
		DashboardResponse refusal = this.shell.refusal("<script>");
		assertThat(refusal.status()).isEqualTo(403);
		assertThat(refusal.body().toString()).contains("&lt;script&gt;").doesNotContain("<script>");
	}

	/** Spring Boot would serve it to everybody. */
	@Test
	void noFileIsWhereSpringBootServesThemToEverybody() throws IOException {
		Assets packaged = Assets.load(getClass().getClassLoader());
		assertThat(packaged.paths()).contains("vendor/lit-html.js", "vendor/directives/repeat.js");
		assertThat(getClass().getClassLoader().getResource("META-INF/resources/webjars/lit-html")).isNull();
	}

}
