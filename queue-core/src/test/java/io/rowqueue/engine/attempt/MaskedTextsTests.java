package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobProgress;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the application masks before it is stored. */
class MaskedTextsTests {

	private static final String SECRET = "4111 1111 1111 1111";

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void noTextOfAHandlerIsStoredUnmasked() {
		process((kind, text) -> text.replace(SECRET, "<" + kind + ">")).maxAttempts(2)
			.handle("test", (payload, context) -> {
				context.progress(1, 2, "card " + SECRET);
				context.log().info("card {}", SECRET, new IllegalStateException(SECRET));
				throw new IllegalStateException("card " + SECRET, new IllegalArgumentException(SECRET));
			})
			.start();
		Job job = failed();
		assertThat(job.lastError()).contains("IllegalStateException: card <ERROR>",
				"Caused by: java.lang.IllegalArgumentException: <ERROR>");
		assertThat(job.progress()).isNotNull().extracting(JobProgress::message).isEqualTo("card <PROGRESS>");
		assertThat(this.engine.stores().leases().logs().list(job.id())).hasSize(2)
			.extracting(JobLogLine::text)
			.allSatisfy((text) -> assertThat(text).startsWith("card <LOG>\njava.lang.IllegalStateException: <LOG>"));
		assertThat(traces()).isEmpty();
	}

	@Test
	void theReasonOfAHoldIsMasked() {
		process((kind, text) -> text.replace(SECRET, "<" + kind + ">")).handle("test", (payload, context) -> {
			throw SnoozeJobException.by(Duration.ofHours(1), "refused " + SECRET).holding(LimitKind.TYPE);
		}).start();
		this.engine.enqueue("test");
		await().until(() -> this.engine.count("pause where reason like '%<PAUSE_REASON>%'") == 1);
		assertThat(traces()).isEmpty();
	}

	/** Otherwise a part of it could be left at the end of the text. */
	@Test
	void textsAreMaskedBeforeTheyAreCut() {
		process((kind, text) -> text.replace(SECRET, "#")).maxAttempts(1).handle("test", (payload, context) -> {
			context.progress(1, 2, "x".repeat(490) + SECRET);
			context.log().info("x".repeat(3990) + SECRET);
			throw new IllegalStateException("x".repeat(9960) + SECRET);
		}).start();
		Job job = failed();
		assertThat(job.progress()).isNotNull().extracting(JobProgress::message).isEqualTo("x".repeat(490) + "#");
		assertThat(this.engine.stores().leases().logs().list(job.id())).singleElement()
			.extracting(JobLogLine::text)
			.isEqualTo("x".repeat(3990) + "#");
		assertThat(job.lastError()).contains("x#").doesNotContain("4111");
	}

	@Test
	void aMaskerThatFailsLosesNoOutcomeAndShowsNothing() {
		process((kind, text) -> {
			throw new UnsupportedOperationException("broken masker");
		}).maxAttempts(1).handle("test", (payload, context) -> {
			context.progress(1, 2, SECRET);
			context.log().info(SECRET);
			throw new IllegalStateException(SECRET);
		}).start();
		Job job = failed();
		assertThat(job.lastError()).isEqualTo("java.lang.IllegalStateException: " + SensitiveText.HIDDEN);
		assertThat(job.progress()).isNotNull().extracting(JobProgress::message).isEqualTo(SensitiveText.HIDDEN);
		assertThat(this.engine.stores().leases().logs().list(job.id())).singleElement()
			.extracting(JobLogLine::text)
			.isEqualTo(SensitiveText.HIDDEN);
	}

	private TestProcess.Builder process(StoredTextMasker masker) {
		return this.engine.process()
			.hooks(new WorkerHooks(List.of(), List.of(), JobListener.NONE, StoreListener.NONE, masker,
					JobWindows.NONE));
	}

	private Job failed() {
		return this.engine.awaitState(this.engine.enqueue(JobRequest.of("test")), JobState.FAILED);
	}

	/** The tables that have a row with the secret. */
	private List<String> traces() {
		return this.engine.jdbc()
			.queryForList("select c.relname::text from pg_class c where c.relnamespace = 'rowqueue'::regnamespace"
					+ " and c.relkind in ('r', 'p') and not c.relispartition", String.class)
			.stream()
			.filter((table) -> this.engine.count("" + table + " t where t::text like '%" + SECRET + "%'") > 0)
			.toList();
	}

}
