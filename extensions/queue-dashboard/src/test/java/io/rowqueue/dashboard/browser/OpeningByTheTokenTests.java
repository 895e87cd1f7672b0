package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.rowqueue.dashboard.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The link that the log prints at start, in a browser. */
@ExtendWith(OutputCaptureExtension.class)
class OpeningByTheTokenTests extends BrowserTest {

	@Test
	void thePrintedLinkOpensThePagesForThisBrowserAndLeavesNoTokenInItsAddress(CapturedOutput log) throws IOException {
		BrowserPage page = page();
		try (Host host = Host.start(Host.Kind.SERVLET, new Class<?>[0])) {
			String root = "http://localhost:" + host.port() + "/rowqueue/";
			String link = log.getOut().lines().filter((line) -> line.contains(root)).findFirst().orElseThrow();
			String token = link.substring(link.indexOf("?token=") + "?token=".length()).strip();

			assertThat(navigate(page, root)).as("without the token").contains("ERR_HTTP_RESPONSE_CODE_FAILURE");
			assertThat(navigate(page, root + "?token=" + token)).isEmpty();
			page.await("location.href === '" + root + "' && document.querySelector('h1') !== null");
			JsonNode cookies = page.send("Network.getCookies", Map.of("urls", List.of(root))).path("cookies");
			assertThat(cookies).hasSize(1);
			assertThat(cookies.get(0).path("httpOnly").asBoolean()).isTrue();
			assertThat(cookies.get(0).toString()).doesNotContain(token);
			assertThat(page.evaluate("document.cookie + document.referrer").asString("")).doesNotContain(token);

			page.go(root + "jobs");
			page.await("document.querySelector('h1').textContent === 'Jobs'");
			page.send("Network.clearBrowserCookies", Map.of());
			assertThat(navigate(page, root)).as("without the cookie").contains("ERR_HTTP_RESPONSE_CODE_FAILURE");
		}
		finally {
			page.leave();
		}
	}

	/** Returns why the page is not shown; empty if it is. */
	private static String navigate(BrowserPage page, String address) {
		return page.send("Page.navigate", Map.of("url", address)).path("errorText").asString("");
	}

}
