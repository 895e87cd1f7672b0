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
		assertThat(QueueEndpoint.ACTIONS).contains(String.valueOf(body.get("action")));
		assertThat(body.keySet()).allMatch(Set.of("action", "reason")::contains);
	}

}
