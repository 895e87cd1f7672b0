package io.rowqueue.dashboard.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.rowqueue.dashboard.api.Contract.Member;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The answers that the pages are tested with are answers of the API. */
class FixtureContractTests {

	private static final String FOLDER = "io/rowqueue/dashboard/fixture/";

	private static final Map<String, String> INTERFACES = Map.ofEntries(Map.entry("attention", "Attention"),
			Map.entry("batch", "BatchDetail"), Map.entry("jobs.summary", "JobSummary"), Map.entry("batches", "Batches"),
			Map.entry("calendar", "Calendar"), Map.entry("error", "ErrorDetail"), Map.entry("errors", "Errors"),
			Map.entry("flow", "FlowDetail"), Map.entry("flows", "Flows"), Map.entry("health", "Health"),
			Map.entry("job", "JobDetail"), Map.entry("job.attempts", "Attempts"), Map.entry("job.log", "JobLog"),
			Map.entry("job.payload", "Content"), Map.entry("job.steps", "Steps"), Map.entry("job.timeline", "Timeline"),
			Map.entry("jobs", "JobPage"), Map.entry("lanes", "Lanes"), Map.entry("limits", "Limits"),
			Map.entry("operation", "OperationDetail"), Map.entry("operations", "Operations"),
			Map.entry("overview", "Overview"), Map.entry("queue", "QueueDetail"), Map.entry("queues", "Queues"),
			Map.entry("schedule", "ScheduleDetail"), Map.entry("schedules", "SchedulesList"),
			Map.entry("session", "Session"), Map.entry("shards", "Shards"), Map.entry("type", "TypeDetail"),
			Map.entry("types", "Types"), Map.entry("versions", "Versions"), Map.entry("windows", "WindowsList"),
			Map.entry("worker", "WorkerDetail"), Map.entry("workers", "Workers"));

	private final Contract contract = Contract.read();

	private static Stream<Resource> fixtures() throws IOException {
		return Stream.of(new PathMatchingResourcePatternResolver(FixtureContractTests.class.getClassLoader())
			.getResources("classpath:" + FOLDER + "**/*.json"));
	}

	@ParameterizedTest
	@MethodSource("fixtures")
	void aFixtureIsAnAnswerOfTheApi(Resource fixture) throws IOException {
		String file = String.valueOf(fixture.getFilename()).replace(".json", "");
		assertThat(INTERFACES).containsKey(file);
		JsonNode answer = JsonMapper.shared().readTree(fixture.getContentAsByteArray());
		assertThat(findings(answer, INTERFACES.get(file), file)).isEmpty();
	}

	/** What is wrong with a value; it has to be one of the alternatives of its type. */
	private List<String> findings(JsonNode value, String type, String path) {
		Set<String> alternatives = this.contract.alternatives(type);
		List<String> findings = List.of();
		for (String each : alternatives) {
			List<String> found = findingsOfOne(value, each, path);
			if (found.isEmpty()) {
				return List.of();
			}
			if (findings.isEmpty() || (value.isObject() && this.contract.isObject(each))) {
				findings = found;
			}
		}
		return findings;
	}

	private List<String> findingsOfOne(JsonNode value, String type, String path) {
		String elements = Contract.elementsOfList(type);
		String values = Contract.valuesOfMap(type);
		List<String> findings = new ArrayList<>();
		if (elements != null && value.isArray()) {
			for (int i = 0; i < value.size(); i++) {
				findings.addAll(findings(value.get(i), elements, path + "[" + i + "]"));
			}
		}
		else if (values != null && value.isObject()) {
			Set<String> keys = this.contract.keysOfMap(type);
			value.forEachEntry((name, each) -> findings.addAll((keys.isEmpty() || keys.contains(name))
					? findings(each, values, path + "." + name) : List.of(path + "." + name + " is never answered")));
		}
		else if (this.contract.isObject(type) && value.isObject()) {
			findings.addAll(findingsOfObject(value, this.contract.members(type), path));
		}
		else if (!isValue(value, type)) {
			findings.add(path + " is " + value + ", and no " + type);
		}
		return findings;
	}

	private List<String> findingsOfObject(JsonNode object, Map<String, Member> members, String path) {
		List<String> findings = new ArrayList<>();
		object.forEachEntry((name, each) -> {
			Member member = members.get(name);
			findings.addAll((member != null) ? findings(each, member.type(), path + "." + name)
					: List.of(path + "." + name + " is not declared"));
		});
		members.forEach((name, member) -> {
			if (!member.optional() && !object.has(name)) {
				findings.add(path + "." + name + " is missing");
			}
		});
		return findings;
	}

	private static boolean isValue(JsonNode value, String type) {
		return switch (type) {
			case "null" -> value.isNull();
			case "number" -> value.isNumber();
			case "boolean" -> value.isBoolean();
			case "true" -> value.isBoolean() && value.asBoolean();
			case "string", "Time" -> value.isString();
			default -> type.startsWith("'") && value.isString() && type.equals("'" + value.asString() + "'");
		};
	}

}
