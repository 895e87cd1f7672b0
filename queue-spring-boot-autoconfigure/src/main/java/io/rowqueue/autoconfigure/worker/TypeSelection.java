package io.rowqueue.autoconfigure.worker;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.autoconfigure.WorkerProperties.Types;
import io.rowqueue.engine.handler.HandlerRegistry;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.PatternMatchUtils;

/** Selects the handlers that this process runs, by the patterns of the properties. */
final class TypeSelection {

	private TypeSelection() {
	}

	/**
	 * Returns the selected handlers.
	 * @throws InvalidConfigurationPropertyValueException if a pattern matches no type: it
	 * may be misspelled, and jobs would wait, or run where they must not
	 */
	static HandlerRegistry of(HandlerRegistry handlers, Types types) {
		types.include().forEach((pattern) -> check("include", pattern, handlers.types()));
		types.exclude().forEach((pattern) -> check("exclude", pattern, handlers.types()));
		return handlers.only((type) -> (types.include().isEmpty() || matches(types.include(), type))
				&& !matches(types.exclude(), type));
	}

	private static boolean matches(List<String> patterns, String type) {
		return patterns.stream().anyMatch((pattern) -> PatternMatchUtils.simpleMatch(pattern, type));
	}

	private static void check(String property, String pattern, Set<String> handled) {
		if (handled.stream().noneMatch((type) -> matches(List.of(pattern), type))) {
			throw new InvalidConfigurationPropertyValueException("rowqueue.worker.types." + property, pattern,
					"It matches none of the types that this application has handlers for: "
							+ String.join(", ", new TreeSet<>(handled)));
		}
	}

}
