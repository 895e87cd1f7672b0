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
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The tables of properties in the documentation match the metadata, word for word. */
class DocumentedPropertiesTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "properties.md");

	private static final String QUEUES = "pgqueue.worker.queues";

	private static final String TYPES = "pgqueue.types";

	private static final List<String> OF_TYPES = List.of(
			"| `pgqueue.types.<type>.max-attempts` | – | Maximum attempts of a job of this type, unless the job sets it. |",
			"| `pgqueue.types.<type>.timeout` | – | How long an attempt may take; then it is interrupted and fails. |",
			"| `pgqueue.types.<type>.retry` | – | When to retry failed jobs: `fixed(30s)`, `linear(10s, 5m)`, `exponential(2s, 3, 1h)`, `delays(1s, 10s, 1m)` or the name of a `RetryPolicy` bean. |",
			"| `pgqueue.types.<type>.no-retry-for` | – | Exceptions, including subclasses, after which a job fails permanently. |",
			"| `pgqueue.types.<type>.concurrency` | – | Maximum number of jobs of this type that run at once, in each process. |",
			"| `pgqueue.types.<type>.window` | – | Window during which jobs of this type run. |",
			"| `pgqueue.types.<type>.lease` | – | Time after the last heartbeat at which jobs of this type are recovered, if it differs from the lease of the worker. They run in another worker of this process then, with as many slots as the concurrency of the type, which is required. |",
			"| `pgqueue.types.<type>.retention` | – | How long to keep succeeded and cancelled jobs of this type, whatever their queue. |",
			"| `pgqueue.types.<type>.expires-in` | – | How long after their enqueue jobs of this type are cancelled if they have not begun. Applies to jobs that this application enqueues. |");

	private static final String RECURRING = "pgqueue.recurring";

	private static final List<String> OF_RECURRING = List.of(
			"| `pgqueue.recurring.<name>.enabled` | `true` | Whether the recurring job is declared at all. |",
			"| `pgqueue.recurring.<name>.type` | – | Type of its jobs; required unless an annotation declares the same name. |",
			"| `pgqueue.recurring.<name>.cron` | – | Cron expression with six fields, from seconds to days of the week, or with five fields, from minutes to days of the week. |",
			"| `pgqueue.recurring.<name>.zone` | `UTC` | Time zone of the cron expression. |",
			"| `pgqueue.recurring.<name>.every` | – | Interval between due times, instead of a cron expression. |",
			"| `pgqueue.recurring.<name>.queue` | `default` | Queue of its jobs. |",
			"| `pgqueue.recurring.<name>.priority` | `0` | Priority of its jobs. |",
			"| `pgqueue.recurring.<name>.tolerance` | – | Tolerance of its jobs: how long they may wait once they are due. |",
			"| `pgqueue.recurring.<name>.max-attempts` | – | Maximum attempts of its jobs. |",
			"| `pgqueue.recurring.<name>.limit-key` | – | Limit key of its jobs. |",
			"| `pgqueue.recurring.<name>.payload` | – | Payload of its jobs, as JSON. |",
			"| `pgqueue.recurring.<name>.missed` | `once` | What to do about due times that passed while no worker was running: `skip`, `once` or `all`. |",
			"| `pgqueue.recurring.<name>.overlap` | `skip` | What to do about a due time while the previous job has not finished: `skip` or `queue`. |",
			"| `pgqueue.recurring.<name>.jitter` | – | Maximum delay that spreads its jobs after their due times. |",
			"| `pgqueue.recurring.<name>.from` | – | First possible due time, such as `2026-12-01T08:00:00Z`, or a local date or time in the time zone. |",
			"| `pgqueue.recurring.<name>.until` | – | End of the due times, in the same form: all due times are before. |",
			"| `pgqueue.recurring.<name>.calendar` | – | Calendar of its due times: one of `pgqueue.calendars`, or a `JobCalendar` bean. |",
			"| `pgqueue.recurring.<name>.excluded` | `skip` | What to do about a due time on a day that the calendar excludes: `skip` or `next-day`. |");

	private static final String CALENDARS = "pgqueue.calendars";

	private static final List<String> OF_CALENDARS = List.of(
			"| `pgqueue.calendars.<name>.excluded-days` | – | Days of the week that the calendar excludes, such as `SATURDAY`. |",
			"| `pgqueue.calendars.<name>.excluded-dates` | – | Dates that the calendar excludes, such as `2026-12-25`. |");

	private static final String WINDOWS = "pgqueue.windows";

	private static final List<String> OF_WINDOWS = List.of(
			"| `pgqueue.windows.<name>.zone` | `UTC` | Time zone of `times`. |",
			"| `pgqueue.windows.<name>.times` | – | When the window is open, such as `MON-FRI 23:00-06:00`; one or a list. |",
			"| `pgqueue.windows.<name>.closing` | `finish` | What to do about running jobs when the window closes: `finish` or `stop`. |",
			"| `pgqueue.windows.<name>.queues` | – | Queues that run only while it is open. |",
			"| `pgqueue.windows.<name>.types` | – | Types that run only while it is open. |");

	private static final String SHARDS = "pgqueue.shards";

	private static final List<String> OF_SHARDS = List.of(
			"| `pgqueue.shards.<name>.datasource` | – | Name of the DataSource bean of the shard. |",
			"| `pgqueue.shards.<name>.url` | – | JDBC URL of the shard, instead of a DataSource bean. |",
			"| `pgqueue.shards.<name>.username` | – | User of the connections to the URL. |",
			"| `pgqueue.shards.<name>.password` | – | Password of the user. |",
			"| `pgqueue.shards.<name>.role` | `queue` | Whether jobs run in the shard, or are only enqueued there and handed over to the other shards. |");

	private static final String RETENTION = "pgqueue.retention.queues";

	private static final List<String> OF_RETENTION = List.of(
			"| `pgqueue.retention.queues.<name>.succeeded` | – | How long to keep succeeded jobs of this queue. |",
			"| `pgqueue.retention.queues.<name>.cancelled` | – | How long to keep cancelled jobs of this queue. |",
			"| `pgqueue.retention.queues.<name>.failed` | – | How long to keep jobs of this queue that failed permanently. |");

	private static final List<String> OF_LIMITS = List.of("queues.<name>", "types.<type>", "keys.<class>");

	private static List<String> ofLimit(String of) {
		String jobs = of.startsWith("keys") ? "jobs of each key of the class"
				: "jobs of the " + of.substring(0, of.indexOf('.') - 1);
		List<String> rows = new ArrayList<>(List.of(
				"| `pgqueue.limits.%s.concurrency` | – | Maximum number of %s that run at once in the whole cluster. |"
					.formatted(of, jobs),
				"| `pgqueue.limits.%s.rate` | – | Maximum number of %s that start in a period, such as `100/1m`, in the whole cluster. |"
					.formatted(of, jobs),
				"| `pgqueue.limits.%s.burst` | – | Maximum number of %s that may start at once after a pause; by default the number in the rate. |"
					.formatted(of, jobs)));
		if (of.startsWith("keys")) {
			rows.add(
					"| `pgqueue.limits.keys.<class>.ordered` | `false` | Whether the jobs of each key run strictly one after another. |");
		}
		return rows;
	}

	@Test
	void theDocumentNamesEachPropertyWithItsDefaultAndMeaning() throws IOException {
		List<String> documented = Files.readAllLines(DOCUMENT)
			.stream()
			.filter((line) -> line.startsWith("| `pgqueue.") || line.startsWith("| `management."))
			.filter((line) -> !line.startsWith("| `pgqueue.dashboard.") && !line.startsWith("| `pgqueue.mcp."))
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
		JsonNode metadata = JsonMapper.shared().readTree(metadata().getContentAsByteArray());
		return metadata.get("properties").valueStream().flatMap((property) -> switch (property.get("name").asString()) {
			case TYPES -> OF_TYPES.stream();
			case WINDOWS -> OF_WINDOWS.stream();
			case CALENDARS -> OF_CALENDARS.stream();
			case RECURRING -> OF_RECURRING.stream();
			case RETENTION -> OF_RETENTION.stream();
			case SHARDS -> OF_SHARDS.stream();
			case "pgqueue.limits.queues" -> ofLimit(OF_LIMITS.get(0)).stream();
			case "pgqueue.limits.types" -> ofLimit(OF_LIMITS.get(1)).stream();
			case "pgqueue.limits.keys" -> ofLimit(OF_LIMITS.get(2)).stream();
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

	/** The file beside our classes: every starter on the class path has one. */
	private static Resource metadata() throws IOException {
		return new UrlResource(Objects.requireNonNull(QueueProperties.class.getResource("QueueProperties.class")))
			.createRelative("../../../META-INF/spring-configuration-metadata.json");
	}

}
