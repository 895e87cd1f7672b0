package io.rowqueue.engine.handler;

import java.lang.reflect.Type;
import java.util.List;

import io.rowqueue.CoalescedJob;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers.CoalescingHandler;
import org.jspecify.annotations.Nullable;

/** A handler of coalesced jobs that was registered in code. */
record CoalescingCodeHandler<P>(String type, HandlerOptions options, CoalescingHandler<P> handler, Coalescer coalescer,
		String source) implements RegisteredHandler {

	@Override
	public String description() {
		return "for '%s' of %s".formatted(this.type, this.source);
	}

	@Override
	public Type payloadType() {
		return this.coalescer.payloadType();
	}

	@Override
	public @Nullable String run(@Nullable String payload, JobContext context) {
		throw new IllegalStateException("The jobs of " + description() + " are coalesced");
	}

	@Override
	public void checkPayload(@Nullable String payload) {
		this.coalescer.checkPayload(payload);
	}

	@Override
	@SuppressWarnings("unchecked") // the coalescer creates jobs with the payload's class
	public void runTogether(List<PendingJob> jobs) throws Exception {
		List<?> list = this.coalescer.read(jobs);
		if (!list.isEmpty()) {
			this.handler.run((List<CoalescedJob<P>>) list);
		}
	}

	@Override
	public String toString() {
		return description();
	}

}
