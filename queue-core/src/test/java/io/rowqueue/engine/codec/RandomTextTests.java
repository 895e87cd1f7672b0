package io.rowqueue.engine.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.Pause;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Names, payloads, errors and messages of any characters go through a whole life. */
class RandomTextTests {

	private static final int ROUNDS = Dose.of(8, 30);

	private static final List<String> NASTY = List.of("'", "\"", "\\", "{schema}", "%s", "%1$d", "?", "$1", ":x", "--",
			"/*", ";", "*", ",", "{}", "NULL", "\t", "\n", "\u0001", "\u001B", "\u007F", "\u200F", "\u0301", "\uFFFF",
			"\uFEFF", "\uD83D\uDC18", "\uDBFF\uDFFF", "ß", "İ", " ", "null", "\\u0000");

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = new Engine();

	private final JobControl control = this.engine.control();

	@Test
	void textIsKeptAsItIsOrInAFormThatCanBeStored() {
		Map<Long, String> seen = new ConcurrentHashMap<>();
		Map<String, String> errors = new ConcurrentHashMap<>();
		TestProcess.Builder process = this.engine.process().maxAttempts(1);
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < ROUNDS; i++) {
			String type = name(i + " ");
			String payload = text(200) + (this.random.nextBoolean() ? "\0" : "");
			requests.add(JobRequest.of(type, payload).queue(name("q")).uniqueKey("k" + i + text(20)));
			if (this.random.nextInt(3) == 0) {
				errors.put(type, error());
			}
			String message = error();
			process.handle(type, (received, context) -> {
				seen.put(context.id(), received);
				context.progress(1, 1, message);
				if (errors.containsKey(type)) {
					throw new IllegalStateException(errors.get(type));
				}
			});
		}
		List<Long> ids = requests.stream().map(this.engine::enqueue).toList();
		process.start();
		this.engine.awaitAllOver();
		for (int i = 0; i < ROUNDS; i++) {
			check(requests.get(i), this.engine.job(ids.get(i)), seen.get(ids.get(i)),
					errors.containsKey(requests.get(i).type()));
		}
	}

	private void check(JobRequest request, Job job, String seen, boolean fails) {
		assertThat(seen).as("seed %d", this.seed).isEqualTo(request.payload());
		assertThat(job.type()).isEqualTo(request.type());
		assertThat(job.queue()).isEqualTo(request.queue());
		assertThat(job.state()).as("%s, seed %d", job, this.seed)
			.isEqualTo(fails ? JobState.FAILED : JobState.SUCCEEDED);
		assertThat(job.progress()).isNotNull().extracting(JobProgress::done).isEqualTo(1L);
		if (fails) {
			assertThat(this.engine.failures(job.id())).singleElement()
				.extracting((failure) -> failure.get("error"))
				.asString()
				.contains("IllegalStateException")
				.hasSizeLessThan(10_100);
			assertThat(this.control.retryAll(job.queue(), job.type())).as("%s, seed %d", job, this.seed).isEqualTo(1);
			this.engine.awaitState(job.id(), JobState.FAILED);
		}
		assertThat(this.control.pauseQueue(job.queue(), "why? " + request.type())).isTrue();
		assertThat(this.control.pauseType(job.type(), null)).isTrue();
		assertThat(this.control.pauses()).extracting(Pause::name).contains(job.queue(), job.type());
		assertThat(this.control.resumeQueue(job.queue())).isTrue();
		assertThat(this.control.resumeType(job.type())).isTrue();
	}

	/** Something that is not blank, and not the same as another one. */
	private String name(String prefix) {
		return prefix + text(20).replaceAll("[\\p{Cntrl}\\x{80}-\\x{9F}\\x{2028}-\\x{202E}\\x{2066}-\\x{2069}]", "");
	}

	private String text(int max) {
		return this.random.ints(this.random.nextInt(max))
			.mapToObj((i) -> this.random.nextBoolean() ? NASTY.get(Math.floorMod(i, NASTY.size())) : character(i))
			.collect(Collectors.joining());
	}

	private static String character(int number) {
		int point = 1 + Math.floorMod(number, Character.MAX_CODE_POINT);
		boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
		return half ? "x" : Character.toString(point);
	}

	/** Characters that PostgreSQL cannot store, in texts that are too long. */
	private String error() {
		return switch (this.random.nextInt(4)) {
			case 0 -> text(50) + "\0" + text(50);
			case 1 -> text(50) + "\uD83D";
			case 2 -> text(20).repeat(20_000);
			default -> text(50);
		};
	}

}
