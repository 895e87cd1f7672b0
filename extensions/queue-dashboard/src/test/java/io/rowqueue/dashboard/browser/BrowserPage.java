package io.rowqueue.dashboard.browser;

import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * A page in a {@link Chromium}. It notes what must never happen: errors in the console,
 * exceptions and rejections that were not handled, violations of the content security
 * policy, and requests to other origins.
 */
final class BrowserPage {

	private final DevTools tools;

	private final String session;

	private final List<String> troubles = new CopyOnWriteArrayList<>();

	private volatile String origin = "about:blank";

	BrowserPage(DevTools tools) {
		this.tools = tools;
		String target = text(tools.send(null, "Target.createTarget", Map.of("url", "about:blank")), "targetId");
		this.session = text(tools.send(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true)),
				"sessionId");
		tools.listen(this.session, this::note);
		for (String domain : List.of("Page", "Runtime", "Log", "Network", "Audits")) {
			send(domain + ".enable", Map.of());
		}
	}

	/** Sets the size of the window. */
	void size(int width, int height) {
		send("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	/** Sets what the system prefers, {@code light} or {@code dark}. */
	void prefers(String theme) {
		send("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme),
						Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
	}

	/** Opens an address and waits until the page has its heading. */
	void go(String address) {
		this.origin = URI.create(address).resolve("/").toString();
		send("Page.navigate", Map.of("url", address));
		await("location.href === '" + address + "' && document.querySelector('h1') !== null");
	}

	/** Opens an address as a click on a link does, without loading the shell again. */
	void follow(String address) {
		evaluate("""
				document.querySelectorAll('h1').forEach((old) => old.dataset.old = 1);
				{ const link = document.createElement('a');
				link.href = '%s';
				document.body.append(link);
				link.click();
				link.remove(); } 0""".formatted(address));
		await("location.href === '" + address + "' && document.querySelector('h1:not([data-old])')");
	}

	/** Waits until an expression is true. */
	void await(String expression) {
		Awaitility.await(expression)
			.pollInterval(Duration.ofMillis(30))
			.ignoreExceptions()
			.until(() -> evaluate("Boolean(" + expression + ")").asBoolean());
	}

	/** Clicks on the element that an expression returns, as soon as the page has it. */
	void click(String element) {
		await(element);
		evaluate("(" + element + ").click()");
	}

	/** Returns the value of an expression, also that of a promise. */
	JsonNode evaluate(String expression) {
		JsonNode answer = send("Runtime.evaluate",
				Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
		if (answer.has("exceptionDetails")) {
			throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
		}
		return answer.path("result").path("value");
	}

	/** Presses a key: a letter, or a name such as {@code Escape}. */
	void press(String key) {
		for (String type : List.of("keyDown", "keyUp")) {
			send("Input.dispatchKeyEvent", (key.length() == 1 && type.equals("keyDown"))
					? Map.of("type", type, "key", key, "text", key) : Map.of("type", type, "key", key));
		}
	}

	/** Returns what the page shows as a PNG. */
	byte[] picture(boolean whole) {
		return Base64.getDecoder()
			.decode(text(send("Page.captureScreenshot", Map.of("captureBeyondViewport", whole)), "data"));
	}

	/** Returns what must never happen and did. */
	List<String> troubles() {
		return List.copyOf(this.troubles);
	}

	/** Sends a command of the protocol. */
	JsonNode send(String method, Map<String, ?> parameters) {
		return this.tools.send(this.session, method, parameters);
	}

	private void note(String event, JsonNode content) {
		switch (event) {
			case "Runtime.exceptionThrown" -> trouble(event, content.path("exceptionDetails"));
			case "Runtime.consoleAPICalled" -> {
				if (List.of("error", "assert").contains(content.path("type").asString(""))) {
					trouble(event, content.path("args"));
				}
			}
			case "Log.entryAdded" -> {
				if (content.path("entry").path("level").asString("").equals("error")) {
					trouble(event, content.path("entry"));
				}
			}
			case "Audits.issueAdded" -> {
				if (content.path("issue").path("code").asString("").equals("ContentSecurityPolicyIssue")) {
					trouble(event, content.path("issue"));
				}
			}
			case "Network.requestWillBeSent" -> {
				String url = content.path("request").path("url").asString("");
				if (!url.startsWith(this.origin) && !url.startsWith("data:") && !url.startsWith("about:")) {
					trouble(event, content.path("request").path("url"));
				}
			}
			default -> {
				// of no interest
			}
		}
	}

	private void trouble(String event, JsonNode content) {
		this.troubles.add(event + ": " + content);
	}

	private static String text(JsonNode node, String name) {
		return Objects.requireNonNull(node.path(name).asString(""), name);
	}

	/** Shows nothing and forgets everything, before another test uses the page. */
	void leave() {
		send("Storage.clearDataForOrigin", Map.of("origin", this.origin, "storageTypes", "local_storage"));
		send("Page.navigate", Map.of("url", "about:blank"));
		await("location.href === 'about:blank'");
		this.troubles.clear();
	}

}
