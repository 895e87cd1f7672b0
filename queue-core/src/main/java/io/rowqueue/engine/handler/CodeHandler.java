package io.rowqueue.engine.handler;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers.ReturningHandler;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;

/** A handler that was registered in code. */
record CodeHandler<P>(String type, Class<P> payloadType, HandlerOptions options, ReturningHandler<P> handler,
		PayloadCodec codec, String source) implements RegisteredHandler {

	@Override
	public String description() {
		return "for '%s' of %s".formatted(this.type, this.source);
	}

	@Override
	@SuppressWarnings("unchecked") // the codec returns an instance of the requested class
	public @Nullable String run(@Nullable String payload, JobContext context) throws Exception {
		Object result = this.handler.run((P) this.codec.read(payload, this.payloadType, this.type), context);
		return this.options.keepResult() ? KeptResult.write(result, null, this.type, this.codec) : null;
	}

	@Override
	public void checkPayload(@Nullable String payload) {
		this.codec.read(payload, this.payloadType, this.type);
	}

	@Override
	public String toString() {
		return description();
	}

}
