package io.pgqueue.engine.database;

import java.util.Locale;

import io.pgqueue.JobState;
import io.pgqueue.postgres.Database;
import io.pgqueue.testing.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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
		Database shared = this.server.database();
		String url = shared.url().replaceFirst("^(jdbc:postgresql://[^/]*/)[^?]*", "$1" + this.name);
		try (Engine latin1 = Engine.on(new Database(url, shared.username(), shared.password()))) {
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

}
