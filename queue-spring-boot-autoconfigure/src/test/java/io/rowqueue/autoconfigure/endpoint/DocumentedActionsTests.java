package io.rowqueue.autoconfigure.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint has the actions of the documents, with these parameters. */
class DocumentedActionsTests {

	private static final Path ROOT = Path.of("..");

	/** The API of the dashboard has requests of its own. */
	private static final String DASHBOARD = "dashboard.md";

	private static final Pattern ACTION = Pattern.compile("\\{\"action\":[^}]*}");

	/** Parameters that all jobs of a filter have beside those of their action. */
	private static final Set<String> OF_FILTERS = Set.of("filter", "reason");

	static Set<String> actions() throws IOException {
		Set<String> actions = new LinkedHashSet<>();
		try (Stream<Path> documents = Stream.concat(Files.walk(ROOT.resolve("docs")),
				Stream.of(ROOT.resolve("sample-app/README.md")))) {
			for (Path document : documents
				.filter((file) -> file.toString().endsWith(".md") && !file.endsWith(DASHBOARD))
				.toList()) {
				ACTION.matcher(Files.readString(document)).results().forEach((found) -> actions.add(found.group()));
			}
		}
		return actions;
	}

	@ParameterizedTest
	@MethodSource("actions")
	void theDocumentedActionExistsAndHasTheseParameters(String json) {
		Map<?, ?> body = JsonMapper.shared().readValue(json, Map.class);
		OperationRequest request = OperationRequest.of("jobs", "1", String.valueOf(body.get("action")));
		for (Map.Entry<?, ?> parameter : body.entrySet()) {
			boolean ofFilter = body.containsKey("filter") && OF_FILTERS.contains(String.valueOf(parameter.getKey()));
			if (!parameter.getKey().equals("action") && !ofFilter) {
				request = request.with(String.valueOf(parameter.getKey()), parameter.getValue());
			}
		}
		assertThat(request.auditType()).isNotEqualTo("ROWQUEUE_UNKNOWN_ACTION");
		assertThat(request.parameters().keySet()).isSubsetOf("reason", "delay", "priority", "step", "limit", "slots",
				"weight", "from", "until", "again");
		request.check();
	}

}
