package io.rowqueue.modulith;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.expression.EvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * Enqueues a job for each event that is to be externalized, in the publisher's
 * transaction. The target of the event is the type of the job, and its key orders the
 * jobs.
 */
final class ExternalizedEvents implements ApplicationListener<PayloadApplicationEvent<?>> {

	private final JobQueue queue;

	private final EventExternalizationConfiguration configuration;

	private final EvaluationContext context;

	ExternalizedEvents(JobQueue queue, EventExternalizationConfiguration configuration, EvaluationContext context) {
		this.queue = queue;
		this.configuration = configuration;
		this.context = context;
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<?> event) {
		if (!this.configuration.supports(event.getPayload())) {
			return;
		}
		RoutingTarget target = this.configuration.determineTarget(event.getPayload());
		Object mapped = this.configuration.map(event.getPayload());
		BrokerRouting routing = BrokerRouting.of(target, this.context);
		String type = routing.getTarget(mapped);
		String key = (target.getKey() != null) ? routing.getKey(mapped) : null;
		JobRequest request = JobRequest.of(type, mapped);
		this.queue.enqueue((key != null) ? EventOrder.apply(request, type, key) : request);
	}

}
