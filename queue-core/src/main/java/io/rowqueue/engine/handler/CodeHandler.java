package io.rowqueue.engine.handler;

import java.util.List;

import io.rowqueue.CoalescedJob;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers.CoalescingHandler;
import io.rowqueue.JobHandlers.ReturningHandler;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * A handler that was registered in code.
 *
 * @param handler runs one job; {@code null}: the jobs are coalesced
 * @param coalescing runs several jobs in one call; {@code null}: each runs alone
 */
record CodeHandler<P>(String type, Class<P> payloadType, HandlerOptions options, @Nullable ReturningHandler<P> handler,
		@Nullable CoalescingHandler<P> coalescing, PayloadCodec codec, String source) implements RegisteredHandler {

	@Override
	public String description() {
		return "for '%s' of %s".formatted(this.type, this.source);
	}

	@Override
	@SuppressWarnings("unchecked") // the codec returns an instance of the requested class
	public @Nullable String run(@Nullable String payload, JobContext context) throws Exception {
		if (this.handler == null) {
			throw new IllegalStateException("The jobs of " + description() + " are coalesced");
		}
		Object result = this.handler.run((P) this.codec.read(payload, this.payloadType, this.type), context);
		return this.options.keepResult() ? KeptResult.write(result, null, this.type, this.codec) : null;
	}

	@Override
	public void checkPayload(@Nullable String payload) {
		this.codec.read(payload, this.payloadType, this.type);
	}

	@Override
	@SuppressWarnings("unchecked") // the coalescer creates jobs with the payload's class
	public void runTogether(List<PendingJob> jobs) throws Exception {
		if (this.coalescing == null) {
			RegisteredHandler.super.runTogether(jobs);
			return;
		}
		List<?> list = new Coalescer(this.type, this.payloadType, false, this.codec).read(jobs);
		if (!list.isEmpty()) {
			this.coalescing.run((List<CoalescedJob<P>>) list);
		}
	}

	@Override
	public String toString() {
		return description();
	}

}
