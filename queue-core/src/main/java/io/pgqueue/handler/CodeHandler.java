package io.pgqueue.handler;

import io.pgqueue.HandlerOptions;
import io.pgqueue.JobContext;
import io.pgqueue.JobHandlers.Handler;
import io.pgqueue.codec.PayloadCodec;
import org.jspecify.annotations.Nullable;

/** A handler that was registered in code. */
record CodeHandler<P>(String type, Class<P> payloadType, HandlerOptions options, Handler<P> handler, PayloadCodec codec,
		String source) implements RegisteredHandler {

	@Override
	public String description() {
		return "for '%s' of %s".formatted(this.type, this.source);
	}

	@Override
	@SuppressWarnings("unchecked") // what a codec reads is of the type it was asked for
	public void run(@Nullable String payload, JobContext context) throws Exception {
		this.handler.run((P) this.codec.read(payload, this.payloadType, this.type), context);
	}

	@Override
	public String toString() {
		return description();
	}

}
