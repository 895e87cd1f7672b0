package io.rowqueue.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard works under any path, directly and behind a proxy that takes a part of
 * the path away, without a setting.
 */
class PrefixTests {

	private static final String[] LOCAL = { "Host", "localhost", Hosts.LEVEL, "read", "Authorization",
			"Bearer " + Hosts.TOKEN };

	private static final List<String> PAGES = List.of("", "jobs", "jobs/42", "queues/a~2Fb", "jobs/42/compare/57",
			"jobs/?state=failed", "queues?x=a/b");

	static Stream<Arguments> places() {
		return Stream.of(Host.Kind.values())
			.flatMap((kind) -> Stream.of(Arguments.of(kind, false, "/rowqueue", false),
					Arguments.of(kind, true, "/shop/rowqueue", false), Arguments.of(kind, false, "/tools/queue", true),
					Arguments.of(kind, true, "/queue", true)));
	}

	@ParameterizedTest(name = "{0}, below a context path: {1}, seen at {2}, behind a proxy: {3}")
	@MethodSource("places")
	void everyPageFindsItsFilesAndTheApi(Host.Kind kind, boolean context, String path, boolean behindProxy)
			throws IOException {
		Host host = context ? Hosts.belowContextPath(kind) : Hosts.of(kind);
		String real = context ? "/shop/rowqueue" : "/rowqueue";
		try (StrippingProxy proxy = new StrippingProxy(path, host.port(), real)) {
			int port = behindProxy ? proxy.port() : host.port();
			for (String page : PAGES) {
				URI url = URI.create("http://localhost:" + port + path + "/" + page);
				HttpResponse<String> document = get(port, url);
				assertThat(document.statusCode()).as(url.toString()).isEqualTo(200);
				assertThat(Host.header(document, "Content-Type")).startsWith("text/html");
				URI base = url.resolve(found(document.body(), "<base href=\"([^\"]+)\"").get(0));
				assertThat(base.getPath()).as(url.toString()).isEqualTo(path + "/");
				assertThat(get(port, base.resolve("api/session")).statusCode()).isEqualTo(200);
				// one file of each page is enough, since all have the same base
				for (String file : found(document.body(), "(?:href|src)=\"(assets/[^\"]+)\"").subList(0, 1)) {
					assertThat(get(port, base.resolve(file)).statusCode()).as(file).isEqualTo(200);
				}
			}
		}
	}

	@ParameterizedTest(name = "{0}, below a context path: {1}, seen at {2}, behind a proxy: {3}")
	@MethodSource("places")
	void theRootWithoutASlashLeadsToTheOneWithIt(Host.Kind kind, boolean context, String path, boolean behindProxy)
			throws IOException {
		Host host = context ? Hosts.belowContextPath(kind) : Hosts.of(kind);
		String seen = behindProxy ? "/tools" : context ? "/shop" : "";
		try (StrippingProxy proxy = new StrippingProxy("/tools", host.port(), context ? "/shop" : "")) {
			int port = behindProxy ? proxy.port() : host.port();
			URI url = URI.create("http://localhost:" + port + seen + "/rowqueue");
			HttpResponse<String> response = get(port, url);
			assertThat(response.statusCode()).isEqualTo(308);
			assertThat(url.resolve(Host.header(response, "Location")).getPath()).isEqualTo(seen + "/rowqueue/");
		}
	}

	private static HttpResponse<String> get(int port, URI url) {
		String path = url.getRawPath() + ((url.getRawQuery() != null) ? "?" + url.getRawQuery() : "");
		return Host.send(port, "GET", path, null, LOCAL);
	}

	private static List<String> found(String text, String pattern) {
		List<String> found = new ArrayList<>();
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		while (matcher.find()) {
			found.add(matcher.group(1));
		}
		return found;
	}

}
