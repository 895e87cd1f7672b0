package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.List;

import io.rowqueue.JobContext;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;

/**
 * The parameter of a handler method that takes the payload.
 *
 * @param name the name of the parameter, for errors
 * @param type the type that payloads are mapped to
 * @param absence what happens if a job has no payload
 */
record PayloadParameter(String name, Type type, Absence absence) {

	/** Leaves the parameter to the default value that Kotlin code declares for it. */
	static final Object OMITTED = new Object();

	/**
	 * Returns the parameter of a handler, or {@code null} if it takes no payload: beside
	 * the context, a handler has at most one.
	 */
	static @Nullable PayloadParameter of(HandlerMethod handler) {
		List<Parameter> payloads = handler.parameters().stream().filter((each) -> !isContext(each)).toList();
		if (payloads.size() > 1) {
			throw handler.refused(
					"has two parameters for the payload, '%s' and '%s'".formatted(payloads.get(0).getName(),
							payloads.get(1).getName()),
					"Declare one payload parameter and, if needed, a JobContext; combine both values in a record.");
		}
		return payloads.isEmpty() ? null : of(payloads.get(0), handler);
	}

	private static PayloadParameter of(Parameter parameter, HandlerMethod handler) {
		return new PayloadParameter(parameter.getName(),
				GenericTypeResolver.resolveType(parameter.getParameterizedType(), handler.beanClass()),
				KotlinParameters.absence(parameter, handler.method()));
	}

	/** Returns whether a parameter takes the context of the attempt. */
	static boolean isContext(Parameter parameter) {
		return parameter.getType() == JobContext.class;
	}

	/**
	 * Returns the value for a payload.
	 * @throws PayloadConversionException if it cannot be mapped, or is required and
	 * absent
	 */
	@Nullable Object read(@Nullable String json, PayloadCodec codec, String jobType) {
		if (json == null && this.absence == Absence.DEFAULT) {
			return OMITTED;
		}
		Object value = codec.read(json, this.type, jobType);
		if (value == null && this.absence != Absence.NULL) {
			throw new PayloadConversionException(
					("A job of type '%s' has no payload, but its handler requires one: the parameter '%s' is not"
							+ " nullable")
						.formatted(jobType, this.name),
					null);
		}
		return value;
	}

	/** What a handler is given for a payload that is absent. */
	enum Absence {

		/** {@code null}, or what the codec returns instead. */
		NULL,

		/** The default value that Kotlin code declares. */
		DEFAULT,

		/** Nothing: the attempt fails. */
		ERROR

	}

}
