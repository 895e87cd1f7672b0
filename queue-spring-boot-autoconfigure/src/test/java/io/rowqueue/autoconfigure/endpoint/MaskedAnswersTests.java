package io.rowqueue.autoconfigure.endpoint;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.autoconfigure.admin.SanitizingMasker;
import io.rowqueue.autoconfigure.endpoint.Findings.FlowFindings;
import io.rowqueue.autoconfigure.endpoint.Findings.JobFindings;
import io.rowqueue.autoconfigure.endpoint.Findings.OverviewFindings;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduledRun;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the endpoint answers to those who may not see payloads, text by text. All texts of
 * all answers are listed here: a new one is either harmless, or it is masked.
 */
class MaskedAnswersTests {

	/** Names that are chosen in code and configuration, and what is for everybody. */
	private static final String HARMLESS = """
			batches:
			flows:
			lanes: queue type
			limits: name
			longestRunning: queue type
			pausedTypes: name reason window
			queues: paused.name paused.reason paused.window
			recentFailures: queue state type
			schedules: name pauseReason queue type
			windows: name queues types
			deadWorkers: name queues types
			list: next
			list.jobs: queue state type
			job: queue type explanation.facts.fact explanation.summary
			job.failures: queue type
			job.steps:
			job.waits:
			job.log:
			flow: jobs.type
			batch:
			schedule: schedule.name schedule.pauseReason schedule.queue schedule.type
			operation: action address bulk.filter kind message name parameters.fact reason via who
			""";

	private static final String MASKED = """
			batches: batch.name
			flows: name
			recentFailures: error
			schedules: limitKey
			list.jobs: error limitKey payload uniqueKey
			job: payload progress.message result uniqueKey
			job.failures: error
			job.steps: name
			job.waits: name
			job.log: text
			flow: flow.name jobs.after jobs.name
			batch: batch.name
			schedule: schedule.limitKey
			""";

	private final ReportWriter everybody = new ReportWriter(TextMasker.ALL);

	@Test
	void everyTextIsEitherDeclaredHarmlessOrMasked() {
		Map<String, String> texts = texts(this.everybody);
		assertThat(paths(texts, false)).containsExactlyInAnyOrderElementsOf(declared(HARMLESS));
		assertThat(paths(texts, true)).containsExactlyInAnyOrderElementsOf(declared(MASKED));
	}

	@Test
	void thoseWhoMaySeePayloadsSeeAll() {
		assertThat(texts(new ReportWriter(TextMasker.NONE)).values()).noneMatch((text) -> text.contains("******"));
	}

	@Test
	void theApplicationsOwnFunctionsAreAskedAboutEverythingThatIsSensitive() {
		Set<String> asked = new TreeSet<>();
		Sanitizer sanitizer = new Sanitizer(Set.of((data) -> {
			asked.add(data.getKey());
			return data.withSanitizedValue();
		}));
		Map<String, String> texts = texts(new ReportWriter(new SanitizingMasker(sanitizer, true)));
		assertThat(asked).containsExactly("rowqueue.batch.name", "rowqueue.flow.job", "rowqueue.flow.name",
				"rowqueue.job.error", "rowqueue.job.limit-key", "rowqueue.job.log", "rowqueue.job.payload",
				"rowqueue.job.progress", "rowqueue.job.result", "rowqueue.job.step", "rowqueue.job.unique-key",
				"rowqueue.pause.reason");
		assertThat(paths(texts, true)).containsAll(declared(MASKED)).contains("pausedTypes.reason");
	}

	/** An answer that is not made here would not be looked at. */
	@Test
	void noOtherAnswersAreMade() {
		Set<String> read = Arrays.stream(QueueReader.class.getDeclaredMethods())
			.filter((method) -> !Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic())
			.map(Method::getName)
			.collect(Collectors.toSet());
		assertThat(read).containsExactlyInAnyOrder("overview", "jobs", "job", "flow", "batch", "operation", "schedule");
	}

	private static Map<String, String> texts(ReportWriter writer) {
		Map<String, String> texts = new TreeMap<>();
		collect(writer.overview(Filled.with(OverviewFindings.class)), "", texts);
		collect(writer.jobs(Filled.with(JobPage.class)), "list", texts);
		collect(writer.job(Filled.with(JobFindings.class)), "job", texts);
		collect(writer.flow(Filled.with(FlowFindings.class)), "flow", texts);
		collect(writer.batch(Filled.with(BatchProgress.class)), "batch", texts);
		collect(writer.operation(Filled.with(RecordedOperation.class)), "operation", texts);
		collect(writer.schedule(Filled.with(ScheduleStatus.class), List.of(Filled.with(ScheduledRun.class))),
				"schedule", texts);
		return texts;
	}

	private static void collect(Object answer, String path, Map<String, String> texts) {
		collect(JsonMapper.shared().valueToTree(answer), path, texts);
	}

	private static void collect(JsonNode node, String path, Map<String, String> texts) {
		if (node.isString()) {
			texts.put(path, node.asString());
		}
		node.forEach((element) -> {
			if (node.isArray()) {
				collect(element, path, texts);
			}
		});
		node.properties().forEach((property) -> {
			// what is a name is no property
			String name = property.getKey().contains(Filled.TEXT) ? "" : property.getKey();
			collect(property.getValue(), (path.isEmpty() || name.isEmpty()) ? path + name : path + "." + name, texts);
		});
	}

	/** The paths of the texts that were given; others are of numbers, times and enums. */
	private static Set<String> paths(Map<String, String> texts, boolean masked) {
		return texts.entrySet()
			.stream()
			.filter((text) -> text.getValue().contains("******") || text.getValue().contains(Filled.TEXT))
			.filter((text) -> text.getValue().contains("******") == masked)
			.map(Map.Entry::getKey)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> declared(String table) {
		Set<String> paths = new TreeSet<>();
		for (String line : table.lines().toList()) {
			String[] row = line.split(": ?", 2);
			Arrays.stream(row[1].split(" "))
				.filter((name) -> !name.isEmpty())
				.forEach((name) -> paths.add(row[0] + "." + name));
		}
		return paths;
	}

}
