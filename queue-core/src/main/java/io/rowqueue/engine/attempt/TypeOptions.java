package io.rowqueue.engine.attempt;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rowqueue.Coalescing;
import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.handler.HandlerRegistry;

/**
 * How this worker runs the jobs of each type; nothing that it has a default for is open.
 */
public final class TypeOptions {

	private final Map<String, HandlerOptions> byType = new HashMap<>();

	private final HandlerOptions defaults;

	public TypeOptions(HandlerRegistry handlers, int maxAttempts) {
		this.defaults = HandlerOptions.NONE.maxAttempts(maxAttempts);
		handlers.types().forEach((type) -> this.byType.put(type, handlers.options(type).orElse(this.defaults)));
	}

	public HandlerOptions of(String type) {
		return this.byType.getOrDefault(type, this.defaults);
	}

	/** How many jobs run at once, for types that have a limit. */
	public Map<String, Integer> concurrency() {
		Map<String, Integer> limits = new HashMap<>();
		this.byType.forEach((type, options) -> {
			if (options.concurrency() != null) {
				limits.put(type, options.concurrency());
			}
		});
		return limits;
	}

	/** The types whose jobs run alone, as many at once as there are slots. */
	public List<String> unlimited() {
		return this.byType.entrySet()
			.stream()
			.filter((type) -> type.getValue().concurrency() == null && type.getValue().coalescing() == null)
			.map(Map.Entry::getKey)
			.toList();
	}

	/** The types whose jobs are run together. */
	public Map<String, Coalescing> coalescing() {
		Map<String, Coalescing> coalescing = new HashMap<>();
		this.byType.forEach((type, options) -> {
			if (options.coalescing() != null) {
				coalescing.put(type, options.coalescing());
			}
		});
		return coalescing;
	}

	/** How many jobs run together at most, for those types. */
	public Map<String, Integer> callSizes() {
		return coalescing().entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().maxJobs()));
	}

	/** The maximum number of attempts of jobs that do not define it, by type. */
	public Map<String, Integer> maxAttempts() {
		Map<String, Integer> attempts = new HashMap<>();
		this.byType.forEach((type, options) -> {
			if (options.maxAttempts() != null) {
				attempts.put(type, options.maxAttempts());
			}
		});
		return attempts;
	}

}
