package io.pgqueue.engine.handler;

import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.pgqueue.JobContext;
import io.pgqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;

/**
 * Creates the value of a parameter of a handler method. Its source is determined once,
 * when the handler is registered.
 */
@FunctionalInterface
interface Argument {

	@Nullable Object of(@Nullable String payload, JobContext context);

	/**
	 * Returns the arguments: the context by its type, and at most one other as the
	 * payload.
	 */
	static List<Argument> allOf(HandlerMethod handler, String jobType, PayloadCodec codec) {
		List<Argument> arguments = new ArrayList<>();
		Parameter payload = null;
		for (Parameter parameter : handler.method().getParameters()) {
			if (parameter.getType() == JobContext.class) {
				arguments.add((json, context) -> context);
			}
			else if (payload == null) {
				payload = parameter;
				Type target = payloadType(parameter, handler);
				arguments.add((json, context) -> codec.read(json, target, jobType));
			}
			else {
				throw handler.refused(
						"has two parameters for the payload, '%s' and '%s'".formatted(payload.getName(),
								parameter.getName()),
						"Declare one payload parameter and, if needed, a JobContext; combine both values in a record.");
			}
		}
		return List.copyOf(arguments);
	}

	/**
	 * Returns the type of the parameter for the payload, or {@code null} if there is
	 * none.
	 */
	static @Nullable Type payloadType(HandlerMethod handler) {
		return Arrays.stream(handler.method().getParameters())
			.filter((parameter) -> parameter.getType() != JobContext.class)
			.findFirst()
			.map((parameter) -> payloadType(parameter, handler))
			.orElse(null);
	}

	private static Type payloadType(Parameter parameter, HandlerMethod handler) {
		return GenericTypeResolver.resolveType(parameter.getParameterizedType(), handler.beanClass());
	}

}
