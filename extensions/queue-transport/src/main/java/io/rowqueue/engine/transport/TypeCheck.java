package io.rowqueue.engine.transport;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.handler.RegisteredHandler;
import io.rowqueue.transport.JobTransport;
import org.jspecify.annotations.Nullable;

/** Rejects types that a broker cannot carry because of what their handlers need. */
public final class TypeCheck {

	private TypeCheck() {
	}

	/**
	 * Checks the handlers of the types that a broker carries.
	 * @throws InvalidJobHandlerException for the first handler that needs the database
	 */
	public static void check(JobTransport transport, HandlerRegistry handlers) {
		for (String type : transport.types()) {
			@Nullable RegisteredHandler handler = handlers.find(type).orElse(null);
			if (handler != null) {
				check(transport.name(), handler, handlers.options(type));
			}
		}
	}

	private static void check(String broker, RegisteredHandler handler, HandlerOptions options) {
		if (options.transactional()) {
			throw rejected(broker, handler, "is transactional, and its job would have to end in its transaction",
					"or make it idempotent by JobContext.id() instead of transactional");
		}
		if (options.keepResult()) {
			throw rejected(broker, handler, "keeps its result, which others read in the database",
					"or store the result elsewhere");
		}
		if (options.coalescing() != null && !options.coalescing().maxWait().isZero()) {
			throw rejected(broker, handler, "waits for further jobs to run them in one call, as only the database can",
					"or set the wait to zero, so that only jobs that wait anyway run together");
		}
		if (options.concurrency() != null) {
			throw rejected(broker, handler,
					"limits how many jobs of the type this process claims, and these are not claimed",
					"or give its queue slots of its own with rowqueue.worker.queues.<name>.concurrency");
		}
	}

	private static InvalidJobHandlerException rejected(String broker, RegisteredHandler handler, String reason,
			String alternative) {
		return new InvalidJobHandlerException(handler.description(),
				"runs the type '" + handler.type() + "', which " + broker + " is to carry, but " + reason,
				"Remove the type from those that " + broker + " carries, " + alternative + ".");
	}

}
