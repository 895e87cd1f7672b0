package io.rowqueue.dashboard.browser;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The connection to a Chromium: commands with their answers, and events by session. */
final class DevTools implements AutoCloseable {

	static {
		// for tests of this process that send another name of the server: the client
		// reads it once
		System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
	}

	private static final long ANSWERS_WITHIN_SECONDS = 180;

	private final JsonMapper json = JsonMapper.builder().build();

	private final AtomicInteger last = new AtomicInteger();

	private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();

	private final Map<String, BiConsumer<String, JsonNode>> listeners = new ConcurrentHashMap<>();

	private final WebSocket socket;

	DevTools(URI address) {
		this.socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, new Listener()).join();
	}

	/**
	 * Calls {@code listener} with the name and the content of each event of a session.
	 */
	void listen(String session, BiConsumer<String, JsonNode> listener) {
		this.listeners.put(session, listener);
	}

	/** Sends a command and waits for its answer. */
	JsonNode send(@Nullable String session, String method, Map<String, ?> parameters) {
		int id = this.last.incrementAndGet();
		ObjectNode command = this.json.createObjectNode().put("id", id).put("method", method);
		command.set("params", this.json.valueToTree(parameters));
		if (session != null) {
			command.put("sessionId", session);
		}
		CompletableFuture<JsonNode> answer = new CompletableFuture<>();
		this.asked.put(id, answer);
		synchronized (this.socket) {
			this.socket.sendText(this.json.writeValueAsString(command), true).join();
		}
		JsonNode message = answer.orTimeout(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS).join();
		if (message.has("error")) {
			throw new IllegalStateException(method + ": " + message.path("error"));
		}
		return message.path("result");
	}

	private void receive(JsonNode message) {
		CompletableFuture<JsonNode> answer = this.asked.remove(message.path("id").asInt(0));
		if (answer != null) {
			answer.complete(message);
		}
		else {
			this.listeners.getOrDefault(message.path("sessionId").asString(""), (name, content) -> {
			}).accept(message.path("method").asString(""), message.path("params"));
		}
	}

	@Override
	public void close() {
		this.socket.abort();
	}

	private final class Listener implements WebSocket.Listener {

		private final StringBuilder text = new StringBuilder();

		@Override
		public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
			this.text.append(part);
			if (last) {
				JsonNode message = DevTools.this.json.readTree(this.text.toString());
				this.text.setLength(0);
				receive(message);
			}
			socket.request(1);
			return null;
		}

	}

}
