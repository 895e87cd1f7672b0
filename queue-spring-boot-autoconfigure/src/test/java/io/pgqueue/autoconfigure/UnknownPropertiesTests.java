package io.pgqueue.autoconfigure;

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
			.withPropertyValues("pgqueue.worker.concurency=5")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(UNKNOWN)
			.contains("WARN")
			.contains("did you mean pgqueue.worker.concurrency?");
	}

	@ParameterizedTest
	@CsvSource({ "pgqueue.worker.concurency,pgqueue.worker.concurrency", "pgqueue.enable,pgqueue.enabled",
			"pgqueue.wroker.lease,pgqueue.worker.lease",
			"pgqueue.types.mail.max-attemps,pgqueue.types.mail.max-attempts",
			"pgqueue.types[Mail.Out].timout,pgqueue.types[Mail.Out].timeout",
			"pgqueue.worker.queues.Mail.Out.concurrency,pgqueue.worker.queues[Mail.Out].concurrency",
			"pgqueue.retention.queues.a.b.c.failed,pgqueue.retention.queues[a.b.c].failed",
			"pgqueue.mesurement.overdueafter,pgqueue.measurement.overdue-after" })
	void theNearestNameIsSuggested(String name, String nearest, CapturedOutput output) {
		check(Map.of(name, "1"), Map.of());
		assertThat(output).containsOnlyOnce(UNKNOWN).contains("did you mean " + nearest + "?");
	}

	@Test
	void aNameThatResemblesNoneMayBelongToTheApplication(CapturedOutput output) {
		check(Map.of("pgqueue.url", "sqs"), Map.of());
		assertThat(output).contains("pgqueue.url").contains(UNKNOWN).doesNotContain("did you mean");
	}

	@ParameterizedTest
	@ValueSource(strings = { "pgqueue.worker.queues[Mail.Out].concurrency", "pgqueue.worker.queues.mail.concurrency",
			"pgqueue.worker.pollInterval", "pgqueue.types.mail.no-retry-for[0]", "pgqueue.types.mail.no-retry-for",
			"pgqueue.recurring.nightly.cron", "pgqueue.tracing.mode", "pgqueue.health.oldest-age",
			"pgqueue.limits.keys.x.rate", "pgqueue.windows.night.times[1]", "pgqueue.measurement.interval",
			"queues.mail", "pgqueue" })
	void knownNamesAndThoseOfOthersAreNotReported(String name, CapturedOutput output) {
		check(Map.of(name, "1"), Map.of());
		assertThat(output).doesNotContain(UNKNOWN);
	}

	@Test
	void theEnvironmentHoldsVariablesOfOthers(CapturedOutput output) {
		check(Map.of(),
				Map.of("PGQUEUE_SERVICE_HOST", "10.0.0.1", "PGQUEUE_PORT_5672_TCP_ADDR", "10.0.0.1",
						"PGQUEUE_WORKER_POLL_INTERVAL", "2s", "PGQUEUE_WORKER_MAXATTEMPTS", "3",
						"PGQUEUE_WORKER_QUEUES_MAIL_OUT_CONCURRENCY", "2"));
		assertThat(output).doesNotContain(UNKNOWN);
	}

	@Test
	void aMistypedVariableOfTheEnvironmentIsReported(CapturedOutput output) {
		check(Map.of(), Map.of("PGQUEUE_WORKER_CONCURENCY", "5"));
		assertThat(output).containsOnlyOnce(UNKNOWN)
			.contains("PGQUEUE_WORKER_CONCURENCY")
			.contains("did you mean pgqueue.worker.concurrency?");
	}

	@Test
	void everyPropertyOfTheQueueIsKnown() {
		assertThat(new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("io.pgqueue.autoconfigure")).filteredOn((type) -> isOfTheQueue(type))
			.extracting(JavaClass::reflect)
			.isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(KnownProperties.types());
	}

	private static boolean isOfTheQueue(JavaClass type) {
		return type.isAnnotatedWith(ConfigurationProperties.class)
				&& type.getAnnotationOfType(ConfigurationProperties.class).value().matches("pgqueue(\\..*)?");
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
