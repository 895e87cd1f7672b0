package io.rowqueue.engine.handler;

import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.JobContext;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * Creates the value of a parameter of a handler method. Its source is determined once,
 * when the handler is registered.
 */
@FunctionalInterface
interface Argument {

	/** Leaves a parameter to the default value that Kotlin code declares for it. */
	Object OMITTED = new Object();

	@Nullable Object of(@Nullable String payload, JobContext context);

	/**
	 * Returns the arguments: the context by its type, and at most one other as the
	 * payload.
	 */
	static List<Argument> allOf(HandlerMethod handler, String jobType, PayloadCodec codec) {
		List<Argument> arguments = new ArrayList<>();
		PayloadParameter payload = null;
		for (Parameter parameter : handler.parameters()) {
			if (parameter.getType() == JobContext.class) {
				arguments.add((json, context) -> context);
			}
			else if (payload == null) {
				PayloadParameter found = PayloadParameter.of(parameter, handler);
				payload = found;
				arguments.add((json, context) -> found.read(json, codec, jobType));
			}
			else {
				throw handler.refused(
						"has two parameters for the payload, '%s' and '%s'".formatted(payload.name(),
								parameter.getName()),
						"Declare one payload parameter and, if needed, a JobContext; combine both values in a record.");
			}
		}
		return List.copyOf(arguments);
	}

}
