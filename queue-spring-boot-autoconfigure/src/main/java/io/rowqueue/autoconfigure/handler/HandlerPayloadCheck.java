package io.rowqueue.autoconfigure.handler;

import io.rowqueue.engine.admin.DefaultJobEditor.PayloadCheck;
import org.jspecify.annotations.Nullable;

/**
 * Checks payloads by the handlers of this application.
 *
 * @param handlers the handlers; collected at the first check
 */
record HandlerPayloadCheck(HandlerRegistryFactory handlers) implements PayloadCheck {

	@Override
	public void check(String type, @Nullable String payload) {
		this.handlers.get().find(type).ifPresent((handler) -> handler.checkPayload(payload));
	}

}
