package io.rowqueue.cli.dashboard;

import java.util.List;
import java.util.Optional;

import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.Pages;
import io.rowqueue.dashboard.web.Assets;
import io.rowqueue.dashboard.web.Shell;
import org.springframework.web.util.HtmlUtils;

/**
 * What is in front of the dashboards: a page that lists them, and one for each that says
 * why it cannot be opened.
 */
final class Front implements Pages {

	private static final String PAGE = """
			<!doctype html>
			<html lang="en">
			<head>
				<meta charset="utf-8">
				<title>Rowqueue</title>
				<meta name="viewport" content="width=device-width, initial-scale=1">
				<meta name="color-scheme" content="light dark">
				<base href="%1$s">
				<link rel="icon" type="image/svg+xml" href="assets/%2$s/favicon.svg">
				<link rel="stylesheet" href="assets/%2$s/style.css">
				<script src="assets/%2$s/theme.js"></script>
			</head>
			<body><main><header class="heading"><h1>%3$s</h1></header><div class="card">%4$s</div></main></body>
			</html>
			""";

	private static final String TABLE = """
			<table class="rows"><thead><tr><th>Name</th><th>Address</th><th>State</th></tr></thead><tbody>
			%s</tbody></table>""";

	private final List<Mount> mounts;

	private final Shell shell;

	private final String hash;

	Front(List<Mount> mounts, Assets assets) {
		this.mounts = mounts;
		this.shell = new Shell(assets, () -> {
		});
		this.hash = assets.hash();
	}

	@Override
	public DashboardResponse page(String path, String up) {
		if (path.isEmpty()) {
			return (this.mounts.size() == 1) ? to(this.mounts.get(0).database().name() + "/") : list();
		}
		String name = path.split("/", 2)[0];
		Optional<Mount> asked = this.mounts.stream().filter((each) -> each.database().name().equals(name)).findFirst();
		if (asked.isEmpty()) {
			return DashboardResponse.empty(404);
		}
		return asked.get().open() ? to(path.substring(path.lastIndexOf('/') + 1)) : closed(asked.get(), path);
	}

	/** To the same path, which leads to the dashboard now. */
	private static DashboardResponse to(String page) {
		return DashboardResponse.empty(303).with("Location", "./" + page);
	}

	private DashboardResponse list() {
		StringBuilder rows = new StringBuilder();
		for (Mount mount : this.mounts) {
			String problem = mount.problem();
			rows.append("<tr><td><a href=\"%1$s/\">%1$s</a></td><td>%2$s</td><td>%3$s</td></tr>\n".formatted(
					text(mount.database().name()), text(mount.database().address()),
					(problem != null) ? text(problem) : "available"));
		}
		return html(200, "./", "Databases", TABLE.formatted(rows));
	}

	private DashboardResponse closed(Mount mount, String path) {
		String toRoot = "../".repeat((int) path.chars().filter((each) -> each == '/').count());
		return html(503, toRoot.isEmpty() ? "./" : toRoot, text(mount.database().name()),
				"<p>%s</p><p>%s</p><p>Reload the page to try again.</p>".formatted(text(mount.database().address()),
						text(String.valueOf(mount.problem()))));
	}

	private DashboardResponse html(int status, String base, String title, String content) {
		return DashboardResponse.of(status, "text/html;charset=UTF-8",
				Content.of(PAGE.formatted(base, this.hash, title, content)));
	}

	private static String text(String text) {
		return HtmlUtils.htmlEscape(text);
	}

	@Override
	public DashboardResponse asset(String path, String acceptEncoding) {
		return this.shell.asset(path, acceptEncoding);
	}

	@Override
	public DashboardResponse refusal(String detail) {
		return this.shell.refusal(detail);
	}

}
