package io.rowqueue.engine.codec;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Describes why Jackson rejected a payload. Jackson's own messages quote values, which
 * may be confidential and would appear in logs. The description contains the names of
 * properties and types, but no values.
 */
final class JacksonReason {

	/**
	 * Jackson puts values in quotes or parentheses, names in quotes after "property", and
	 * types in back ticks. The expression is greedy, since a value can contain quotes as
	 * well.
	 */
	private static final Pattern VALUE = Pattern.compile("(?<!property )([\"']).*\\1|(?<=value )\\(.*\\)",
			Pattern.DOTALL);

	/** A primitive type is given no value. */
	private static final String NULL = "Cannot map `null` into type";

	private JacksonReason() {
	}

	static String ofWriting(JacksonException ex) {
		return ex.getOriginalMessage() + at(ex);
	}

	static String ofReading(JacksonException ex) {
		if (ex instanceof InvalidFormatException format) {
			return "%s does not fit `%s`%s".formatted(kind(format.getValue()), format.getTargetType().getTypeName(),
					at(ex));
		}
		if (ex instanceof InputCoercionException coercion) {
			return "a number does not fit `%s`%s".formatted(coercion.getTargetType().getTypeName(), at(ex));
		}
		if (ex instanceof MismatchedInputException missing && missing.getTargetType() != null
				&& missing.getTargetType().isPrimitive() && missing.getOriginalMessage().startsWith(NULL)) {
			return "it is missing or null, but `%s` needs a value%s; declared as `%s`, it may be missing".formatted(
					missing.getTargetType(), at(ex),
					ClassUtils.resolvePrimitiveIfNecessary(missing.getTargetType()).getSimpleName());
		}
		if (ex instanceof InvalidDefinitionException definition && definition.getType().isAbstract()) {
			return "`%s` is abstract, and nothing says which class it is%s; annotate it with @JsonTypeInfo and, unless it is sealed, @JsonSubTypes"
				.formatted(definition.getType().getRawClass().getTypeName(), at(ex));
		}
		if (ex instanceof UnrecognizedPropertyException) {
			return ex.getOriginalMessage() + at(ex);
		}
		if (ex.getCause() != null && !(ex.getCause() instanceof JacksonException)) {
			return "%s was thrown%s".formatted(ex.getCause().getClass().getName(), at(ex));
		}
		return VALUE.matcher(ex.getOriginalMessage()).replaceAll("…") + at(ex);
	}

	/**
	 * The exception of a constructor or setter of the payload. Its message was chosen by
	 * the application; messages of the JDK quote values.
	 */
	static @Nullable Throwable applicationErrorOf(JacksonException ex) {
		if (ex.getCause() instanceof JacksonException || ex instanceof MismatchedInputException) {
			return null;
		}
		if (ex instanceof ValueInstantiationException instantiation) {
			return isOfJdk(instantiation.getType().getRawClass()) ? null : ex.getCause();
		}
		List<Reference> path = ex.getPath();
		return (path.isEmpty() || isOfJdk(typeOf(path.get(path.size() - 1)))) ? null : ex.getCause();
	}

	private static boolean isOfJdk(@Nullable Class<?> type) {
		return type == null || type.getName().startsWith("java");
	}

	private static @Nullable Class<?> typeOf(Reference step) {
		return (step.from() == null || step.from() instanceof Class<?>) ? (Class<?>) step.from()
				: step.from().getClass();
	}

	private static String kind(@Nullable Object value) {
		return (value != null) ? "a value of type " + value.getClass().getSimpleName() : "null";
	}

	private static String at(JacksonException ex) {
		StringBuilder path = new StringBuilder("$");
		for (Reference step : ex.getPath()) {
			if (step.getPropertyName() == null) {
				path.append('[').append(step.getIndex()).append(']');
			}
			else {
				path.append('.').append(isOfMap(step) ? "…" : step.getPropertyName());
			}
		}
		return (path.length() > 1) ? " (at " + path + ")" : "";
	}

	/** The key of a map is data, unlike the name of a property. */
	private static boolean isOfMap(Reference step) {
		return step.from() instanceof Map || (step.from() instanceof Class<?> type && Map.class.isAssignableFrom(type));
	}

}
