package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.engine.claim.ClaimPlan.Stage;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.slot.Pools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which statements claim from which lanes, in which order. A lane is written as its type
 * and priority, such as {@code a5}, in another queue {@code a5@other}, in a pool of its
 * own {@code mails:a5}; {@code a5=2} can give two jobs. The name of a type says how its
 * lanes are claimed: {@code limited}, {@code tens} and {@code pairs} (in calls of 10 and
 * 2 jobs), {@code both} (a call of 10 that a limit counts), {@code empty} (the latest
 * sweep found no job), or plain.
 */
class ClaimPlanTests {

	private static final Map<String, LaneKind> KINDS = Map.of("limited", new LaneKind(1, true), "tens",
			new LaneKind(10, false), "pairs", new LaneKind(2, false), "both", new LaneKind(10, true));

	private static final String MAILS = "mails";

	private static final Pools POOLS = new Pools(100, Map.of(MAILS, 100), 0);

	private static final Pattern LANE = Pattern.compile("(?:(\\w+):)?([a-z]+)(\\d+)(?:@(\\w+))?");

	/** Lanes come in the order of their urgency, the longest waiting first. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					# what                                                    | lanes                               | places left  | statements
					no lanes need no statement                                | ''                                  | ''           | ''
					plain lanes share one statement                           | a5 b3 c3@other                      | ''           | plain[a5 b3 c3@other]
					on-demand lanes have one each                             | limited5 tens3                      | ''           | limited[limited5] tens[tens3]
					more urgent on-demand lanes come before plain ones        | limited5 a3 b1                      | ''           | limited[limited5] plain[a3 b1]
					less urgent ones come after them                          | a3 b1 limited0                      | ''           | plain[a3 b1] limited[limited0]
					as urgent ones come before if a job has waited longer     | tens3 a3                            | ''           | tens[tens3] plain[a3]
					as urgent ones come after if the plain one has            | a3 tens3                            | ''           | plain[a3] tens[tens3]
					one urgency can be on both sides of the plain lanes       | limited3 a3 limited3@other          | ''           | limited[limited3] plain[a3] limited[limited3@other]
					a plain lane without jobs holds up nothing but is read    | empty9 limited5 a3                  | ''           | limited[limited5] plain[empty9 a3]
					plain lanes of another pool hold up nothing               | mails:a9 limited5                   | ''           | limited[limited5] plain[mails:a9]
					plain lanes of the same pool do                           | mails:a9 mails:limited5             | ''           | plain[mails:a9] limited[mails:limited5]
					pools of one plan are independent                         | mails:a9 mails:tens5 tens4 b3       | ''           | tens[tens4] plain[mails:a9 b3] tens[mails:tens5]
					lanes of one kind and urgency share a statement           | limited5 tens5 limited5@other       | ''           | limited[limited5 limited5@other] tens[tens5]
					lanes of one kind that follow each other share one        | limited5 limited3 limited1          | ''           | limited[limited5 limited3 limited1]
					a less urgent lane follows another kind that is more so   | limited5 tens5 limited1             | ''           | limited[limited5] tens[tens5] limited[limited1]
					calls of different sizes do not share a statement         | tens5 pairs5                        | ''           | tens[tens5] pairs[pairs5]
					a limit makes another kind of a call                      | tens5 both5                         | ''           | tens[tens5] both[both5]
					a type gives no more jobs than it has places              | a5 b3                               | a=2          | plain[a5=2 b3]
					the places of a type go to its most urgent lane           | a5 b3 a1                            | a=2          | plain[a5=2 b3]
					a type without a place is not claimed                     | a5 b3                               | a=0          | plain[b3]
					a type without a place holds up no on-demand lane         | a5 limited3 b1                      | a=0          | limited[limited3] plain[b1]
					a place is a call of several jobs                         | tens5 a3                            | tens=3       | tens[tens5=30] plain[a3]
					each type has its own places                              | a5 b3 limited1                      | a=1 limited=2 | plain[a5=1 b3] limited[limited1=2]
					""")
	void aTurnClaimsFromItsLanesWithTheStatementsOfItsPlan(String what, String lanes, String places,
			String statements) {
		List<PoolLane> allotted = new TypeLimits(places(places), Map.of("tens", 10, "pairs", 2, "both", 10))
			.allot(words(lanes).map(ClaimPlanTests::lane).toList(), POOLS, Set.of());
		assertThat(statements(plan(allotted))).as(what).isEqualTo(statements);
	}

	@Test
	void aPlanNamesThePoolsOfItsOnDemandLanes() {
		List<PoolLane> lanes = words("mails:limited9 mails:a5 b3").map(ClaimPlanTests::lane).toList();
		assertThat(plan(lanes).onDemandPools()).containsExactly("queue mails");
		assertThat(plan(List.of(lane("a5"))).onDemandPools()).isEmpty();
		assertThat(plan(List.of(lane("a5"), lane("limited3"))).onDemandPools()).containsExactly(Pools.OTHERS);
	}

	private static ClaimPlan plan(List<PoolLane> lanes) {
		return ClaimPlan.of(lanes, ClaimPlanTests::kind, (lane) -> !lane.type().equals("empty"));
	}

	private static LaneKind kind(Lane lane) {
		return KINDS.getOrDefault(lane.type(), LaneKind.PLAIN);
	}

	private static Stream<String> words(String text) {
		return Arrays.stream(text.split(" ")).filter((word) -> !word.isEmpty());
	}

	private static Map<String, Integer> places(String text) {
		return words(text).map((word) -> word.split("="))
			.collect(Collectors.toMap((part) -> part[0], (part) -> Integer.valueOf(part[1])));
	}

	private static PoolLane lane(String text) {
		Matcher lane = LANE.matcher(text);
		assertThat(lane.matches()).as(text).isTrue();
		boolean mails = lane.group(1) != null;
		String queue = mails ? MAILS : (lane.group(4) != null) ? lane.group(4) : "default";
		return new PoolLane(mails ? "queue " + MAILS : Pools.OTHERS,
				new LaneHead(new Lane(queue, lane.group(2), Integer.parseInt(lane.group(3))), LaneHead.NO_MARK));
	}

	private static String statements(ClaimPlan plan) {
		List<String> statements = new ArrayList<>();
		plan.before().forEach((stage) -> statements.add(statement(stage)));
		if (!plan.plain().isEmpty()) {
			statements.add("plain" + texts(plan.plain()));
		}
		plan.after().forEach((stage) -> statements.add(statement(stage)));
		return String.join(" ", statements);
	}

	private static String statement(Stage stage) {
		return KINDS.entrySet()
			.stream()
			.filter((kind) -> kind.getValue().equals(stage.kind()))
			.map(Map.Entry::getKey)
			.collect(Collectors.joining()) + texts(stage.lanes());
	}

	private static String texts(List<PoolLane> lanes) {
		return lanes.stream().map(ClaimPlanTests::text).collect(Collectors.joining(" ", "[", "]"));
	}

	private static String text(PoolLane lane) {
		Lane key = lane.head().lane();
		boolean elsewhere = !Set.of("default", MAILS).contains(key.queue());
		return (lane.pool().equals(Pools.OTHERS) ? "" : MAILS + ":") + key.type() + key.priority()
				+ (elsewhere ? "@" + key.queue() : "")
				+ ((lane.maxJobs() < Integer.MAX_VALUE) ? "=" + lane.maxJobs() : "");
	}

}
