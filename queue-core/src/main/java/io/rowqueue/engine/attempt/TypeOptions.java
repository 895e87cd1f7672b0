package io.rowqueue.engine.attempt;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.Coalescing;
import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.handler.HandlerRegistry;
import org.jspecify.annotations.Nullable;

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
		return set(HandlerOptions::concurrency);
	}

	/** The types whose jobs run alone, as many at once as there are slots. */
	public Set<String> unlimited() {
		Set<String> unlimited = new HashSet<>(this.byType.keySet());
		unlimited.removeAll(concurrency().keySet());
		unlimited.removeAll(coalescing().keySet());
		return unlimited;
	}

	/** The types whose jobs are run together. */
	public Map<String, Coalescing> coalescing() {
		return set(HandlerOptions::coalescing);
	}

	/** How many jobs run together at most, for those types. */
	public Map<String, Integer> callSizes() {
		return set((options) -> (options.coalescing() != null) ? options.coalescing().maxJobs() : null);
	}

	/** The maximum number of attempts of jobs that do not define it, by type. */
	public Map<String, Integer> maxAttempts() {
		return set(HandlerOptions::maxAttempts);
	}

	private <T> Map<String, T> set(Function<HandlerOptions, @Nullable T> option) {
		Map<String, T> set = new HashMap<>();
		this.byType.forEach((type, options) -> {
			T value = option.apply(options);
			if (value != null) {
				set.put(type, value);
			}
		});
		return set;
	}

}
