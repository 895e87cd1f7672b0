package io.rowqueue.monitoring.autoconfigure.observation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FirstJobTests;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.observation.JobObservationContext;
import io.rowqueue.observation.JobObservationConvention;
import io.rowqueue.observation.ObservedJob;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** The way of a trace from the request that enqueues a job to its handler. */
class TracingTests {

	@RegisterExtension
	private static final TestDatabase SHARED = new TestDatabase();

	private static final List<Map<String, String>> seen = new CopyOnWriteArrayList<>();

	/** The application of the tests that need no other properties. */
	private static ConfigurableApplicationContext shared;

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@BeforeAll
	static void startShared() {
		shared = start(SHARED, "rowqueue.retry.initial-delay=0s");
	}

	@AfterAll
	static void closeShared() {
		shared.close();
	}

	@BeforeEach
	void forget() {
		seen.clear();
		shared.getBean(InMemorySpanExporter.class).reset();
	}

	@Test
	void aJobIsPartOfTheTraceThatEnqueuedIt() {
		Traced job = enqueueInATrace(shared, JobRequest.of("works"));
		SpanData enqueued = await(shared, "enqueue works");
		SpanData processed = await(shared, "process works", job.id());
		assertThat(enqueued.getTraceId()).isEqualTo(job.trace());
		assertThat(enqueued.getKind()).isEqualTo(SpanKind.PRODUCER);
		assertThat(processed.getTraceId()).isEqualTo(job.trace());
		assertThat(processed.getParentSpanId()).isEqualTo(enqueued.getSpanId());
		assertThat(processed.getKind()).isEqualTo(SpanKind.CONSUMER);
		assertThat(processed.getAttributes().asMap().toString()).contains("job.type=works", "job.queue=default",
				"job.attempt=1", "job.id=");
		assertThat(seen.get(0)).as("in the handler").containsEntry("traceId", job.trace());
	}

	@Test
	void anAttemptCanHaveItsOwnTraceWithALink() {
		try (ConfigurableApplicationContext context = start(this.database, "rowqueue.tracing.mode=link")) {
			String trace = enqueueInATrace(context, JobRequest.of("works")).trace();
			SpanData enqueued = await(context, "enqueue works");
			SpanData processed = await(context, "process works");
			assertThat(processed.getTraceId()).isNotEqualTo(trace);
			assertThat(processed.getLinks()).hasSize(1);
			assertThat(processed.getLinks().get(0).getSpanContext().getTraceId()).isEqualTo(trace);
			assertThat(processed.getLinks().get(0).getSpanContext().getSpanId()).isEqualTo(enqueued.getSpanId());
		}
	}

	@Test
	void aFailedAttemptIsAFailedSpan() {
		Traced job = enqueueInATrace(shared, JobRequest.of("fails").maxAttempts(1));
		assertThat(await(shared, "process fails", job.id()).getEvents().toString()).contains("broken");
	}

	@Test
	void theLogOfAFailureContainsTheTraceAndTheJob() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.list = new CopyOnWriteArrayList<>();
		log.start();
		Logger jobs = (Logger) LoggerFactory.getLogger("io.rowqueue.jobs");
		jobs.addAppender(log); // the start of an application takes others away
		try {
			String trace = enqueueInATrace(shared, JobRequest.of("fails").queue("mail").maxAttempts(2)).trace();
			Awaitility.await().until(() -> log.list.size() == 2);
			assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.ERROR);
			assertThat(log.list).extracting(ILoggingEvent::getMDCPropertyMap)
				.allSatisfy((mdc) -> assertThat(mdc).containsEntry("traceId", trace)
					.containsEntry("jobType", "fails")
					.containsEntry("jobQueue", "mail")
					.containsKeys("jobId", "spanId"))
				.extracting((mdc) -> mdc.get("jobAttempt"))
				.containsExactly("1", "2");
		}
		finally {
			jobs.detachAppender(log);
		}
	}

	@Test
	void aJobThatNothingTracedHasNoHeadersAndATraceOfItsOwn() {
		long id = SHARED.query("select rowqueue.enqueue('works')", Long.class);
		SpanData processed = await(shared, "process works", id);
		assertThat(processed.getParentSpanContext().isValid()).isFalse();
	}

	@Test
	void theLogOfAHandlerContainsItsJob() {
		JobQueue queue = shared.getBean(JobQueue.class);
		long id = queue.enqueue(JobRequest.of("works")).id();
		FirstJobTests.awaitState(queue, id, JobState.SUCCEEDED);
		assertThat(seen.get(0)).containsEntry("jobId", Long.toString(id))
			.containsEntry("jobType", "works")
			.containsEntry("jobQueue", "default")
			.containsEntry("jobAttempt", "1");
	}

	@Test
	void tagsOfJobsThatWereInsertedBySqlAreBounded() {
		try (ConfigurableApplicationContext context = start(this.database, "rowqueue.measurement.max-names=3")) {
			for (int i = 0; i < 20; i++) {
				this.database.query("select rowqueue.enqueue('works', null, 'queue " + i + "')", Long.class);
			}
			Awaitility.await().until(() -> seen.size() == 20);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			Awaitility.await()
				.until(() -> meters.get("rowqueue.process").timers().stream().mapToLong(Timer::count).sum() == 20);
			assertThat(meters.get("rowqueue.process").timers()).extracting((timer) -> timer.getId().getTag("job.queue"))
				.hasSize(4)
				.contains("others");
		}
	}

	@Test
	void theApplicationCanNameThingsOtherwise() {
		try (ConfigurableApplicationContext context = start(this.database, "own-convention=true")) {
			enqueueInATrace(context, JobRequest.of("works"));
			assertThat(await(context, "my works").getAttributes().asMap().toString()).contains("tenant=7");
		}
	}

	@Test
	void observationsNeedNoTracing() {
		Applications.on(this.database)
			.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
			.withPropertyValues("rowqueue.tracing.mode=link")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("rowqueueLinkedTraces"));
	}

	@Test
	void nothingIsObservedWithoutARegistry() {
		Applications.on(this.database)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("rowqueueObservedJob"));
	}

	private static Traced enqueueInATrace(ConfigurableApplicationContext context, JobRequest request) {
		Tracer tracer = context.getBean(Tracer.class);
		Span span = tracer.nextSpan().name("request").start();
		try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
			long id = context.getBean(JobQueue.class).enqueue(request).id();
			return new Traced(span.context().traceId(), id);
		}
		finally {
			span.end();
		}
	}

	private static SpanData await(ConfigurableApplicationContext context, String name) {
		return await(context, name, (span) -> true);
	}

	/** An attempt of an earlier test may end in this one. */
	private static SpanData await(ConfigurableApplicationContext context, String name, long jobId) {
		return await(context, name,
				(span) -> String.valueOf(jobId).equals(span.getAttributes().get(AttributeKey.stringKey("job.id"))));
	}

	private static SpanData await(ConfigurableApplicationContext context, String name, Predicate<SpanData> isMeant) {
		InMemorySpanExporter exporter = context.getBean(InMemorySpanExporter.class);
		return Awaitility.await()
			.until(() -> exporter.getFinishedSpanItems()
				.stream()
				.filter((span) -> span.getName().equals(name) && isMeant.test(span))
				.findFirst(), java.util.Optional::isPresent)
			.orElseThrow();
	}

	private static ConfigurableApplicationContext start(TestDatabase database, String... properties) {
		SpringApplication application = new SpringApplication(Everything.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application
			.addInitializers((context) -> ((org.springframework.context.support.GenericApplicationContext) context)
				.registerBean("seen", List.class, () -> seen));
		List<String> arguments = new java.util.ArrayList<>(List.of("--spring.liquibase.enabled=false",
				"--spring.main.banner-mode=off", "--management.tracing.sampling.probability=1.0"));
		for (String property : database.properties()) {
			arguments.add("--" + property);
		}
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return application.run(arguments.toArray(String[]::new));
	}

	record Traced(String trace, long id) {

	}

	/** All but JPA, which traces have nothing to do with and which starts slowly. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
	static class Everything {

		@Bean
		InMemorySpanExporter exporter() {
			return InMemorySpanExporter.create();
		}

		@Bean
		SimpleSpanProcessor processor(InMemorySpanExporter exporter) {
			return (SimpleSpanProcessor) SimpleSpanProcessor.create(exporter);
		}

		@Bean
		@org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty("own-convention")
		JobObservationConvention convention() {
			return new JobObservationConvention() {
				@Override
				public String getContextualName(JobObservationContext context) {
					return "my " + context.job().type();
				}

				@Override
				public KeyValues getHighCardinalityKeyValues(JobObservationContext context) {
					return KeyValues.of("tenant", "7");
				}
			};
		}

		@Bean
		JobHandlers.Registrar handlers(
				@org.springframework.beans.factory.annotation.Qualifier("seen") List<Map<String, String>> seen,
				Tracer tracer) {
			return (handlers) -> {
				handlers.add("works", String.class, (payload, job) -> {
					Map<String, String> here = new java.util.HashMap<>(MDC.getCopyOfContextMap());
					Span span = tracer.currentSpan();
					if (span != null) {
						here.put("traceId", span.context().traceId());
					}
					seen.add(here);
				});
				handlers.add("fails", String.class, (payload, job) -> {
					throw new IllegalStateException("broken");
				});
			};
		}

	}

}
