package io.rowqueue.autoconfigure.handler;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.RetryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the options of a type come from, and which of them count. */
@ExtendWith(OutputCaptureExtension.class)
class HandlerOptionsTests {

	private static final HandlerOptions ANNOTATED = HandlerOptions.NONE.maxAttempts(3)
		.timeout(Duration.ofSeconds(30))
		.retry(RetryPolicy.fixed(Duration.ofMinutes(1)))
		.noRetryFor(IOException.class)
		.concurrency(2);

	private static final RetryPolicy BEAN = (job, error) -> null;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration.class))
		.withBean("patiently", RetryPolicy.class, () -> BEAN);

	@Test
	void anAnnotationThatSaysNothingLeavesAllToTheWorker() {
		assertThatOptions(this.runner.withBean(Plain.class), "plain", HandlerOptions.NONE);
	}

	@Test
	void theAnnotationCounts() {
		assertThatOptions(this.runner.withBean(Annotated.class).withPropertyValues("hook.timeout=30"), "hook",
				ANNOTATED);
	}

	@Test
	void eachPropertyTakesPrecedenceOverTheAnnotation() {
		ApplicationContextRunner annotated = this.runner.withBean(Annotated.class)
			.withPropertyValues("hook.timeout=30", "rowqueue.types.hook.max-attempts=7");
		assertThatOptions(annotated, "hook", ANNOTATED.maxAttempts(7));
		assertThatOptions(
				annotated.withPropertyValues("rowqueue.types.hook.timeout=5", "rowqueue.types.hook.retry=patiently",
						"rowqueue.types.hook.no-retry-for=java.io.FileNotFoundException,java.lang.Error",
						"rowqueue.types.hook.concurrency=9"),
				"hook",
				HandlerOptions.NONE.maxAttempts(7)
					.timeout(Duration.ofSeconds(5))
					.retry(BEAN)
					.noRetryFor(FileNotFoundException.class, Error.class)
					.concurrency(9));
	}

	@Test
	void propertiesTakePrecedenceOverCode() {
		ApplicationContextRunner coded = this.runner.withBean(JobHandlers.Registrar.class, () -> (handlers) -> handlers
			.add("Code.x", String.class, HandlerOptions.NONE.concurrency(4).maxAttempts(5), (payload, context) -> {
			}));
		assertThatOptions(coded, "Code.x", HandlerOptions.NONE.concurrency(4).maxAttempts(5));
		assertThatOptions(coded.withPropertyValues("rowqueue.types[Code.x].concurrency=1"), "Code.x",
				HandlerOptions.NONE.concurrency(1).maxAttempts(5));
	}

	@Test
	void optionsOfATypeWithoutAHandlerAreMentioned(CapturedOutput output) {
		this.runner.withPropertyValues("rowqueue.types.elsewhere.concurrency=1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("types without a handler in this application: [elsewhere]");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			fixed(30s)                  | GivenDelays[delays=[PT30S]]
			delays(1s, 10, 1m)          | GivenDelays[delays=[PT1S, PT10S, PT1M]]
			linear(10s,5m)              | LinearBackoff[step=PT10S, max=PT5M, jitter=0.2]
			linear(10s, 5m, 0)          | LinearBackoff[step=PT10S, max=PT5M, jitter=0.0]
			' exponential (2s, 3, 1h) ' | ExponentialBackoff[initial=PT2S, multiplier=3.0, max=PT1H, jitter=0.2]
			exponential(1, 1.5, PT9M, 1) | ExponentialBackoff[initial=PT1S, multiplier=1.5, max=PT9M, jitter=1.0]
			""")
	void aPolicyCanBeWrittenAsText(String text, String policy) {
		this.runner.withBean(Plain.class)
			.withPropertyValues("rowqueue.types.plain.retry=" + text)
			.run((context) -> assertThat(context.getBean(HandlerRegistryFactory.class).get().options("plain").retry())
				.hasToString(policy));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rowqueue.types.plain.max-attempts=0        | rowqueue.types.plain.max-attempts must be from 1 to 32767, not 0
					rowqueue.types.plain.timeout=0             | rowqueue.types.plain.timeout must be positive, not PT0S
					rowqueue.types[Plain.x].timeout=-1s        | rowqueue.types[Plain.x].timeout must be positive, not PT-1S
					rowqueue.types.plain.timeout=soon          | rowqueue.types.plain.timeout
					rowqueue.types.plain.concurrency=0         | rowqueue.types.plain.concurrency must be positive, not 0
					rowqueue.types.plain.no-retry-for=a.B      | rowqueue.types.plain.no-retry-for
					rowqueue.types.plain.no-retry-for=java.lang.String | rowqueue.types.plain.no-retry-for: java.lang.String is no exception
					rowqueue.types.plain.retry=nobody          | nobody' is neither the name of a RetryPolicy bean nor one of fixed(…)
					rowqueue.types.plain.retry=plainBean       | plainBean' is neither the name of a RetryPolicy bean
					rowqueue.types.plain.retry=fixed(soon)     | fixed(soon)': 'soon' is not a duration
					rowqueue.types.plain.retry=fixed(1s, 2s)   | fixed requires one delay
					rowqueue.types.plain.retry=linear(1s)      | linear requires step and max, and accepts jitter
					rowqueue.types.plain.retry=exponential(1s, x, 1h) | x' is not a number
					rowqueue.types.plain.retry=exponential(1s, 2, 1h, 3) | jitter must be from 0 to 1, not 3.0
					rowqueue.types.plain.retry=delays()        | delays()': '' is not a duration
					rowqueue.types.plain.retry=sometimes(1s)   | sometimes' must be fixed, linear, exponential or delays
					""")
	void aWrongPropertyStopsTheStart(String property, String message) {
		this.runner.withBean("plainBean", Plain.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message)
				.hasStackTraceContaining(property.substring(0, property.indexOf('='))));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					hook.timeout=often | Annotated.handle() of bean 'hooks' has an invalid timeout: 'often'
					hook.timeout=-5    | Annotated.handle() of bean 'hooks' has an invalid option: timeout must be positive, not PT-5S
					other=x            | Annotated.handle() of bean 'hooks' has a timeout that cannot be resolved
					hook.retry=never   | Annotated.handle() of bean 'hooks' has an invalid retry: 'never' is neither
					""")
	void aWrongAnnotationStopsTheStart(String property, String message) {
		String timeout = property.startsWith("hook.retry") ? "hook.timeout=1" : "some=thing";
		this.runner.withBean("hooks", Annotated.class)
			.withPropertyValues(timeout, property)
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContaining(message));
	}

	private static void assertThatOptions(ApplicationContextRunner runner, String type, HandlerOptions expected) {
		runner.run((context) -> assertThat(context.getBean(HandlerRegistryFactory.class).get().options(type))
			.isEqualTo(expected));
	}

	static class Plain {

		@JobHandler("plain")
		void handle() {
		}

	}

	static class Annotated {

		@JobHandler(value = "hook", maxAttempts = 3, timeout = "${hook.timeout}", retry = "${hook.retry:fixed(1m)}",
				noRetryFor = IOException.class, concurrency = 2)
		void handle() {
		}

	}

}
