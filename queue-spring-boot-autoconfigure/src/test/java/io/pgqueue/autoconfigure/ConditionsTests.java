package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.pgqueue.JobHandler;
import io.pgqueue.engine.maintenance.PeriodicTask;
import io.pgqueue.engine.maintenance.Task;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** What there is of the queue, by what is on the class path and what is switched off. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConditionsTests {

	private static final String[] MEASUREMENT = { "pgqueueMeasurements", "pgqueueMeasurementLoop",
			"pgqueueMeasurementLazyInitializationExcludeFilter" };

	private static final String[] METERS = { "pgqueueOrchestrationGauges", "pgqueueJobMeters", "pgqueueGauges",
			"pgqueueTypeGauges", "pgqueueLimitGauges", "pgqueueMetersLazyInitializationExcludeFilter",
			"pgqueueShardMeters" };

	private static final String[] HEALTH = { "pgqueueHealthIndicator" };

	private static final String[] ENDPOINT = { "pgqueueEndpoint", "pgqueueEndpointWebExtension" };

	private static final String[] INFO = { "pgqueueInfoContributor" };

	private static final String[] FLYWAY = { "pgqueueUnusedFlywayRemover" };

	private static final String[] OBSERVATION = { "pgqueueTagNames", "pgqueueObservedEnqueue", "pgqueueObservedJob" };

	private static final String[] LINKS = { "pgqueueLinkedTraces" };

	private static final String[] APPENDER = { "pgqueueJobLogAppender" };

	private static final String[] TASKS = { "pgqueuePromoteTask", "pgqueueScheduleTask", "pgqueueAdmitTask",
			"pgqueueWindowTask", "pgqueueRecoverTask", "pgqueueLeaseCheckTask", "pgqueueRetainTask",
			"pgqueueOpenBatchesTask", "pgqueueBulkTask", "pgqueueHorizonTask", "pgqueueCancelRequestTask",
			"pgqueueExpireTask" };

	private static final String[] WORKER = with(TASKS, "pgqueueWorkerStore", "pgqueueWorkerDatabase",
			"pgqueueHandlerTransactions", "pgqueueWorkerHooks", "pgqueueWorkerFactory", "pgqueueMaintenanceStore",
			"pgqueueWindowsAtStart", "pgqueueRetentionsAtStart", "pgqueueLifecycle", "pgqueueJobMdc",
			"pgqueueJobEvents", "pgqueueLazyInitializationExcludeFilter");

	private final ApplicationContextRunner application = Applications.on(new TestDatabase())
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoints.jmx.exposure.include=*", "management.info.pgqueue.enabled=true",
				"pgqueue.tracing.mode=link", "pgqueue.job-log.appender.enabled=true")
		.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(ObservationRegistry.class, ObservationRegistry::create)
		.withBean(Tracer.class, () -> Tracer.NOOP)
		.withBean(Propagator.class, () -> Propagator.NOOP);

	private Set<String> everything;

	@BeforeAll
	void everything() {
		this.application.run((context) -> this.everything = beans(context));
	}

	@Test
	void everythingIsThereIfNothingIsMissing() {
		assertThat(this.everything)
			.contains(all(MEASUREMENT, METERS, HEALTH, ENDPOINT, INFO, FLYWAY, OBSERVATION, LINKS, APPENDER, WORKER))
			.contains("pgqueueJobQueue", "pgqueueJobAdmin", "pgqueueOverview");
	}

	static Stream<Arguments> missing() {
		return Stream.of(Arguments.of("io.micrometer.core", all(METERS)), Arguments.of("ch.qos.logback", all(APPENDER)),
				Arguments.of("io.micrometer.tracing", all(LINKS)),
				Arguments.of("io.micrometer.observation", all(OBSERVATION, LINKS)),
				Arguments.of("io.micrometer", all(METERS, OBSERVATION, LINKS)),
				Arguments.of("org.springframework.boot.health", all(HEALTH)),
				Arguments.of("org.springframework.boot.actuate.info", all(INFO)),
				Arguments.of("org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration", all(FLYWAY)),
				Arguments.of("org.springframework.boot.actuate.autoconfigure.endpoint", all(ENDPOINT)),
				Arguments.of("org.springframework.boot.actuate", all(ENDPOINT, INFO)));
	}

	@ParameterizedTest
	@MethodSource("missing")
	void whatNeedsALibraryIsLeftOutWithoutIt(String library, String[] gone) {
		this.application.withClassLoader(new FilteredClassLoader(library))
			.run((context) -> assertThat(context).hasNotFailed()
				.satisfies((started) -> assertThat(beans(started)).isEqualTo(without(gone))));
	}

	static Stream<Arguments> switchedOff() {
		return Stream.of(Arguments.of("pgqueue.worker.enabled=false", all(WORKER, APPENDER)),
				Arguments.of("pgqueue.job-log.appender.enabled=false", all(APPENDER)),
				Arguments.of("management.health.pgqueue.enabled=false", all(HEALTH)),
				Arguments.of("management.info.pgqueue.enabled=false", all(INFO)),
				Arguments.of("management.endpoint.pgqueue.access=NONE", all(ENDPOINT)),
				Arguments.of("management.endpoints.web.exposure.exclude=pgqueue", all(ENDPOINT)),
				Arguments.of("pgqueue.tracing.mode=parent", all(LINKS)));
	}

	@ParameterizedTest
	@MethodSource("switchedOff")
	void whatIsSwitchedOffIsLeftOut(String property, String[] gone) {
		this.application.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed()
				.satisfies((started) -> assertThat(beans(started)).isEqualTo(without(gone))));
	}

	@Test
	void quickTasksComeBeforeThoseThatTakeLong() {
		this.application
			.run((context) -> assertThat(context.getBeanProvider(Task.class).orderedStream()).extracting(Task::name)
				.startsWith("promote", "schedule", "admit", "window")
				.contains("recover", "retain", "horizon"));
	}

	@Test
	void aTaskOfTheApplicationIsRunWithTheOthers() {
		CountDownLatch run = new CountDownLatch(1);
		Applications.on(new TestDatabase())
			.withBean(Handler.class)
			.withBean("ownTask", Task.class, () -> new PeriodicTask("own", Duration.ofHours(1)) {

				@Override
				public void run() {
					run.countDown();
				}

			})
			.run((context) -> run.await());
	}

	@Test
	void nothingIsMeasuredWithoutMetricsAndHealth() {
		Applications.on(new TestDatabase())
			.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
			.run((context) -> assertThat(beans(context)).doesNotContain(all(MEASUREMENT, METERS, HEALTH)));
	}

	@Test
	void onlyWhatApplicationsInjectIsThereIfTheQueueIsSwitchedOff() {
		this.application.withPropertyValues("pgqueue.enabled=false")
			.run((context) -> assertThat(beans(context)).containsExactlyInAnyOrder("pgqueueUnusedFlywayRemover",
					"pgqueueJobQueue", "pgqueueSchedules", "pgqueueWindows", "pgqueueJobLimits", "pgqueueJobAdmin",
					"pgqueueJobSearch", "pgqueueJobEditor", "pgqueueOperations", "pgqueueFlowAdmin",
					"pgqueueOverview"));
	}

	private Set<String> without(String... gone) {
		assertThat(this.everything).contains(gone);
		return this.everything.stream()
			.filter((bean) -> !List.of(gone).contains(bean))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String[] with(String[] group, String... more) {
		return all(group, more);
	}

	private static String[] all(String[]... groups) {
		return Arrays.stream(groups).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static Set<String> beans(ApplicationContext context) {
		return Arrays.stream(context.getBeanDefinitionNames())
			.filter((name) -> name.startsWith("pgqueue") && !name.contains("-") && !name.contains("."))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	static class Handler {

		@JobHandler("some")
		void some() {
		}

	}

}
