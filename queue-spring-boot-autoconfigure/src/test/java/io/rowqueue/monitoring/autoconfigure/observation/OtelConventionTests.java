package io.rowqueue.monitoring.autoconfigure.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.observation.EnqueueObservationConvention;
import io.rowqueue.observation.JobObservationConvention;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Enqueues and attempts, described with the messaging attributes of OpenTelemetry. */
class OtelConventionTests {

	private final Map<String, Map<String, String>> observed = new ConcurrentHashMap<>();

	private final ObservationRegistry registry = ObservationRegistry.create();

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database)
		.withBean(ObservationRegistry.class, () -> this.registry)
		.withBean("handlers", JobHandlers.Registrar.class,
				() -> (handlers) -> handlers.add("fails", String.class, (payload, job) -> {
					throw new IllegalStateException("on purpose");
				}))
		.withPropertyValues("rowqueue.tracing.convention=otel-messaging");

	@BeforeEach
	void recordObservations() {
		this.registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			@Override
			public void onStop(Observation.Context context) {
				OtelConventionTests.this.observed.putIfAbsent(context.getName() + ": " + context.getContextualName(),
						context.getAllKeyValues()
							.stream()
							.collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue)));
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
	}

	@Test
	void anEnqueueIsASendAndAnAttemptIsAProcess() {
		this.application.run((context) -> {
			long id = context.getBean(JobQueue.class).enqueue(JobRequest.of("fails")).id();
			Awaitility.await().until(() -> this.observed.containsKey("rowqueue.process: process default"));
			assertThat(this.observed.get("rowqueue.enqueue: send default")).isEqualTo(Map.of("messaging.system",
					"rowqueue", "messaging.operation.name", "send", "messaging.operation.type", "send",
					"messaging.destination.name", "default", "job.type", "fails"));
			assertThat(this.observed.get("rowqueue.process: process default")).isEqualTo(Map.of("messaging.system",
					"rowqueue", "messaging.operation.name", "process", "messaging.operation.type", "process",
					"messaging.destination.name", "default", "job.type", "fails", "messaging.message.id",
					Long.toString(id), "job.attempt", "1", "error.type", IllegalStateException.class.getName()));
		});
	}

	@Test
	void theConventionIsRecognizedHoweverItIsWritten() {
		this.application.withPropertyValues("rowqueue.tracing.convention=OTEL_MESSAGING").run((context) -> {
			context.getBean(JobQueue.class).enqueue(JobRequest.of("fails"));
			assertThat(this.observed).containsKey("rowqueue.enqueue: send default");
		});
	}

	@Test
	void conventionsOfTheApplicationComeFirst() {
		this.application.withBean(EnqueueObservationConvention.class, () -> EnqueueObservationConvention.DEFAULT)
			.withBean(JobObservationConvention.class, () -> JobObservationConvention.DEFAULT)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(JobRequest.of("fails"));
				Awaitility.await()
					.until(() -> this.observed.keySet()
						.stream()
						.anyMatch((name) -> name.startsWith("rowqueue.process")));
				assertThat(this.observed.values()).hasSize(2)
					.allSatisfy((tags) -> assertThat(tags).doesNotContainKey("messaging.system"));
			});
	}

	@Test
	void anUnknownConventionIsRefused() {
		this.application.withPropertyValues("rowqueue.tracing.convention=opentracing")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining("rowqueue.tracing.convention"));
	}

}
