package io.rowqueue.autoconfigure;

import java.util.Map;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A setting that is lost because its name is wrong is reported when the application
 * starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	private static final String UNKNOWN = " is not a property of the queue";

	@Test
	void anUnknownPropertyIsReportedAtTheStart(CapturedOutput output) {
		Applications.on(new TestDatabase())
			.withPropertyValues("rowqueue.worker.concurency=5")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(UNKNOWN)
			.contains("WARN")
			.contains("did you mean rowqueue.worker.concurrency?");
	}

	@ParameterizedTest
	@CsvSource({ "rowqueue.worker.concurency,rowqueue.worker.concurrency", "rowqueue.enable,rowqueue.enabled",
			"rowqueue.wroker.lease,rowqueue.worker.lease",
			"rowqueue.types.mail.max-attemps,rowqueue.types.mail.max-attempts",
			"rowqueue.types[Mail.Out].timout,rowqueue.types[Mail.Out].timeout",
			"rowqueue.worker.queues.Mail.Out.concurrency,rowqueue.worker.queues[Mail.Out].concurrency",
			"rowqueue.retention.queues.a.b.c.failed,rowqueue.retention.queues[a.b.c].failed",
			"rowqueue.mesurement.overdueafter,rowqueue.measurement.overdue-after" })
	void theNearestNameIsSuggested(String name, String nearest, CapturedOutput output) {
		check(Map.of(name, "1"), Map.of());
		assertThat(output).containsOnlyOnce(UNKNOWN).contains("did you mean " + nearest + "?");
	}

	@Test
	void aNameThatResemblesNoneMayBelongToTheApplication(CapturedOutput output) {
		check(Map.of("rowqueue.url", "sqs"), Map.of());
		assertThat(output).contains("rowqueue.url").contains(UNKNOWN).doesNotContain("did you mean");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rowqueue.worker.queues[Mail.Out].concurrency", "rowqueue.worker.queues.mail.concurrency",
			"rowqueue.worker.pollInterval", "rowqueue.types.mail.no-retry-for[0]", "rowqueue.types.mail.no-retry-for",
			"rowqueue.recurring.nightly.cron", "rowqueue.tracing.mode", "rowqueue.health.oldest-age",
			"rowqueue.limits.keys.x.rate", "rowqueue.windows.night.times[1]", "rowqueue.measurement.interval",
			"queues.mail", "rowqueue" })
	void knownNamesAndThoseOfOthersAreNotReported(String name, CapturedOutput output) {
		check(Map.of(name, "1"), Map.of());
		assertThat(output).doesNotContain(UNKNOWN);
	}

	@Test
	void theEnvironmentHoldsVariablesOfOthers(CapturedOutput output) {
		check(Map.of(),
				Map.of("ROWQUEUE_SERVICE_HOST", "10.0.0.1", "ROWQUEUE_PORT_5672_TCP_ADDR", "10.0.0.1",
						"ROWQUEUE_WORKER_POLL_INTERVAL", "2s", "ROWQUEUE_WORKER_MAXATTEMPTS", "3",
						"ROWQUEUE_WORKER_QUEUES_MAIL_OUT_CONCURRENCY", "2"));
		assertThat(output).doesNotContain(UNKNOWN);
	}

	@Test
	void aMistypedVariableOfTheEnvironmentIsReported(CapturedOutput output) {
		check(Map.of(), Map.of("ROWQUEUE_WORKER_CONCURENCY", "5"));
		assertThat(output).containsOnlyOnce(UNKNOWN)
			.contains("ROWQUEUE_WORKER_CONCURENCY")
			.contains("did you mean rowqueue.worker.concurrency?");
	}

	@Test
	void everyPropertyOfTheQueueIsKnown() {
		assertThat(new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("io.rowqueue")).filteredOn((type) -> isOfTheQueue(type))
			.extracting(JavaClass::reflect)
			.isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(KnownProperties.types());
	}

	private static boolean isOfTheQueue(JavaClass type) {
		return type.isAnnotatedWith(ConfigurationProperties.class)
				&& type.getAnnotationOfType(ConfigurationProperties.class).value().matches("rowqueue(\\..*)?");
	}

	private static void check(Map<String, Object> file, Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		environment.getPropertySources().addLast(new MapPropertySource("application.yml", file));
		UnknownProperties.warn(environment);
	}

}
