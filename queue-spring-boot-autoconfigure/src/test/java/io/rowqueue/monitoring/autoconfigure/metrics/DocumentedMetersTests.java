package io.rowqueue.monitoring.autoconfigure.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The table of meters is what the code says, word for word. */
class DocumentedMetersTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "meters.md");

	@Test
	void theDocumentNamesEachMeterWithItsKindTagsAndMeaning() throws IOException {
		List<String> documented = Files.readAllLines(DOCUMENT)
			.stream()
			.filter((line) -> line.startsWith("| `rowqueue."))
			.toList();
		List<String> known = Arrays.stream(QueueMeter.values()).map(DocumentedMetersTests::row).toList();
		assertThat(documented)
			.withFailMessage(() -> "The table of meters should have these rows:\n\n" + String.join("\n", known) + "\n")
			.containsExactlyElementsOf(known);
	}

	private static String row(QueueMeter meter) {
		String unit = (meter.unit() != null) ? meter.unit() : "seconds";
		String tags = meter.tags().isEmpty() ? "–"
				: meter.tags().stream().map((tag) -> "`" + tag + "`").collect(Collectors.joining(", "));
		return "| `%s` | %s, %s | %s | %s |".formatted(meter.meterName(),
				meter.type().name().toLowerCase(Locale.ROOT).replace('_', ' '), unit, tags, meter.description());
	}

}
