package io.rowqueue.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.modelcontextprotocol.spec.McpSchema;

/**
 * A tool: what an assistant sees of it, and the request that answers it.
 *
 * @param name its name
 * @param readOnly whether it changes nothing
 * @param description what it is for
 * @param arguments its arguments
 * @param request the request to the API of the dashboard
 */
record QueueTool(String name, boolean readOnly, String description, List<Argument> arguments,
		Function<Arguments, ApiRequest> request) {

	static QueueTool read(String name, String description, Function<Arguments, ApiRequest> request,
			Argument... arguments) {
		return new QueueTool(name, true, description, List.of(arguments), request);
	}

	static QueueTool operation(String name, String description, Function<Arguments, ApiRequest> request,
			Argument... arguments) {
		return new QueueTool(name, false, description, List.of(arguments), request);
	}

	McpSchema.Tool described(List<Argument> common) {
		List<Argument> all = new ArrayList<>(this.arguments);
		all.addAll(common);
		Map<String, Object> schema = Map.of("type", "object", "additionalProperties", false, "properties",
				all.stream().collect(Collectors.toMap(Argument::name, Argument::schema)), "required",
				all.stream().filter(Argument::required).map(Argument::name).toList());
		return McpSchema.Tool.builder(this.name, schema)
			.description(this.description)
			.annotations(McpSchema.ToolAnnotations.builder()
				.readOnlyHint(this.readOnly)
				.destructiveHint(!this.readOnly)
				.openWorldHint(false)
				.build())
			.build();
	}

}
