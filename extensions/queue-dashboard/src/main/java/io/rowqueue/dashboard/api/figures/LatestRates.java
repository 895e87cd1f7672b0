package io.rowqueue.dashboard.api.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.rowqueue.engine.figures.FigureRange;
import io.rowqueue.engine.figures.Tally;
import io.rowqueue.engine.figures.TallyStore;

/**
 * What happened lately to the jobs of many queues or types. Processes write once a
 * minute, and pages ask every two seconds: the answers are kept in between.
 */
public final class LatestRates {

	private static final int MINUTES = 30;

	private static final int MAX_NAMES = 500;

	private static final Duration KEPT = Duration.ofSeconds(10);

	private final TallyStore tallies;

	private final Map<String, Kept> kept = new ConcurrentHashMap<>();

	public LatestRates(TallyStore tallies) {
		this.tallies = tallies;
	}

	/** Returns the rates of queues; those of which nothing is known are left out. */
	public Map<String, Rates> ofQueues(Collection<String> names, Instant at) {
		return rates("queues", names, at, (all, from) -> this.tallies.ofQueues(all, FigureRange.HOUR, from));
	}

	/** Returns the rates of types; those of which nothing is known are left out. */
	public Map<String, Rates> ofTypes(Collection<String> names, Instant at) {
		return rates("types", names, at, (all, from) -> this.tallies.ofTypes(all, FigureRange.HOUR, from));
	}

	/** Returns the rates of all jobs, under an empty name if anything is known. */
	public Map<String, Rates> ofAll(Instant at) {
		return rates("all", List.of(""), at, (all, from) -> this.tallies.ofAll(FigureRange.HOUR, from));
	}

	private Map<String, Rates> rates(String kind, Collection<String> names, Instant at,
			BiFunction<List<String>, Instant, List<Tally>> reading) {
		Set<String> asked = Set.copyOf(names);
		Kept before = this.kept.get(kind);
		if (before != null && before.names.equals(asked) && before.at.plus(KEPT).isAfter(at)) {
			return before.rates;
		}
		Buckets buckets = Buckets.ofMinutes(MINUTES, at);
		Map<String, List<Tally>> byName = new HashMap<>();
		reading.apply(names.stream().sorted().limit(MAX_NAMES).toList(), buckets.first())
			.forEach((tally) -> byName.computeIfAbsent(tally.name(), (name) -> new ArrayList<>()).add(tally));
		Map<String, Rates> rates = new HashMap<>();
		byName.forEach((name, tallies) -> rates.put(name, Rates.of(buckets.counts(tallies))));
		this.kept.put(kind, new Kept(asked, at, rates));
		return rates;
	}

	private record Kept(Set<String> names, Instant at, Map<String, Rates> rates) {

	}

}
