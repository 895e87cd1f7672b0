package io.rowqueue.mcp;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.Json;
import io.rowqueue.dashboard.http.PathNames;
import org.jspecify.annotations.Nullable;

/**
 * Has the dashboard answer the calls of tools, with no more rights than its caller has.
 */
final class ToolCalls {

	/** The key of the caller in the context of a request. */
	static final String CALLER = "caller";

	/** The longest answer: an assistant has to read it. */
	private static final int MAX_ANSWER = 100_000;

	private static final Argument SHARD = Argument.text("shard",
			"The shard, if the queue has several databases; by default the home shard.");

	private final Dashboard dashboard;

	private final McpProperties properties;

	private final Json json = new Json();

	ToolCalls(Dashboard dashboard, McpProperties properties) {
		this.dashboard = dashboard;
		this.properties = properties;
	}

	SyncToolSpecification specification(QueueTool tool) {
		return new SyncToolSpecification(tool.described(List.of(SHARD)), (context, call) -> answer(tool, context,
				new Arguments(Objects.requireNonNullElse(call.arguments(), Map.of()))));
	}

	private McpSchema.CallToolResult answer(QueueTool tool, McpTransportContext context, Arguments arguments) {
		ApiRequest request = tool.request().apply(arguments);
		String shard = arguments.text("shard");
		String path = ((shard != null) ? "shards/" + PathNames.encode(shard) + "/" : "") + "api/" + request.path();
		Content body = (request.body() != null) ? Content.of(this.json.text(request.body())) : Content.NONE;
		DashboardCaller caller = (DashboardCaller) Objects.requireNonNull(context.get(CALLER));
		DashboardResponse response = this.dashboard
			.handle(new DashboardRequest((request.body() != null) ? "POST" : "GET", path, request.parameters(), body,
					new AssistantCaller(caller), null, false), this::bounded);
		if (response.body().length() > MAX_ANSWER) {
			return result(true, "The answer has " + response.body().length() + " bytes, more than the " + MAX_ANSWER
					+ " that are sent. Ask for less: a smaller limit, a narrower filter, or one part.");
		}
		return result(response.status() >= 400, response.body().toString());
	}

	private DashboardRights bounded(DashboardRights rights) {
		DashboardRights bounded = rights.atMost(this.properties.operations() ? Level.OPERATE : Level.READ);
		return this.properties.showPayloads() ? bounded : DashboardRights.of(bounded.level());
	}

	private static McpSchema.CallToolResult result(boolean error, String text) {
		return McpSchema.CallToolResult.builder().addTextContent(text).isError(error).build();
	}

	/**
	 * The sender of a message of the protocol. That no other site has sent it was checked
	 * when it arrived.
	 */
	private record AssistantCaller(DashboardCaller caller) implements DashboardCaller {

		private static final Map<String, String> HEADERS = Map.of("queue-dashboard", "1", "content-type",
				"application/json");

		@Override
		public @Nullable String name() {
			return this.caller.name();
		}

		@Override
		public @Nullable String address() {
			return this.caller.address();
		}

		@Override
		public boolean isForwarded() {
			return this.caller.isForwarded();
		}

		@Override
		public boolean isInRole(String role) {
			return this.caller.isInRole(role);
		}

		@Override
		public String via() {
			return "mcp";
		}

		@Override
		public @Nullable String header(String name) {
			String lower = name.toLowerCase(Locale.ROOT);
			if (lower.equals("if-none-match")) {
				return null;
			}
			String own = HEADERS.get(lower);
			return (own != null) ? own : this.caller.header(name);
		}

	}

}
