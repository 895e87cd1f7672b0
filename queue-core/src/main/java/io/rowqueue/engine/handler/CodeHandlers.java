package io.rowqueue.engine.handler;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers;
import io.rowqueue.PayloadCodec;

/** Registers the handlers of one registrar. */
record CodeHandlers(HandlerRegistry.Builder builder, PayloadCodec codec, String source) implements JobHandlers {

	@Override
	public <P> JobHandlers add(String type, Class<P> payloadType, HandlerOptions options, Handler<P> handler) {
		CodeHandler<P> registered = new CodeHandler<>(type, payloadType, options, (payload, context) -> {
			handler.run(payload, context);
			return null;
		}, null, this.codec, this.source);
		if (options.keepResult()) {
			throw new InvalidJobHandlerException(registered.description(), "has no result to keep",
					"Register it with addReturning, or remove keepResult.");
		}
		this.builder.add(registered);
		return this;
	}

	@Override
	public <P> JobHandlers addReturning(String type, Class<P> payloadType, HandlerOptions options,
			ReturningHandler<P> handler) {
		this.builder.add(
				new CodeHandler<>(type, payloadType, options.keepResult(true), handler, null, this.codec, this.source));
		return this;
	}

	@Override
	public <P> JobHandlers addCoalescing(String type, Class<P> payloadType, HandlerOptions options,
			CoalescingHandler<P> handler) {
		CodeHandler<P> registered = new CodeHandler<>(type, payloadType, options, null, handler, this.codec,
				this.source);
		if (options.coalescing() == null) {
			throw new InvalidJobHandlerException(registered.description(), "has no maximum number of jobs in a call",
					"Register it with options that include coalesce(…).");
		}
		this.builder.add(registered);
		return this;
	}

}
