package io.rowqueue.engine.admin;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.admin.Explanation;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.explain.Explainer;
import io.rowqueue.engine.explain.JobFacts.Awaited;
import io.rowqueue.engine.explain.JobFacts.Candidate;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.Holder;
import io.rowqueue.engine.explain.JobFacts.KeyHolder;
import io.rowqueue.engine.explain.JobFacts.Locker;
import io.rowqueue.engine.explain.JobFacts;
import io.rowqueue.engine.explain.LimitFacts;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.step.JobWait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Explanations for readers who may not see the contents of a job. All texts of which
 * explanations are made are listed here: a new one is either harmless, or masked.
 */
class MaskedFactsTests {

	/** Names that are chosen in code and configuration, and states. */
	private static final Set<String> HARMLESS = Set.of("Facts.queue", "Facts.type", "Facts.state", "Holder.name",
			"KeyHolder.state", "Pause.kind", "Pause.name", "Pause.window", "Candidate.name", "Awaited.type",
			"Awaited.state");

	private static final Set<String> MASKED = Set.of("Facts.lastError", "Pause.reason", "Locker.application",
			"Awaited.batchName", "JobWait.name");

	private static final String LONG_ERROR = "com.example.BadRowException: DE89 3704 0044 0532 0130 00 "
			+ "and so on ".repeat(700) + "\n\tat com.example.Import";

	@Test
	void everyTextIsEitherHarmlessOrMasked() {
		Set<String> found = new TreeSet<>();
		texts(facts("failed", LONG_ERROR), "", found);
		Set<String> declared = new TreeSet<>(HARMLESS);
		declared.addAll(MASKED);
		assertThat(found).containsExactlyInAnyOrderElementsOf(declared);
		Set<String> asked = new TreeSet<>();
		TextMasker masker = (kind, text) -> {
			asked.add(kind.key());
			return SensitiveText.HIDDEN;
		};
		JobFacts masked = new MaskedFacts(masker).of(facts("failed", LONG_ERROR));
		assertThat(asked).hasSameSizeAs(MASKED);
		assertThat(List.of(masked.job().lastError(), masked.pauses().get(0).reason(), masked.locker().application(),
				masked.awaited().batchName(), masked.awaitedByHandler().name()))
			.containsOnly(SensitiveText.HIDDEN);
	}

	@Test
	void anErrorIsNoPartOfTheSentence() {
		Explanation explanation = explain("failed", LONG_ERROR, TextMasker.ALL);
		assertThat(explanation.summary()).isEqualTo("It failed permanently in attempt 3: com.example.BadRowException: "
				+ "******. Fix the cause and retry the job.");
		assertThat(explanation.facts()).containsEntry("lastError", "com.example.BadRowException: ******");
	}

	@Test
	void thoseWhoMaySeeItReadItsBeginning() {
		assertThat(explain("failed", LONG_ERROR, TextMasker.NONE).summary()).contains("DE89 3704").hasSizeLessThan(450);
	}

	/** A cut within a character would leave half of it, which is no text any more. */
	@Test
	void anErrorIsCutBetweenCharacters() {
		for (int length = 250; length < 300; length++) {
			String summary = explain("failed", "x".repeat(length) + "\uD83D\uDE00".repeat(60), TextMasker.NONE)
				.summary();
			assertThat(new String(summary.getBytes(java.nio.charset.StandardCharsets.UTF_8),
					java.nio.charset.StandardCharsets.UTF_8))
				.isEqualTo(summary);
		}
	}

	@Test
	void onlyTheClassOfALimitKeyIsShown() {
		LimitFacts limit = new LimitFacts(LimitKind.KEY, "patient:alice@example.org 1912-06-23", 1, 1, List.of(7L),
				List.of(), 1, null, false, null);
		MaskedFacts masked = new MaskedFacts(TextMasker.ALL);
		Explanation explanation = Explainer.explain(42, masked.of(blocked()), masked.of(List.of(limit)), "");
		assertThat(explanation.toString()).contains("The limit of patient:******, 1 at once")
			.doesNotContain("alice", "1912-06-23");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					com.example.BadRowException: line 43: 'no address' | com.example.BadRowException: ******
					com.example.Import$BadRow: line 43 | com.example.Import$BadRow: ******
					com.example.BadRowException | com.example.BadRowException: ******
					BadRow: line 43 | ******
					alice@example.org: gone | ******
					alice.miller: gone | ******
					worker 7 (host:4711) died | worker 7 (host:4711) died
					worker 7 (alice miller) died | ******
					Job 7 (mail), which it was to run after, was cancelled | Job 7 (mail), which it was to run after, was cancelled
					Batch 3 ended otherwise | Batch 3 ended otherwise
					""")
	void theClassOfAnErrorAndTheErrorsOfTheQueueAreShown(String error, String shown) {
		assertThat(SensitiveText.ERROR.mask(error)).isEqualTo(shown);
		assertThat(SensitiveText.ERROR.mask(error + "\n\tat com.example.Import")).isEqualTo(shown);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "alice", "\n", "\u0085" })
	void whatHasNoClassIsHiddenAsAWhole(String text) {
		assertThat(SensitiveText.ERROR.mask(text)).isEqualTo(SensitiveText.HIDDEN);
		assertThat(SensitiveText.LIMIT_KEY.mask(text)).isEqualTo(SensitiveText.HIDDEN);
	}

	private static Explanation explain(String state, String error, TextMasker masker) {
		return Explainer.explain(42, new MaskedFacts(masker).of(facts(state, error)), List.of(), "");
	}

	/** By the limit of its key, and nothing else. */
	private static JobFacts blocked() {
		Facts job = new Facts(42, "imports", "import", "blocked", 0, 0, null, Instant.EPOCH, Instant.EPOCH, null, null,
				false, null);
		return new JobFacts(Instant.EPOCH, false, job, null, null, List.of(), Duration.ZERO, false, 1, 1, List.of(), 0,
				null, null, null);
	}

	private static JobFacts facts(String state, String error) {
		Facts job = new Facts(42, "imports", "import", state, 0, 3, 10, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH,
				Instant.EPOCH, false, error);
		return new JobFacts(Instant.EPOCH, false, job, new Holder(1, "host:1", false, Duration.ZERO),
				new KeyHolder(41, "running"), List.of(new Pause(Pause.QUEUE, "imports", Instant.EPOCH, "a reason")),
				Duration.ZERO, false, 1, 1, List.of(new Candidate(1, "host:1", 1, 0, null, 0)), 0,
				new Locker(99, "psql", Instant.EPOCH),
				new Awaited(null, null, null, 0, 5L, "file of alice", false, 2, 1), new JobWait(JobWait.Kind.SIGNAL,
						"approval of alice", JobWait.State.WAITING, Instant.EPOCH, Instant.EPOCH, null));
	}

	/** The components that can hold a text, of a record and of those in it. */
	private static void texts(Object value, String component, Set<String> found) {
		if (value instanceof Collection<?> elements) {
			elements.forEach((element) -> texts(element, component, found));
		}
		else if (value instanceof Record record) {
			for (RecordComponent each : record.getClass().getRecordComponents()) {
				String name = record.getClass().getSimpleName() + "." + each.getName();
				if (each.getType() == String.class || each.getType() == Object.class) {
					found.add(name);
				}
				else {
					texts(read(each, record), name, found);
				}
			}
		}
		else if (value instanceof Object[] elements) {
			Arrays.stream(elements).forEach((element) -> texts(element, component, found));
		}
	}

	private static Object read(RecordComponent component, Object record) {
		try {
			return component.getAccessor().invoke(record);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
