package io.rowqueue.monitoring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobLogger;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FirstJobTests;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementLoop;
import io.rowqueue.observation.BoundedNames;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** What the meters show of the queue. */
class QueueMetersTests {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database)
		.withPropertyValues("rowqueue.measurement.interval=100ms", "rowqueue.worker.queues.mail.concurrency=1",
				"rowqueue.retry.initial-delay=0s", "rowqueue.retry.max-delay=0s")
		.withBean("handlers", JobHandlers.Registrar.class, () -> (handlers) -> {
			handlers.add("works", String.class, (payload, job) -> {
			});
			handlers.add("steps", String.class, (payload, job) -> job.step("one", () -> {
				for (int line = 0; line <= JobLogger.MAX_LINES; line++) {
					job.log().info("line {}", line);
				}
			}));
			handlers.add("fails", String.class, (payload, job) -> {
				throw new IllegalStateException("no");
			});
		});

	@Test
	void everyMeterIsDocumentedAndEveryDocumentedMeterIsThere() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			context.getBean(JobLimits.class)
				.set(LimitKind.QUEUE, "narrow", Limit.concurrency(1).rate(5, Duration.ofSeconds(1)));
			context.getBean(Windows.class).put(Window.of("always", "UTC", "00:00-24:00"));
			context.getBean(Schedules.class)
				.put(Schedule.of("often", Rhythm.every(Duration.ofSeconds(1)), JobRequest.of("steps")));
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(JobRequest.of("works").uniqueKey("key"));
			queue.enqueue(JobRequest.of("unhandled"));
			queue.enqueue(JobRequest.of("unhandled").expiresIn(Duration.ofMillis(1)));
			long failed = queue.enqueue(JobRequest.of("fails").maxAttempts(2)).id();
			FirstJobTests.awaitState(queue, failed, JobState.FAILED);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			Set<QueueMeter> inTrouble = Set.of(QueueMeter.RECOVERED, QueueMeter.REFUSED, QueueMeter.RELEASED);
			Set<String> always = new TreeSet<>();
			Set<String> onABusyMachine = new TreeSet<>();
			for (QueueMeter meter : QueueMeter.values()) {
				if (meter != QueueMeter.PARKED) {
					(inTrouble.contains(meter) ? onABusyMachine : always)
						.add(meter.type() + " " + meter.meterName() + " " + new TreeSet<>(meter.tags()));
				}
			}
			Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
				Set<String> shape = shape(registry);
				shape.removeAll(onABusyMachine);
				assertThat(shape).isEqualTo(always);
			});
		});
	}

	@Test
	void jobsOfAProcessAreCountedAndTimed() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			FirstJobTests.awaitState(queue, queue.enqueue("works", null).id(), JobState.SUCCEEDED);
			FirstJobTests.awaitState(queue, queue.enqueue(JobRequest.of("fails").queue("mail").maxAttempts(3)).id(),
					JobState.FAILED);
			Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
				assertThat(
						registry.get("rowqueue.enqueued").tags("type", "works", "outcome", "created").counter().count())
					.isEqualTo(1);
				assertThat(registry.get("rowqueue.claimed").tags("type", "fails", "queue", "mail").counter().count())
					.isEqualTo(3);
				assertThat(registry.get("rowqueue.retried").tags("type", "fails").counter().count()).isEqualTo(2);
				assertThat(registry.get("rowqueue.wait").tags("type", "fails").timer().count()).isEqualTo(3);
				assertThat(registry.get("rowqueue.run").tags("type", "fails", "outcome", "retried").timer().count())
					.isEqualTo(2);
				assertThat(registry.get("rowqueue.run").tags("type", "fails", "outcome", "failed").timer().count())
					.isEqualTo(1);
				assertThat(registry.get("rowqueue.life").tags("type", "works", "outcome", "succeeded").timer().count())
					.isEqualTo(1);
				assertThat(registry.get("rowqueue.claim").timer().count()).as("retries; both jobs may start directly")
					.isGreaterThanOrEqualTo(2);
				assertThat(registry.get("rowqueue.finish.size").summary().totalAmount()).isEqualTo(4);
				assertThat(value(registry, "rowqueue.jobs", "queue", "mail", "state", "failed")).isEqualTo(1);
				assertThat(value(registry, "rowqueue.worker.slots", "pool", "queue mail", "state", "free"))
					.isEqualTo(1);
				assertThat(value(registry, "rowqueue.worker.slots", "pool", "*", "state", "free")).isEqualTo(10);
				assertThat(value(registry, "rowqueue.workers")).isEqualTo(1);
			});
			assertThat(value(registry, "rowqueue.worker.heartbeat.age")).isBetween(0.0, 30.0);
			assertThat(value(registry, "rowqueue.table.size")).isPositive();
		});
	}

	@Test
	void schedulesWindowsFlowsAndBatchesHaveMeters() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("rowqueue.worker.enabled=false")
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				JobQueue queue = context.getBean(JobQueue.class);
				context.getBean(Windows.class).put(Window.of("always", "UTC", "00:00-24:00"));
				context.getBean(Windows.class).put(Window.of("closed", "UTC", "00:00-24:00"));
				this.database.execute("update rowqueue.time_window set open_from = open_until where name = 'closed'");
				Schedules schedules = context.getBean(Schedules.class);
				List.of("late", "later", "paused")
					.forEach((name) -> schedules
						.put(Schedule.of(name, Rhythm.every(Duration.ofHours(1)), JobRequest.of("works"))));
				schedules.pause("paused", null);
				this.database.execute("update rowqueue.schedule set next_run_at = now() - interval '10 minutes'"
						+ " where name in ('late', 'paused')");
				queue.enqueueBatch(Batch.named("old"), Stream.of(JobRequest.of("works")));
				queue.enqueueBatch(Batch.named("open").keepOpen(), Stream.of(JobRequest.of("works")));
				this.database.execute("update rowqueue.batch set created_at = now() - interval '5 minutes'");
				queue.enqueue(Flow.named("runs").job("a", JobRequest.of("works")));
				queue.enqueue(Flow.named("failed").job("a", JobRequest.of("works")).job("b", JobRequest.of("works")));
				this.database.execute("update rowqueue.flow_job set state = 'failed' where name = 'b'");
				context.getBean(JobAdmin.class).pauseQueue("paused", null);
				context.getBean(JobLimits.class).hold(LimitKind.TYPE, "held", Duration.ofHours(1), null);
				long waiting = queue.enqueue(JobRequest.of("works").delay(Duration.ofHours(1))).id();
				this.database.execute("insert into rowqueue.job_wait (job_id, kind, name, lease, began_at, until)"
						+ " select id, kind, 'approval', lease - ended, now(), now() + interval '1 hour' from rowqueue.job,"
						+ " (values ('signal', 0), ('sleep', 1)) wait (kind, ended) where id = " + waiting);
				Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
					assertThat(value(registry, "rowqueue.pauses", "state", "pause")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.pauses", "state", "hold")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.pauses", "state", "window")).isZero();
					assertThat(value(registry, "rowqueue.waits", "state", "signal")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.waits", "state", "sleep")).as("one that has ended").isZero();
					assertThat(value(registry, "rowqueue.window.open", "window", "always")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.window.open", "window", "closed")).isZero();
					assertThat(value(registry, "rowqueue.schedules", "state", "active")).isEqualTo(2);
					assertThat(value(registry, "rowqueue.schedules", "state", "paused")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.schedules", "state", "disabled")).isZero();
					assertThat(value(registry, "rowqueue.schedule.late")).isBetween(600.0, 700.0);
					assertThat(value(registry, "rowqueue.batches", "state", "open")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.batches", "state", "running")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.batch.oldest.age")).isBetween(300.0, 400.0);
					assertThat(value(registry, "rowqueue.flows", "state", "running")).isEqualTo(1);
					assertThat(value(registry, "rowqueue.flows", "state", "failed")).isEqualTo(1);
				});
			});
	}

	@Test
	void everyStateOfEveryKnownQueueIsZeroBeforeTheFirstMeasurement() {
		MeterRegistry registry = new SimpleMeterRegistry();
		new QueueGauges(registry, new BoundedNames(10), new BoundedNames(10), Set.of("mail"), Optional::empty,
				Optional::empty);
		assertThat(registry.get("rowqueue.jobs").gauges()).hasSize(16).allMatch((gauge) -> gauge.value() == 0);
		assertThat(value(registry, "rowqueue.measurement.age")).isNaN();
		assertThat(value(registry, "rowqueue.worker.heartbeat.age")).isNaN();
	}

	/** They are added up over all processes: jobs that go on hide no slots of others. */
	@Test
	void aPoolWithFewerSlotsThanRunningJobsHasNoneFree() {
		MeterRegistry registry = new SimpleMeterRegistry();
		QueueGauges gauges = new QueueGauges(registry, new BoundedNames(10), new BoundedNames(10), Set.of(),
				Optional::empty, Optional::empty);
		gauges.pool("*", () -> Optional.of(new WorkerStatus.PoolStatus("*", 2, 10, 0)));
		assertThat(value(registry, "rowqueue.worker.slots", "pool", "*", "state", "free")).isZero();
		assertThat(value(registry, "rowqueue.worker.slots", "pool", "*", "state", "used")).isEqualTo(10);
	}

	@Test
	void aQueueThatWasSeenStaysAtZeroAndTooManyAreOne() {
		MeterRegistry registry = new SimpleMeterRegistry();
		QueueGauges gauges = new QueueGauges(registry, new BoundedNames(2), new BoundedNames(1), Set.of(),
				Optional::empty, Optional::empty);
		gauges.show(measured(new Figure(Figure.JOBS, "a", "queued", 1, null),
				new Figure(Figure.JOBS, "b", "queued", 2, null), new Figure(Figure.JOBS, "c", "queued", 3, null),
				new Figure(Figure.JOBS, Figure.OTHER_QUEUES, "queued", 40, Figure.AT_LEAST),
				new Figure(Figure.OLDEST_AGE, "b", null, 7, null), new Figure(Figure.OLDEST_AGE, "c", null, 5, null)));
		assertThat(value(registry, "rowqueue.jobs", "queue", "a", "state", "queued")).isEqualTo(1);
		assertThat(value(registry, "rowqueue.jobs", "queue", "others", "state", "queued")).isEqualTo(45);
		assertThat(value(registry, "rowqueue.oldest.age", "queue", "others")).as("the oldest of them").isEqualTo(7);
		gauges.show(measured());
		assertThat(value(registry, "rowqueue.jobs", "queue", "a", "state", "queued")).isZero();
		assertThat(registry.get("rowqueue.jobs").gauges()).as("default, a and others").hasSize(24);
	}

	@Test
	void inventedNamesTakeThePlaceOfNoConfiguredQueueAndNoTypeThatRunsHere() {
		MeterRegistry registry = new SimpleMeterRegistry();
		JobMeters meters = new JobMeters(registry, new BoundedNames(1, Set.of("mail")), new BoundedNames(1),
				new BoundedNames(1));
		io.rowqueue.EnqueueResult created = new io.rowqueue.EnqueueResult(1, io.rowqueue.EnqueueResult.Outcome.CREATED);
		for (int i = 0; i < 10; i++) {
			meters.enqueued(JobRequest.of("type " + i).queue("queue " + i), created);
		}
		meters.claimed("mail", "welcome");
		meters.released("mail", "welcome");
		meters.enqueued(JobRequest.of("welcome").queue("mail"), created);
		assertThat(registry.get("rowqueue.claimed").tags("queue", "mail", "type", "welcome").counter().count()).isOne();
		assertThat(registry.get("rowqueue.released").tags("queue", "mail", "type", "welcome").counter().count())
			.isOne();
		assertThat(registry.get("rowqueue.enqueued").tags("queue", "mail", "type", "welcome").counter().count())
			.isOne();
		assertThat(registry.get("rowqueue.enqueued").tags("queue", "others", "type", "others").counter().count())
			.isEqualTo(9);
	}

	@Test
	void typesBeyondTheLimitShareTheirMeters() {
		MeterRegistry registry = new SimpleMeterRegistry();
		JobMeters meters = new JobMeters(registry, new BoundedNames(1), new BoundedNames(2), new BoundedNames(1));
		for (int i = 0; i < 100; i++) {
			meters.enqueued(JobRequest.of("type " + i).queue("queue " + i),
					new io.rowqueue.EnqueueResult(i, io.rowqueue.EnqueueResult.Outcome.CREATED));
		}
		List.of("a", "b", "c").forEach((schedule) -> meters.due(schedule, "enqueued"));
		assertThat(registry.get("rowqueue.schedule.due")
			.tags("schedule", "others", "outcome", "enqueued")
			.counter()
			.count()).isEqualTo(2);
		assertThat(registry.get("rowqueue.enqueued").counters()).hasSize(3);
		assertThat(registry.get("rowqueue.enqueued").tags("queue", "others", "type", "others").counter().count())
			.isEqualTo(98);
	}

	@Test
	void readingMetersDoesNotQueryTheDatabase() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false")
			.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				context.getBean(MeasurementLoop.class).stop();
				context.getBean(WorkerConnections.class).close();
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				registry.getMeters().forEach((meter) -> meter.measure().forEach((each) -> each.getValue()));
				assertThat(value(registry, "rowqueue.jobs", "queue", "mail", "state", "queued")).isZero();
			});
	}

	@Test
	void metersKeepUpWithTheQueueUntilTheyAreStopped() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("rowqueue.worker.enabled=false")
			.run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				awaitQueued(context, meters, 1);
				context.getSourceApplicationContext().stop();
				assertThat(context.getBean(MeasurementLoop.class).isRunning()).isFalse();
				context.getSourceApplicationContext().start();
				awaitQueued(context, meters, 2);
			});
	}

	@Test
	void typesAreNamedInTheOrderOfTheMeasurementAndOthersAreSummed() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		TypeGauges gauges = new TypeGauges(registry, 1, Set.of("mail"));
		assertThat(registry.find("rowqueue.type.jobs").gauges()).isEmpty();
		gauges.show(measured(new Figure(Figure.JOBS_OF_TYPE, "mail", "queued", 3, "invented")));
		assertThat(value(registry, "rowqueue.type.jobs", "queue", "mail", "type", "invented", "state", "queued"))
			.isEqualTo(3);
		gauges.show(measured(new Figure(Figure.JOBS_OF_TYPE, "mail", "failed", 7, "welcome"),
				new Figure(Figure.OLDEST_AGE_OF_TYPE, "mail", null, 60, "welcome"),
				new Figure(Figure.JOBS_OF_TYPE, "mail", "queued", 3, "invented"),
				new Figure(Figure.JOBS_OF_TYPE, "mail", "queued", 4, "too"),
				new Figure(Figure.OLDEST_AGE_OF_TYPE, "mail", null, 600, "invented"),
				new Figure(Figure.OLDEST_AGE_OF_TYPE, "mail", null, 500, "too")));
		assertThat(value(registry, "rowqueue.type.jobs", "queue", "mail", "type", "welcome", "state", "failed"))
			.isEqualTo(7);
		assertThat(value(registry, "rowqueue.type.jobs", "queue", "mail", "type", "others", "state", "queued"))
			.isEqualTo(7);
		assertThat(value(registry, "rowqueue.type.oldest.age", "queue", "mail", "type", "welcome")).isEqualTo(60);
		assertThat(value(registry, "rowqueue.type.oldest.age", "queue", "mail", "type", "others")).isEqualTo(600);
		assertThat(registry.get("rowqueue.type.jobs").gauges()).hasSize(2);
		gauges.show(measured());
		assertThat(registry.find("rowqueue.type.jobs").gauges()).isEmpty();
	}

	@Test
	void anUnhandledTypeHasASeriesUntilAWorkerHandlesIt() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		QueueGauges gauges = new QueueGauges(registry, new BoundedNames(10), new BoundedNames(1), Set.of(),
				Optional::empty, Optional::empty);
		assertThat(registry.find("rowqueue.unhandled.age").gauges()).isEmpty();
		gauges.show(measured(new Figure(Figure.UNHANDLED, "default", "order-mial", 68, null),
				new Figure(Figure.UNHANDLED, "default", "b", 7, null),
				new Figure(Figure.UNHANDLED, "default", "c", 9, null)));
		assertThat(value(registry, "rowqueue.unhandled.age", "queue", "default", "type", "order-mial")).isEqualTo(68);
		assertThat(value(registry, "rowqueue.unhandled.age", "queue", "default", "type", "others")).isEqualTo(9);
		gauges.show(measured());
		assertThat(registry.find("rowqueue.unhandled.age").gauges()).isEmpty();
	}

	@Test
	void metersAreThereAlsoWhereBeansAreLazy() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor(new org.springframework.boot.LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> registry.find("rowqueue.workers").gauge() != null
							&& value(registry, "rowqueue.workers") == 1);
			});
	}

	@Test
	void theQueuesOwnPoolIsMeasuredLikeThatOfTheApplication() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> registry.find("hikaricp.connections").tags("pool", "rowqueue").gauge() != null
						&& value(registry, "hikaricp.connections", "pool", "rowqueue") > 0);
			assertThat(value(registry, "hikaricp.connections.max", "pool", "rowqueue")).isEqualTo(11);
		});
	}

	@Test
	void metersAreInTheRegistryThatBootMakes() {
		this.application
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(MeterRegistry.class).get("rowqueue.jobs").gauges())
				.isNotEmpty());
	}

	@Test
	void metersAreInTheCompositeOfSeveralRegistries() {
		this.application
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class))
			.withBean("one", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("two", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				assertThat(context.getBean(MeterRegistry.class)).isInstanceOf(CompositeMeterRegistry.class);
				assertThat(context.getBean("one", MeterRegistry.class).get("rowqueue.jobs").gauges()).isNotEmpty();
				assertThat(context.getBean("two", MeterRegistry.class).get("rowqueue.jobs").gauges()).isNotEmpty();
			});
	}

	@Test
	void metersAreLeftOutWhereNoRegistryCanBeChosen() {
		this.application.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueGauges.class));
		this.application.withBean("one", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("two", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueGauges.class));
	}

	private static void awaitQueued(ApplicationContext context, MeterRegistry meters, int jobs) {
		context.getBean(JobQueue.class).enqueue(JobRequest.of("a").queue("mail"));
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> value(meters, "rowqueue.jobs", "queue", "mail", "state", "queued") == jobs);
	}

	private static Measurement measured(Figure... figures) {
		return new Measurement(Duration.ZERO, List.of(figures));
	}

	private static double value(MeterRegistry registry, String name, String... tags) {
		return registry.get(name).tags(tags).gauge().value();
	}

	private static Set<String> shape(MeterRegistry registry) {
		Set<String> shape = new TreeSet<>();
		for (Meter meter : registry.getMeters()) {
			if (meter.getId().getName().startsWith("rowqueue.")) {
				shape.add(meter.getId().getType() + " " + meter.getId().getName() + " "
						+ meter.getId()
							.getTags()
							.stream()
							.map(Tag::getKey)
							.collect(Collectors.toCollection(TreeSet::new)));
			}
		}
		return shape;
	}

}
