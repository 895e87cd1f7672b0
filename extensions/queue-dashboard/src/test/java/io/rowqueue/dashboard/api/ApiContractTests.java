package io.rowqueue.dashboard.api;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import io.rowqueue.admin.FlowState;
import io.rowqueue.admin.SearchProgress;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.operation.JobChange;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.Contract.Member;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Words;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.ExcludedPolicy;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.window.ClosingPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** {@code api.d.ts} says what the records are that the API writes and reads. */
class ApiContractTests {

	/** Records whose interface has another name. */
	private static final Map<String, String> NAMES = Map.ofEntries(Map.entry("Detail", "JobDetail"),
			Map.entry("Jobs", "JobPage"), Map.entry("Explained", "Explanation"),
			Map.entry("ListedVerdict", "VerdictInList"), Map.entry("Event", "TimelineEvent"),
			Map.entry("Log", "JobLog"), Map.entry("TypeInfo", "JobTypeInfo"), Map.entry("PauseInfo", "Pause"),
			Map.entry("Schedules", "SchedulesList"), Map.entry("Run", "ScheduleRun"),
			Map.entry("Windows", "WindowsList"), Map.entry("Started", "BulkStarted"),
			Map.entry("NewJob", "EnqueueRequest"));

	/** What of them is missing is reported by the API, and not by the reader of JSON. */
	private static final Set<String> REQUESTS = Set.of("EnqueueRequest", "BulkRequest");

	/** Read as the parameters of an action. */
	private static final String WEIGHT = "WeightActionRequest";

	private static final Set<Class<?>> NUMBERS = Set.of(int.class, Integer.class, long.class, Long.class, double.class,
			Double.class);

	private final Contract contract = Contract.read();

	private final List<String> findings = new ArrayList<>();

	private final Set<String> visited = new TreeSet<>();

	private final Set<String> compared = new TreeSet<>(Set.of(WEIGHT));

	@Test
	void everyRecordHasTheMembersOfItsInterface() {
		for (Class<?> type : records()) {
			String name = nameOf(type);
			if (this.contract.interfaces().contains(name)) {
				compare(type, name, name);
			}
			else if (isAnswer(type)) {
				this.findings.add(type.getName() + " is not declared");
			}
		}
		this.contract.interfaces()
			.stream()
			.filter((name) -> !this.compared.contains(name))
			.forEach((name) -> this.findings.add(name + " is no record"));
		assertThat(this.findings).isEmpty();
	}

	private static List<Class<?>> records() {
		return new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("io.rowqueue.dashboard.api", "io.rowqueue.dashboard.http")
			.stream()
			.filter(JavaClass::isRecord)
			.map(JavaClass::reflect)
			.filter((type) -> !type.getName().startsWith("io.rowqueue.dashboard.http.Content"))
			.collect(Collectors.toList());
	}

	private static String nameOf(Class<?> type) {
		return NAMES.getOrDefault(type.getSimpleName(), type.getSimpleName());
	}

	private static boolean isAnswer(Class<?> type) {
		RecordComponent first = type.getRecordComponents()[0];
		return first.getName().equals("at") && first.getType() == Instant.class
				&& !first.getAnnotatedType().isAnnotationPresent(Nullable.class);
	}

	private void compare(Class<?> type, String declared, String path) {
		this.compared.add(declared);
		if (!this.visited.add(type.getName() + " " + declared)) {
			return;
		}
		Map<String, RecordComponent> components = Arrays.stream(type.getRecordComponents())
			.collect(Collectors.toMap(RecordComponent::getName, Function.identity()));
		Map<String, Member> members = this.contract.members(declared);
		differences(path, components.keySet(), members.keySet());
		if (REQUESTS.contains(declared)) {
			return;
		}
		members.forEach((name, member) -> {
			RecordComponent component = components.get(name);
			if (component != null) {
				compare(component.getAnnotatedType(), member, path + "." + name);
			}
		});
	}

	private void differences(String path, Collection<String> written, Collection<String> declared) {
		written.stream()
			.filter((name) -> !declared.contains(name))
			.forEach((name) -> this.findings.add(path + "." + name + " is not declared"));
		declared.stream()
			.filter((name) -> !written.contains(name))
			.forEach((name) -> this.findings.add(path + "." + name + " is not written"));
	}

	private void compare(AnnotatedType type, Member member, String path) {
		Set<String> alternatives = this.contract.alternatives(member.type());
		boolean nullable = alternatives.remove("null") || member.optional();
		if (nullable != type.isAnnotationPresent(Nullable.class)) {
			this.findings.add(path + (nullable ? " is never null" : " may be null"));
		}
		Class<?> raw = raw(type.getType());
		if (raw == Text.class) {
			check(path, raw, member.type().startsWith("Text"));
			return;
		}
		String only = (alternatives.size() == 1) ? alternatives.iterator().next() : "";
		if (Contract.elementsOfList(only) != null) {
			check(path, raw, raw == List.class);
			compare(argument(type, 0), new Member(Contract.elementsOfList(only), false), path + "[]");
		}
		else if (Contract.valuesOfMap(only) != null) {
			check(path, raw, raw == Map.class);
			compare(argument(type, 1), new Member(Contract.valuesOfMap(only), false), path + "{}");
		}
		else if (this.contract.isObject(only)) {
			check(path, raw, raw.isRecord());
			compare(raw, only, path);
		}
		else {
			check(path, raw, alternatives.stream().allMatch((each) -> isValue(each, raw)));
		}
	}

	private void check(String path, Class<?> type, boolean right) {
		if (!right) {
			this.findings.add(path + " is a " + type.getSimpleName());
		}
	}

	private static AnnotatedType argument(AnnotatedType type, int index) {
		return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
	}

	private static Class<?> raw(Type type) {
		return (Class<?>) ((type instanceof ParameterizedType parameterized) ? parameterized.getRawType() : type);
	}

	private static boolean isValue(String declared, Class<?> type) {
		return switch (declared) {
			case "number" -> NUMBERS.contains(type);
			case "boolean", "true" -> type == boolean.class || type == Boolean.class;
			case "Time" -> type == Instant.class;
			default -> type == String.class && (declared.equals("string") || declared.startsWith("'"));
		};
	}

	private static Stream<Arguments> unions() {
		Map<String, Collection<String>> unions = new HashMap<>();
		unions.put("State", texts(JobListState.values(), JobListState::label));
		unions.put("MeasuredState", JobListState.UNFINISHED.stream().map(JobListState::label).toList());
		unions.put("Level", Words.of(DashboardRights.of(Level.ADMIN).withPayloads()));
		unions.put("FilterWord", JobFilter.WORDS.stream().filter((word) -> !word.equals("state")).toList());
		unions.put("ProblemCode", texts(Problem.Kind.values(),
				(kind) -> kind.because("").problem().type().replace("urn:rowqueue:problem:", "")));
		unions.put("Searched.because", texts(SearchProgress.Stop.values(), Views::label));
		unions.put("LogLine.level", texts(org.slf4j.event.Level.values(), Enum::name));
		unions.put("Schedule.state", texts(ScheduleStatus.State.values(), Views::label));
		unions.put("Schedule.source", texts(ScheduleStatus.Source.values(), Views::label));
		unions.put("Schedule.missed", texts(MissedPolicy.values(), Views::label));
		unions.put("Schedule.overlap", texts(OverlapPolicy.values(), Views::label));
		unions.put("Schedule.excluded", texts(ExcludedPolicy.values(), ExcludedPolicy::label));
		unions.put("ScheduleRun.origin", texts(ScheduledRun.Origin.values(), ScheduledRun.Origin::label));
		unions.put("LimitInfo.kind", texts(LimitKind.values(), LimitKind::label));
		unions.put("WindowInfo.closing", texts(ClosingPolicy.values(), Views::label));
		unions.put("Flow.state", texts(FlowState.values(), Views::label));
		unions.put("Operation.state", texts(RecordedOperation.State.values(), RecordedOperation.State::label));
		unions.put("BulkRequest.action", texts(JobChange.Kind.values(), Views::label));
		return unions.entrySet().stream().map((union) -> arguments(union.getKey(), union.getValue()));
	}

	private static <E> List<String> texts(E[] values, Function<E, String> text) {
		return Arrays.stream(values).map(text).toList();
	}

	@ParameterizedTest
	@MethodSource("unions")
	void theTextsOfAMemberAreThoseOfItsEnum(String name, Collection<String> texts) {
		assertThat(this.contract.texts(name)).containsExactlyInAnyOrderElementsOf(texts);
	}

}
