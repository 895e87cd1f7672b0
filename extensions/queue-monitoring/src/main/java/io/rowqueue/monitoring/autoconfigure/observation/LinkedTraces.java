package io.rowqueue.monitoring.autoconfigure.observation;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.rowqueue.observation.JobObservationContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives each attempt a trace of its own, with a link to the one that enqueued its job: a
 * job that runs days later, or ten times, does not stretch that. It reads the W3C header
 * {@code traceparent}.
 */
class LinkedTraces implements TracingObservationHandler<JobObservationContext> {

	private static final Pattern TRACE_PARENT = Pattern
		.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

	private final Receiver receiver;

	LinkedTraces(Tracer tracer, Propagator propagator) {
		this.receiver = new Receiver(tracer, propagator);
	}

	@Override
	public void onStart(JobObservationContext context) {
		this.receiver.onStart(context);
	}

	@Override
	public void onError(JobObservationContext context) {
		this.receiver.onError(context);
	}

	@Override
	public void onStop(JobObservationContext context) {
		this.receiver.onStop(context);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof JobObservationContext;
	}

	@Override
	public Tracer getTracer() {
		return this.receiver.getTracer();
	}

	private static final class Receiver extends PropagatingReceiverTracingObservationHandler<JobObservationContext> {

		Receiver(Tracer tracer, Propagator propagator) {
			super(tracer, propagator);
		}

		@Override
		public Span.Builder customizeExtractedSpan(JobObservationContext context, Span.Builder builder) {
			TraceContext enqueued = enqueued(context.getCarrier());
			Span.Builder root = builder.setNoParent();
			return (enqueued != null) ? root.addLink(new Link(enqueued)) : root;
		}

		private @Nullable TraceContext enqueued(@Nullable Map<String, String> headers) {
			String header = (headers != null) ? headers.get("traceparent") : null;
			Matcher matcher = TRACE_PARENT.matcher((header != null) ? header : "");
			if (!matcher.matches()) {
				return null;
			}
			boolean sampled = (Integer.parseInt(matcher.group(3), 16) & 1) == 1;
			return getTracer().traceContextBuilder()
				.traceId(matcher.group(1))
				.spanId(matcher.group(2))
				.sampled(sampled)
				.build();
		}

	}

}
