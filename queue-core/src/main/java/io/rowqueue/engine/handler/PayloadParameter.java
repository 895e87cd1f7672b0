package io.rowqueue.engine.handler;

import java.lang.reflect.Parameter;
import java.lang.reflect.Type;

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

	static PayloadParameter of(Parameter parameter, HandlerMethod handler) {
		return new PayloadParameter(parameter.getName(),
				GenericTypeResolver.resolveType(parameter.getParameterizedType(), handler.beanClass()),
				KotlinParameters.absence(parameter, handler.method()));
	}

	/** Returns the parameter of a handler, or {@code null} if it takes no payload. */
	static @Nullable PayloadParameter of(HandlerMethod handler) {
		return handler.parameters()
			.stream()
			.filter((parameter) -> parameter.getType() != JobContext.class)
			.findFirst()
			.map((parameter) -> of(parameter, handler))
			.orElse(null);
	}

	/**
	 * Returns the value for a payload.
	 * @throws PayloadConversionException if it cannot be mapped, or is required and
	 * absent
	 */
	@Nullable Object read(@Nullable String json, PayloadCodec codec, String jobType) {
		if (json == null && this.absence == Absence.DEFAULT) {
			return Argument.OMITTED;
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
