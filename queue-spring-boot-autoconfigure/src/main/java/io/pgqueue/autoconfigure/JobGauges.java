package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.pgqueue.JobRequest;
import io.pgqueue.store.JobCount;
import io.pgqueue.store.JobStore;
import io.pgqueue.support.Loop;
import io.pgqueue.support.Outage;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * The gauges {@code queue.jobs}: how many active jobs each queue has in each state. They
 * are counted in the background: reading a gauge costs the database nothing.
 */
class JobGauges implements SmartLifecycle {

	static final String NAME = "queue.jobs";

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	private static final List<String> STATES = List.of("scheduled", "queued", "starting", "running", "stuck", "failed");

	private final JobStore store;

	private final MultiGauge gauges;

	private final Outage outage;

	private final Set<String> queues = new TreeSet<>();

	private @Nullable Loop loop;

	JobGauges(JobStore store, MeterRegistry registry, Collection<String> queues, Outage outage) {
		this.store = store;
		this.outage = outage;
		this.gauges = MultiGauge.builder(NAME)
			.description("Jobs that are not over, or failed; from " + JobCount.MOST + " they are not counted further")
			.baseUnit("jobs")
			.register(registry);
		this.queues.add(JobRequest.DEFAULT_QUEUE);
		this.queues.addAll(queues);
		show(Map.of());
	}

	/** Counts now; called by one thread at a time. */
	void refresh() {
		Map<List<String>, Long> jobs = new HashMap<>();
		for (JobCount count : this.store.count()) {
			this.queues.add(count.queue()); // a queue that was seen stays, at zero
			jobs.put(List.of(count.queue(), count.state()), count.jobs());
		}
		show(jobs);
	}

	private void show(Map<List<String>, Long> jobs) {
		Stream<Row<?>> rows = this.queues.stream()
			.flatMap((queue) -> STATES.stream()
				.map((state) -> Row.of(Tags.of("queue", queue, "state", state),
						jobs.getOrDefault(List.of(queue, state), 0L))));
		this.gauges.register(rows.toList(), true);
	}

	@Override
	public synchronized void start() {
		if (this.loop == null) {
			this.loop = new Loop("queue-gauges", this.outage, INTERVAL, this::refresh);
			this.loop.start();
		}
	}

	@Override
	public synchronized void stop() {
		if (this.loop != null) {
			this.loop.stop();
			this.loop = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.loop != null;
	}

}
