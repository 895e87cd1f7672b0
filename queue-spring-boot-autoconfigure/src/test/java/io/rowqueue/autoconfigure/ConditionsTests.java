package io.rowqueue.autoconfigure;

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
import io.rowqueue.JobHandler;
import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.maintenance.Task;
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

	private static final String[] MEASUREMENT = { "rowqueueMeasurements", "rowqueueMeasurementLoop",
			"rowqueueMeasurementLazyInitializationExcludeFilter" };

	private static final String[] METERS = { "rowqueueOrchestrationGauges", "rowqueueJobMeters", "rowqueueGauges",
			"rowqueueTypeGauges", "rowqueueLimitGauges", "rowqueueMetersLazyInitializationExcludeFilter",
			"rowqueueShardMeters" };

	private static final String[] HEALTH = { "rowqueueHealthIndicator" };

	private static final String[] ENDPOINT = { "rowqueueEndpoint", "rowqueueEndpointWebExtension" };

	private static final String[] INFO = { "rowqueueInfoContributor" };

	private static final String[] FLYWAY = { "rowqueueUnusedFlywayRemover" };

	private static final String[] OBSERVATION = { "rowqueueTagNames", "rowqueueObservedEnqueue",
			"rowqueueObservedJob" };

	private static final String[] LINKS = { "rowqueueLinkedTraces" };

	private static final String[] APPENDER = { "rowqueueJobLogAppender" };

	private static final String[] TASKS = { "rowqueuePromoteTask", "rowqueueScheduleTask", "rowqueueAdmitTask",
			"rowqueueWindowTask", "rowqueueRecoverTask", "rowqueueLeaseCheckTask", "rowqueueRetainTask",
			"rowqueueOpenBatchesTask", "rowqueueBulkTask", "rowqueueHorizonTask", "rowqueueCancelRequestTask",
			"rowqueueExpireTask" };

	private static final String[] WORKER = with(TASKS, "rowqueueWorkerDatabase", "rowqueueHandlerTransactions",
			"rowqueueWorkerHooks", "rowqueueWorkerFactory", "rowqueueMaintenanceStore", "rowqueueWindowsAtStart",
			"rowqueueRetentionsAtStart", "rowqueueDeepSleep", "rowqueueLifecycle", "rowqueueJobMdc",
			"rowqueueJobEvents", "rowqueueLazyInitializationExcludeFilter");

	private final ApplicationContextRunner application = Applications.on(TestDatabase.withoutTables())
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoints.jmx.exposure.include=*", "management.info.rowqueue.enabled=true",
				"rowqueue.tracing.mode=link", "rowqueue.job-log.appender.enabled=true")
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
			.contains("rowqueueJobQueue", "rowqueueJobAdmin", "rowqueueOverview");
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
		return Stream.of(Arguments.of("rowqueue.worker.enabled=false", all(WORKER, APPENDER)),
				Arguments.of("rowqueue.job-log.appender.enabled=false", all(APPENDER)),
				Arguments.of("management.health.rowqueue.enabled=false", all(HEALTH)),
				Arguments.of("management.info.rowqueue.enabled=false", all(INFO)),
				Arguments.of("management.endpoint.rowqueue.access=NONE", all(ENDPOINT)),
				Arguments.of("management.endpoints.web.exposure.exclude=rowqueue", all(ENDPOINT)),
				Arguments.of("rowqueue.tracing.mode=parent", all(LINKS)));
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
		this.application.withBean(Handler.class)
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
		this.application.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
			.run((context) -> assertThat(beans(context)).doesNotContain(all(MEASUREMENT, METERS, HEALTH)));
	}

	@Test
	void onlyWhatApplicationsInjectIsThereIfTheQueueIsSwitchedOff() {
		this.application.withPropertyValues("rowqueue.enabled=false")
			.run((context) -> assertThat(beans(context)).containsExactlyInAnyOrder("rowqueueUnusedFlywayRemover",
					"rowqueueJobQueue", "rowqueueSchedules", "rowqueueWindows", "rowqueueJobLimits", "rowqueueJobAdmin",
					"rowqueueJobSearch", "rowqueueJobEditor", "rowqueueOperations", "rowqueueFlowAdmin",
					"rowqueueOverview"));
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
			.filter((name) -> name.startsWith("rowqueue") && !name.contains("-") && !name.contains("."))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	static class Handler {

		@JobHandler("some")
		void some() {
		}

	}

}
