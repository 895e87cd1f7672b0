package io.pgqueue.codec;

import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Says why Jackson refused a payload. Jackson's messages on reading quote the value that
 * they are about; payloads can be confidential and messages end in logs, so values are
 * left out. Names of properties and types stay.
 */
final class JacksonReason {

	/**
	 * Jackson puts values in quotes or parentheses, names in quotes after "property", and
	 * types in back ticks. Greedy, since a value can contain quotes too.
	 */
	private static final Pattern VALUE = Pattern.compile("(?<!property )([\"']).*\\1|(?<=value )\\(.*\\)",
			Pattern.DOTALL);

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
		if (ex instanceof UnrecognizedPropertyException || ex instanceof ValueInstantiationException) {
			return ex.getOriginalMessage() + at(ex);
		}
		return VALUE.matcher(ex.getOriginalMessage()).replaceAll("…") + at(ex);
	}

	/** What the payload's own constructor threw: its text is the application's choice. */
	static @Nullable Throwable applicationErrorOf(JacksonException ex) {
		return (ex instanceof ValueInstantiationException) ? ex.getCause() : null;
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

	/** The key of a map is content, not the name of a property. */
	private static boolean isOfMap(Reference step) {
		return step.from() instanceof Map || (step.from() instanceof Class<?> type && Map.class.isAssignableFrom(type));
	}

}
