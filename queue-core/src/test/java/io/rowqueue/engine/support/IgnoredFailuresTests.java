package io.rowqueue.engine.support;

import ch.qos.logback.classic.Level;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class IgnoredFailuresTests {

	@AutoClose
	private final Log log = new Log(IgnoredFailuresTests.class);

	private final IgnoredFailures failures = new IgnoredFailures(LoggerFactory.getLogger(IgnoredFailuresTests.class));

	@Test
	void failuresThatAreAlikeAreLoggedOnceAMinuteWithTheirStack() {
		for (int job = 0; job < 5; job++) {
			this.failures.report("a listener", new IllegalStateException("job " + job));
		}
		this.failures.report("a listener", new AssertionError("worse"));
		this.failures.report(42, new IllegalStateException("elsewhere"));
		assertThat(this.log.traces(Level.WARN)).hasSize(3)
			.allSatisfy((line) -> assertThat(line).contains(" failed; the queue is not affected"));
	}

	@Test
	void anErrorThatCannotBeDescribedIsLogged() {
		this.failures.report("a listener", new IllegalStateException() {

			@Override
			public synchronized Throwable getCause() {
				throw new StackOverflowError("no cause");
			}

		});
		assertThat(this.log.lines(Level.WARN)).singleElement().asString().contains("failed; the queue is not affected");
	}

}
