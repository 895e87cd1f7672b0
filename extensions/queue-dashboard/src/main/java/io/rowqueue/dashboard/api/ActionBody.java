package io.rowqueue.dashboard.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What to do, as the body of a request says it.
 *
 * @param action what to do; empty if none was given
 * @param parameters the other fields, by name
 */
public record ActionBody(String action, Map<String, Object> parameters) {

	private static final String ACTION = "action";

	/** All fields that a body may have, and their types. */
	private static final Map<String, Class<?>> FIELDS = Map.ofEntries(Map.entry(ACTION, String.class),
			Map.entry("reason", String.class), Map.entry("delayMs", Number.class), Map.entry("priority", Number.class),
			Map.entry("step", String.class), Map.entry("limit", String.class), Map.entry("slots", String.class),
			Map.entry("revision", String.class), Map.entry("payload", String.class), Map.entry("from", String.class),
			Map.entry("until", String.class), Map.entry("again", Boolean.class), Map.entry("signal", String.class),
			Map.entry("weight", Number.class));

	private static final Map<Class<?>, String> TYPES = Map.of(String.class, "text", Number.class, "a whole number",
			Boolean.class, "true or false");

	/** Keeps the parameters in their order. */
	public ActionBody {
		parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
	}

	/** Creates a body without parameters. */
	public static ActionBody of(@Nullable String action) {
		return new ActionBody((action != null) ? action : "", Map.of());
	}

	/**
	 * Reads the body of a request.
	 * @throws io.rowqueue.dashboard.http.ProblemException if it has another field, or a
	 * field is of another type
	 */
	public static ActionBody of(ApiCall call) {
		Map<String, Object> parameters = new LinkedHashMap<>();
		Map<?, ?> fields = call.body(Map.class);
		fields.forEach((name, value) -> {
			String field = String.valueOf(name);
			Class<?> type = FIELDS.get(field);
			if (type == null) {
				throw Problem.invalid(field,
						"there is no such field; there are " + String.join(", ", new TreeSet<>(FIELDS.keySet())));
			}
			if (value != null) {
				check(field, type, value);
				parameters.put(field, value);
			}
		});
		Object action = parameters.remove(ACTION);
		return new ActionBody((action != null) ? action.toString() : "", parameters);
	}

	private static void check(String field, Class<?> type, Object value) {
		if (!type.isInstance(value) || value instanceof Double) {
			throw Problem.invalid(field, "must be " + TYPES.get(type));
		}
	}

	/**
	 * Returns the body with a parameter.
	 * @param value the value; {@code null}: the parameter is not given
	 */
	public ActionBody with(String parameter, @Nullable Object value) {
		if (value == null) {
			return this;
		}
		Map<String, Object> more = new LinkedHashMap<>(this.parameters);
		more.put(parameter, value);
		return new ActionBody(this.action, more);
	}

	/** Returns a parameter; {@code null}: it was not given. */
	public @Nullable String text(String parameter) {
		Object value = this.parameters.get(parameter);
		return (value != null) ? value.toString() : null;
	}

	/** Returns a parameter that the resource has found to be given. */
	public String required(String parameter) {
		String value = text(parameter);
		if (value == null) {
			throw Problem.invalid(parameter, "must be given");
		}
		return value;
	}

}
