package io.rowqueue.dashboard.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.UrlResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The rows of the dashboard's properties match the metadata, word for word. */
class DocumentedDashboardPropertiesTests {

	private static final Path DOCUMENT = Path.of("..", "..", "docs", "properties.md");

	@Test
	void theDocumentNamesEachPropertyWithItsDefaultAndMeaning() throws IOException {
		List<String> documented = Files.readAllLines(DOCUMENT)
			.stream()
			.filter((line) -> line.startsWith("| `rowqueue.dashboard."))
			.toList();
		List<String> known = metadata().get("properties")
			.valueStream()
			.map(DocumentedDashboardPropertiesTests::row)
			.toList();
		assertThat(documented).withFailMessage(
				() -> "docs/properties.md should have these rows, in any order:\n\n" + String.join("\n", known) + "\n")
			.containsExactlyInAnyOrderElementsOf(known);
	}

	private static String row(JsonNode property) {
		JsonNode value = property.get("defaultValue");
		return "| `%s` | %s | %s |".formatted(property.get("name").asString(),
				(value != null) ? "`" + value.asString() + "`" : "–", property.get("description").asString());
	}

	/** The file beside our classes: every starter on the class path has one. */
	private static JsonNode metadata() throws IOException {
		UrlResource here = new UrlResource(
				Objects.requireNonNull(DashboardProperties.class.getResource("DashboardProperties.class")));
		return JsonMapper.shared()
			.readTree(here.createRelative("../../../../META-INF/spring-configuration-metadata.json")
				.getContentAsByteArray());
	}

}
