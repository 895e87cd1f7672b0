package io.pgqueue.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;

import static org.assertj.core.api.Assertions.assertThat;

/** The table of properties in the README is what the code says, word for word. */
class DocumentedPropertiesTests {

	private static final Path README = Path.of("..", "README.md");

	private static final String QUEUES = "queue.worker.queues";

	private static final String TYPES = "queue.types";

	private static final List<String> OF_TYPES = List.of(
			"| `queue.types.<type>.max-attempts` | – | How often a job of this type is tried that does not say so itself. |",
			"| `queue.types.<type>.timeout` | – | How long an attempt may take before it is interrupted and fails. |",
			"| `queue.types.<type>.retry` | – | When failed jobs are tried again: `fixed(30s)`, `linear(10s, 5m)`, `exponential(2s, 3, 1h)`, `delays(1s, 10s, 1m)` or the name of a `RetryPolicy` bean. |",
			"| `queue.types.<type>.no-retry-for` | – | Exceptions, subclasses included, after which a job is failed for good. |",
			"| `queue.types.<type>.concurrency` | – | How many jobs of this type run at once. |",
			"| `queue.types.<type>.window` | – | Window that jobs of this type are run in. |");

	private static final String RECURRING = "queue.recurring";

	private static final List<String> OF_RECURRING = List.of(
			"| `queue.recurring.<name>.enabled` | `true` | Whether it is declared at all. |",
			"| `queue.recurring.<name>.type` | – | Type of its jobs; needed unless an annotation has the same name. |",
			"| `queue.recurring.<name>.cron` | – | Cron expression of six fields, from seconds to days of the week. |",
			"| `queue.recurring.<name>.zone` | `UTC` | Time zone of the cron expression. |",
			"| `queue.recurring.<name>.every` | – | Time from one due time to the next, in place of a cron expression. |",
			"| `queue.recurring.<name>.queue` | `default` | Queue of its jobs. |",
			"| `queue.recurring.<name>.priority` | `0` | Priority of its jobs. |",
			"| `queue.recurring.<name>.tolerance` | – | How long its jobs may wait once they are due. |",
			"| `queue.recurring.<name>.max-attempts` | – | How often its jobs are tried. |",
			"| `queue.recurring.<name>.limit-key` | – | Limit key of its jobs. |",
			"| `queue.recurring.<name>.payload` | – | Payload of its jobs, as JSON. |",
			"| `queue.recurring.<name>.missed` | `once` | What becomes of due times that passed while nobody was there: `skip`, `once` or `all`. |",
			"| `queue.recurring.<name>.overlap` | `skip` | What becomes of a due time while the job before it is not over: `skip` or `queue`. |",
			"| `queue.recurring.<name>.jitter` | – | By how much its jobs are put off at most. |");

	private static final String WINDOWS = "queue.windows";

	private static final List<String> OF_WINDOWS = List.of(
			"| `queue.windows.<name>.zone` | `UTC` | Time zone of the times. |",
			"| `queue.windows.<name>.times` | – | When it is open, such as `MON-FRI 23:00-06:00`; several are a list. |",
			"| `queue.windows.<name>.closing` | `finish` | What becomes of running jobs when it closes: `finish` or `stop`. |",
			"| `queue.windows.<name>.queues` | – | Queues that are run only while it is open. |",
			"| `queue.windows.<name>.types` | – | Types that are run only while it is open. |");

	private static final String RETENTION = "queue.retention.queues";

	private static final List<String> OF_RETENTION = List.of(
			"| `queue.retention.queues.<name>.succeeded` | – | How long jobs of this queue are kept that succeeded. |",
			"| `queue.retention.queues.<name>.cancelled` | – | How long jobs of this queue are kept that were cancelled. |",
			"| `queue.retention.queues.<name>.failed` | – | How long jobs of this queue are kept that failed for good. |");

	private static final List<String> OF_LIMITS = List.of("queues.<name>", "types.<type>", "keys.<class>");

	private static List<String> ofLimit(String of) {
		String jobs = of.startsWith("keys") ? "jobs of each key of the class"
				: "jobs of the " + of.substring(0, of.indexOf('.') - 1);
		List<String> rows = new ArrayList<>(List.of(
				"| `queue.limits.%s.concurrency` | – | How many %s run at once in the whole cluster. |".formatted(of,
						jobs),
				"| `queue.limits.%s.rate` | – | How many %s begin in a time, such as `100/1m`, in the whole cluster. |"
					.formatted(of, jobs),
				"| `queue.limits.%s.burst` | – | How many %s may begin at once after a rest; the rate's number unless given. |"
					.formatted(of, jobs)));
		if (of.startsWith("keys")) {
			rows.add(
					"| `queue.limits.keys.<class>.ordered` | `false` | Whether the jobs of a key run strictly one after the other. |");
		}
		return rows;
	}

	@Test
	void theReadmeNamesEachPropertyWithItsDefaultAndMeaning() throws IOException {
		List<String> documented = Files.readAllLines(README)
			.stream()
			.filter((line) -> line.startsWith("| `queue.") || line.startsWith("| `management."))
			.toList();
		List<String> known = known().toList();
		assertThat(documented)
			.withFailMessage(() -> "The README's table of properties should have these rows, in any order:\n\n"
					+ String.join("\n", known) + "\n")
			.containsExactlyInAnyOrderElementsOf(known);
	}

	@Test
	void eachQueueOfItsOwnHasNothingButAConcurrency() {
		assertThat(Arrays.stream(QueueProperties.Queue.class.getRecordComponents())
			.map((component) -> component.getName())).containsExactly("concurrency");
	}

	private static Stream<String> known() throws IOException {
		JsonNode metadata = JsonMapper.shared().readTree(metadata().getContentAsByteArray());
		return metadata.get("properties").valueStream().flatMap((property) -> switch (property.get("name").asString()) {
			case TYPES -> OF_TYPES.stream();
			case WINDOWS -> OF_WINDOWS.stream();
			case RECURRING -> OF_RECURRING.stream();
			case RETENTION -> OF_RETENTION.stream();
			case "queue.limits.queues" -> ofLimit(OF_LIMITS.get(0)).stream();
			case "queue.limits.types" -> ofLimit(OF_LIMITS.get(1)).stream();
			case "queue.limits.keys" -> ofLimit(OF_LIMITS.get(2)).stream();
			default -> Stream.of(row(property));
		});
	}

	private static String row(JsonNode property) {
		String name = property.get("name").asString();
		// the metadata knows nothing of what is inside a map
		String shown = name.equals(QUEUES) ? QUEUES + ".<name>.concurrency" : name;
		String description = name.equals(QUEUES) ? "How many jobs of this queue run at once."
				: property.get("description").asString().replaceAll(" If a duration suffix .*", "");
		JsonNode value = property.get("defaultValue");
		return "| `%s` | %s | %s |".formatted(shown, (value != null) ? "`" + value.asString() + "`" : "–", description);
	}

	/** The file beside our classes: every starter on the class path has one. */
	private static Resource metadata() throws IOException {
		return new UrlResource(Objects.requireNonNull(QueueProperties.class.getResource("QueueProperties.class")))
			.createRelative("../../../META-INF/spring-configuration-metadata.json");
	}

}
