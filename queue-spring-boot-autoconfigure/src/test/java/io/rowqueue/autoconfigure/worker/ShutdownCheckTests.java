package io.rowqueue.autoconfigure.worker;

import java.time.Duration;

import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that Spring would not wait for is worth a warning. */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownCheckTests {

	private static final String SPRING = "spring.lifecycle.timeout-per-shutdown-phase";

	@Test
	void theDefaultsFitEachOther(CapturedOutput output) {
		ShutdownCheck.warnIfCutShort(Duration.ofSeconds(20), new MockEnvironment());
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void aLongerTimeoutThanSpringsIsAWarning(CapturedOutput output) {
		ShutdownCheck.warnIfCutShort(Duration.ofSeconds(60), new MockEnvironment());
		assertThat(output).contains("WARN")
			.contains("rowqueue.worker.shutdown-timeout is 60 s")
			.contains(SPRING + " is 30 s")
			.contains("at least 10 s lower");
	}

	@Test
	void aShorterTimeoutOfSpringIsAWarning(CapturedOutput output) {
		ShutdownCheck.warnIfCutShort(Duration.ofSeconds(20), new MockEnvironment().withProperty(SPRING, "25s"));
		assertThat(output).contains("WARN").contains(SPRING + " is 25 s");
	}

	@Test
	void aLongerTimeoutOfSpringIsWhatHelps(CapturedOutput output) {
		ShutdownCheck.warnIfCutShort(Duration.ofSeconds(60), new MockEnvironment().withProperty(SPRING, "70s"));
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void theApplicationIsWarnedWhenItStarts(CapturedOutput output) {
		Applications.on(new TestDatabase())
			.withBean(Notes.class)
			.withPropertyValues(SPRING + "=10s", "rowqueue.worker.shutdown-timeout=5s")
			.run((context) -> assertThat(output).contains(SPRING + " is 10 s"));
	}

}
