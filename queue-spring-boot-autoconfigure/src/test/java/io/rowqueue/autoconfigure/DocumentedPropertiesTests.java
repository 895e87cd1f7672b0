package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The tables of properties in the documentation match the metadata, word for word. */
class DocumentedPropertiesTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "properties.md");

	private static final String QUEUES = "rowqueue.worker.queues";

	private static final String TYPES = "rowqueue.types";

	private static final List<String> OF_TYPES = List.of(
			"| `rowqueue.types.<type>.max-attempts` | – | Maximum attempts of a job of this type, unless the job sets it. |",
			"| `rowqueue.types.<type>.timeout` | – | How long an attempt may take; then it is interrupted and fails. |",
			"| `rowqueue.types.<type>.retry` | – | When to retry failed jobs: `fixed(30s)`, `linear(10s, 5m)`, `exponential(2s, 3, 1h)`, `delays(1s, 10s, 1m)` or the name of a `RetryPolicy` bean. |",
			"| `rowqueue.types.<type>.no-retry-for` | – | Exceptions, including subclasses, after which a job fails permanently. |",
			"| `rowqueue.types.<type>.concurrency` | – | Maximum number of jobs of this type that run at once, in each process. |",
			"| `rowqueue.types.<type>.window` | – | Window during which jobs of this type run. |",
			"| `rowqueue.types.<type>.lease` | – | Time after the last heartbeat at which jobs of this type are recovered, if it differs from the lease of the worker. They run in another worker of this process then, with as many slots as the concurrency of the type, which is required. |",
			"| `rowqueue.types.<type>.retention` | – | How long to keep succeeded and cancelled jobs of this type, whatever their queue. |",
			"| `rowqueue.types.<type>.expires-in` | – | How long after their enqueue jobs of this type are cancelled if they have not begun. Applies to jobs that this application enqueues. |");

	private static final String RECURRING = "rowqueue.recurring";

	private static final List<String> OF_RECURRING = List.of(
			"| `rowqueue.recurring.<name>.enabled` | `true` | Whether the recurring job is declared at all. |",
			"| `rowqueue.recurring.<name>.type` | – | Type of its jobs; required unless an annotation declares the same name. |",
			"| `rowqueue.recurring.<name>.cron` | – | Cron expression with six fields, from seconds to days of the week, or with five fields, from minutes to days of the week. |",
			"| `rowqueue.recurring.<name>.zone` | `UTC` | Time zone of the cron expression. |",
			"| `rowqueue.recurring.<name>.every` | – | Interval between due times, instead of a cron expression. |",
			"| `rowqueue.recurring.<name>.queue` | `default` | Queue of its jobs. |",
			"| `rowqueue.recurring.<name>.priority` | `0` | Priority of its jobs. |",
			"| `rowqueue.recurring.<name>.tolerance` | – | Tolerance of its jobs: how long they may wait once they are due. |",
			"| `rowqueue.recurring.<name>.max-attempts` | – | Maximum attempts of its jobs. |",
			"| `rowqueue.recurring.<name>.limit-key` | – | Limit key of its jobs. |",
			"| `rowqueue.recurring.<name>.tags` | – | Tags of its jobs. |",
			"| `rowqueue.recurring.<name>.headers.<header>` | – | Headers of its jobs, by name. |",
			"| `rowqueue.recurring.<name>.expires-in` | – | How long after their enqueue its jobs are cancelled if they have not begun. |",
			"| `rowqueue.recurring.<name>.on-failure` | – | Type of a job without a payload that is enqueued, in the same queue, if one of its jobs fails permanently. |",
			"| `rowqueue.recurring.<name>.payload` | – | Payload of its jobs, as JSON. |",
			"| `rowqueue.recurring.<name>.missed` | `once` | What to do about due times that passed while no worker was running: `skip`, `once` or `all`. |",
			"| `rowqueue.recurring.<name>.overlap` | `skip` | What to do about a due time while the previous job has not finished: `skip` or `queue`. |",
			"| `rowqueue.recurring.<name>.jitter` | – | Maximum delay that spreads its jobs after their due times. |",
			"| `rowqueue.recurring.<name>.from` | – | First possible due time, such as `2026-12-01T08:00:00Z`, or a local date or time in the time zone. |",
			"| `rowqueue.recurring.<name>.until` | – | End of the due times, in the same form: all due times are before. |",
			"| `rowqueue.recurring.<name>.calendar` | – | Calendar of its due times: one of `rowqueue.calendars`, or a `JobCalendar` bean. |",
			"| `rowqueue.recurring.<name>.excluded` | `skip` | What to do about a due time on a day that the calendar excludes: `skip` or `next-day`. |");

	private static final String CALENDARS = "rowqueue.calendars";

	private static final List<String> OF_CALENDARS = List.of(
			"| `rowqueue.calendars.<name>.excluded-days` | – | Days of the week that the calendar excludes, such as `SATURDAY`. |",
			"| `rowqueue.calendars.<name>.excluded-dates` | – | Dates that the calendar excludes, such as `2026-12-25`. |");

	private static final String WINDOWS = "rowqueue.windows";

	private static final List<String> OF_WINDOWS = List.of(
			"| `rowqueue.windows.<name>.zone` | `UTC` | Time zone of `times`. |",
			"| `rowqueue.windows.<name>.times` | – | When the window is open, such as `MON-FRI 23:00-06:00`; one or a list. |",
			"| `rowqueue.windows.<name>.closing` | `finish` | What to do about running jobs when the window closes: `finish` or `stop`. |",
			"| `rowqueue.windows.<name>.queues` | – | Queues that run only while it is open. |",
			"| `rowqueue.windows.<name>.types` | – | Types that run only while it is open. |");

	private static final String SHARDS = "rowqueue.shards";

	private static final List<String> OF_SHARDS = List.of(
			"| `rowqueue.shards.<name>.datasource` | – | Name of the DataSource bean of the shard. |",
			"| `rowqueue.shards.<name>.url` | – | JDBC URL of the shard, instead of a DataSource bean. |",
			"| `rowqueue.shards.<name>.username` | – | User of the connections to the URL. |",
			"| `rowqueue.shards.<name>.password` | – | Password of the user. |");

	private static final String RETENTION = "rowqueue.retention.queues";

	private static final List<String> OF_RETENTION = List.of(
			"| `rowqueue.retention.queues.<name>.succeeded` | – | How long to keep succeeded jobs of this queue. |",
			"| `rowqueue.retention.queues.<name>.cancelled` | – | How long to keep cancelled jobs of this queue. |",
			"| `rowqueue.retention.queues.<name>.failed` | – | How long to keep jobs of this queue that failed permanently. |");

	private static final List<String> OF_LIMITS = List.of("queues.<name>", "types.<type>", "keys.<class>");

	private static List<String> ofLimit(String of) {
		String jobs = of.startsWith("keys") ? "jobs of each key of the class"
				: "jobs of the " + of.substring(0, of.indexOf('.') - 1);
		List<String> rows = new ArrayList<>(List.of(
				"| `rowqueue.limits.%s.concurrency` | – | Maximum number of %s that run at once in the whole cluster. |"
					.formatted(of, jobs),
				"| `rowqueue.limits.%s.rate` | – | Maximum number of %s that start in a period, such as `100/1m`, in the whole cluster. |"
					.formatted(of, jobs),
				"| `rowqueue.limits.%s.burst` | – | Maximum number of %s that may start at once after a pause; by default the number in the rate. |"
					.formatted(of, jobs)));
		if (of.startsWith("keys")) {
			rows.add(
					"| `rowqueue.limits.keys.<class>.ordered` | `false` | Whether the jobs of each key run strictly one after another. |");
		}
		return rows;
	}

	@Test
	void theDocumentNamesEachPropertyWithItsDefaultAndMeaning() throws IOException {
		List<String> documented = Files.readAllLines(DOCUMENT)
			.stream()
			.filter((line) -> line.startsWith("| `rowqueue.") || line.startsWith("| `management."))
			.filter((line) -> !line.startsWith("| `rowqueue.dashboard.") && !line.startsWith("| `rowqueue.mcp."))
			.toList();
		List<String> known = known().toList();
		assertThat(documented).withFailMessage(
				() -> "docs/properties.md should have these rows, in any order:\n\n" + String.join("\n", known) + "\n")
			.containsExactlyInAnyOrderElementsOf(known);
	}

	@Test
	void eachQueueOfItsOwnHasNothingButAConcurrency() {
		assertThat(Arrays.stream(WorkerProperties.Queue.class.getRecordComponents())
			.map((component) -> component.getName())).containsExactly("concurrency");
	}

	private static Stream<String> known() throws IOException {
		return ConfigurationMetadataTests.metadata("properties")
			.flatMap((property) -> switch (property.get("name").asString()) {
				case TYPES -> OF_TYPES.stream();
				case WINDOWS -> OF_WINDOWS.stream();
				case CALENDARS -> OF_CALENDARS.stream();
				case RECURRING -> OF_RECURRING.stream();
				case RETENTION -> OF_RETENTION.stream();
				case SHARDS -> OF_SHARDS.stream();
				case "rowqueue.limits.queues" -> ofLimit(OF_LIMITS.get(0)).stream();
				case "rowqueue.limits.types" -> ofLimit(OF_LIMITS.get(1)).stream();
				case "rowqueue.limits.keys" -> ofLimit(OF_LIMITS.get(2)).stream();
				default -> Stream.of(row(property));
			});
	}

	private static String row(JsonNode property) {
		String name = property.get("name").asString();
		// the metadata does not describe the values of a map
		String shown = name.equals(QUEUES) ? QUEUES + ".<name>.concurrency" : name;
		String description = name.equals(QUEUES)
				? "Maximum number of jobs of this queue that run at once in this process."
				: property.get("description").asString().replaceAll(" If a duration suffix .*", "");
		JsonNode value = property.get("defaultValue");
		return "| `%s` | %s | %s |".formatted(shown, (value != null) ? "`" + value.asString() + "`" : "–", description);
	}

}
