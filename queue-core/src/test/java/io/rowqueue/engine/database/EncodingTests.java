package io.rowqueue.engine.database;

import java.time.Duration;
import java.util.Locale;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.postgres.Database;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A database that is not UTF-8 has no place for most characters. */
class EncodingTests {

	@AutoClose
	private final Engine server = new Engine();

	private final String name = "engine_latin1_" + Long.toString(System.nanoTime(), 36).toLowerCase(Locale.ROOT);

	@BeforeEach
	void createDatabase() {
		this.server.jdbc().execute("create database " + this.name + " encoding 'LATIN1' locale 'C' template template0");
	}

	@AfterEach
	void dropDatabase() {
		this.server.jdbc().execute("drop database " + this.name + " with (force)");
	}

	@Test
	void anErrorThatCannotBeStoredThereIsStoredWithoutWhatIsMissing() throws Exception {
		try (Engine latin1 = latin1()) {
			latin1.process().maxAttempts(1).handle("fails", (payload, context) -> {
				throw new IllegalStateException("no room for \u20ac" + "x".repeat(20_000));
			}).handle("others", (payload, context) -> {
			}).start();
			long failing = latin1.enqueue("fails");
			assertThat(latin1.awaitState(failing, JobState.FAILED).lastError())
				.startsWith("java.lang.IllegalStateException: no room for ?xxx");
			latin1.awaitState(latin1.enqueue("others"), JobState.SUCCEEDED);
		}
	}

	@Test
	void aReasonThatCannotBeStoredThereIsStoredWithoutWhatIsMissing() throws Exception {
		try (Engine latin1 = latin1()) {
			latin1.process().handle("call", (payload, context) -> {
				throw SnoozeJobException.by(Duration.ofHours(1), "for 5 \u20ac more").holding(LimitKind.TYPE);
			}).start();
			long id = latin1.enqueue("call");
			await().until(() -> latin1.job(id).state() != JobState.QUEUED && latin1.leased() == 0);
			assertThat(latin1.job(id).state()).isEqualTo(JobState.SCHEDULED);
			assertThat(latin1.holds().list()).singleElement().extracting(Hold::reason).isEqualTo("for 5 ? more");
		}
	}

	@Test
	void progressThatCannotBeStoredThereIsStoredWithoutWhatIsMissing() throws Exception {
		try (Engine latin1 = latin1()) {
			latin1.process().handle("counts", (payload, context) -> context.progress(1, 2, "5 \u20ac")).start();
			Job job = latin1.awaitState(latin1.enqueue("counts"), JobState.SUCCEEDED);
			assertThat(job.progress()).isNotNull().extracting(JobProgress::message).isEqualTo("5 ?");
		}
	}

	private Engine latin1() {
		Database shared = this.server.database();
		String url = shared.url().replaceFirst("^(jdbc:postgresql://[^/]*/)[^?]*", "$1" + this.name);
		return Engine.on(new Database(url, shared.username(), shared.password()));
	}

}
