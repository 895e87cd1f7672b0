package io.rowqueue.monitoring.autoconfigure.observation;

import java.util.HashMap;
import java.util.List;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.observation.ObservedEnqueue;
import io.rowqueue.observation.TagNames;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** The names of queues and types in tags of observations. */
class ObservationTagsTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ObservationRegistry registry = ObservationRegistry.create();

	@BeforeEach
	void measureObservations() {
		this.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
	}

	/** A role that may insert jobs could otherwise fill the memory of the monitoring. */
	@Test
	void tagsAreBounded() {
		ObservedEnqueue enqueue = new ObservedEnqueue(this.registry, null, new TagNames(2));
		for (int i = 0; i < 50; i++) {
			enqueue.enqueue(List.of(JobRequest.of("type " + i).queue("queue " + i)), new HashMap<>(), () -> "");
		}
		assertThat(this.meters.get("rowqueue.enqueue").timers()).extracting((timer) -> timer.getId().getTag("job.type"))
			.containsExactlyInAnyOrder("type 0", "type 1", "others");
	}

	@Test
	void configuredNamesAlwaysHaveTagsHoweverManyOthersThereWere() {
		Applications.on(new TestDatabase())
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withBean("handlers", JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("works", String.class, (payload, job) -> {
					}))
			.withPropertyValues("rowqueue.measurement.max-names=1", "rowqueue.worker.queues.[Mail.Out].concurrency=1")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				for (int i = 0; i < 5; i++) {
					queue.enqueue(JobRequest.of("invented " + i).queue("invented " + i));
				}
				queue.enqueue(JobRequest.of("works").queue("Mail.Out"));
				queue.enqueue(JobRequest.of("works"));
				Awaitility.await()
					.until(() -> this.meters.find("rowqueue.process")
						.timers()
						.stream()
						.mapToLong(Timer::count)
						.sum() == 2);
				assertThat(this.meters.get("rowqueue.process").timers())
					.extracting((timer) -> timer.getId().getTag("job.queue"),
							(timer) -> timer.getId().getTag("job.type"))
					.containsExactlyInAnyOrder(tuple("Mail.Out", "works"), tuple("default", "works"));
				queue.enqueue(JobRequest.of("works"));
				assertThat(count("default", "works")).isPositive();
				assertThat(count("others", "others")).isEqualTo(4);
			});
	}

	private long count(String queue, String type) {
		return this.meters.get("rowqueue.enqueue").tags("job.queue", queue, "job.type", type).timer().count();
	}

}
