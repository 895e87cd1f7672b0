package io.rowqueue.dashboard.web;

import java.util.Map;
import java.util.stream.Collectors;

import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.Pages;
import org.springframework.web.util.HtmlUtils;

/**
 * The document that every page begins with. Its base is relative to the page, so that all
 * links lead below the root wherever a proxy has put it.
 */
public final class Shell implements Pages {

	private static final String INDEX = "index.html";

	/** Runs before the first paint, and is no module. */
	private static final String THEME = "theme.js";

	private static final String REFUSAL = """
			<!doctype html>
			<html lang="en">
			<head><meta charset="utf-8"><title>Rowqueue</title></head>
			<body><h1>You may not see this dashboard</h1><p>%s</p></body>
			</html>
			""";

	private final Assets assets;

	private final Runnable opened;

	private final String document;

	/**
	 * Creates the shell.
	 * @param assets the files that it loads
	 * @param opened called when somebody opens a page, which asks for data next
	 */
	public Shell(Assets assets, Runnable opened) {
		this.assets = assets;
		this.opened = opened;
		Asset index = assets.find(INDEX);
		String text = (index != null) ? index.content().toString() : "";
		this.document = text.replace("@preloads@", preloads())
			.replace("@assets@", "@up@" + ASSETS + assets.hash() + "/");
	}

	/** Modules are loaded at once, not one after the other as each imports the next. */
	private String preloads() {
		return this.assets.paths()
			.stream()
			.filter((path) -> path.endsWith(".js") && !path.equals(THEME))
			.map((path) -> "\t<link rel=\"modulepreload\" href=\"@assets@" + path + "\">")
			.collect(Collectors.joining("\n"));
	}

	@Override
	public DashboardResponse page(String path, String up) {
		this.opened.run();
		return html(200, this.document.replace("@base@", base(path)).replace("@up@", up));
	}

	/** Returns the way from a page to the root: up once for each slash. */
	static String base(String path) {
		long depth = path.chars().filter((each) -> each == '/').count();
		return (depth == 0) ? "./" : "../".repeat((int) depth);
	}

	/**
	 * While an update is rolled out, a page of one version may ask a process of the other
	 * for its files. Those that it has are nearly the same: better than an empty page.
	 */
	@Override
	public DashboardResponse asset(String path, String acceptEncoding) {
		int slash = path.indexOf('/');
		Asset asset = (slash > 0) ? this.assets.find(path.substring(slash + 1)) : null;
		if (asset == null || path.endsWith("/" + INDEX)) {
			return DashboardResponse.empty(404);
		}
		boolean exact = path.substring(0, slash).equals(this.assets.hash());
		Map<String, String> headers = Map.of("Content-Type", asset.contentType(), "Cache-Control",
				exact ? "public, max-age=31536000, immutable" : "no-store", "Vary", "Accept-Encoding");
		Content gzipped = asset.gzipped();
		return (gzipped != null && acceptEncoding.contains("gzip"))
				? new DashboardResponse(200, headers, gzipped, null).with("Content-Encoding", "gzip")
				: new DashboardResponse(200, headers, asset.content(), null);
	}

	@Override
	public DashboardResponse refusal(String detail) {
		return html(403, REFUSAL.formatted(HtmlUtils.htmlEscape(detail)));
	}

	private static DashboardResponse html(int status, String text) {
		return DashboardResponse.of(status, "text/html;charset=UTF-8", Content.of(text));
	}

}
