package io.rowqueue.dashboard.api.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.rowqueue.dashboard.api.Count;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.engine.measure.MeasurementStore;
import org.jspecify.annotations.Nullable;

/**
 * What was measured last, as the API shows it. Nothing is counted for the dashboard.
 *
 * @param at when; {@code null}: never
 * @param figures the numbers
 */
public record Measured(@Nullable Instant at, List<Figure> figures) {

	/** The states that the API knows; the measurement has others beside them. */
	private static final Set<String> STATES = Set.of("blocked", "scheduled", "queued", "starting", "running", "stuck",
			"failed");

	public static Measured of(Optional<Measurement> measurement, Instant now) {
		return measurement.map((each) -> new Measured(now.minus(each.age()), each.figures()))
			.orElseGet(() -> new Measured(null, List.of()));
	}

	/** The queues that have jobs. */
	Set<String> queues() {
		Set<String> names = new TreeSet<>();
		jobs((figure) -> true).forEach((figure) -> names.add(Objects.requireNonNull(figure.queue())));
		return names;
	}

	/** How many jobs there are by state; states without jobs are left out. */
	public Map<String, Count> counts(Predicate<Figure> which) {
		Map<String, Count> counts = new LinkedHashMap<>();
		jobs(which)
			.forEach((figure) -> counts.merge(Objects.requireNonNull(figure.state()), count(figure), Count::plus));
		return counts;
	}

	/** How many jobs of a queue wait for a worker. */
	public static Count waiting(Map<String, Count> counts) {
		return counts.getOrDefault("queued", Count.exact(0));
	}

	/** How long the oldest job has been due. */
	public @Nullable Long oldestMs(Predicate<Figure> which) {
		OptionalDouble oldest = named(Figure.OLDEST_AGE).stream().filter(which).mapToDouble(Figure::value).max();
		return oldest.isPresent() ? Long.valueOf(Duration.ofMillis((long) (oldest.getAsDouble() * 1000)).toMillis())
				: null;
	}

	/** The figures of a name. */
	public List<Figure> named(String name) {
		return this.figures.stream().filter((figure) -> figure.name().equals(name)).toList();
	}

	private List<Figure> jobs(Predicate<Figure> which) {
		return named(Figure.JOBS).stream()
			.filter((figure) -> figure.queue() != null && figure.state() != null && STATES.contains(figure.state()))
			.filter((figure) -> figure.value() > 0)
			.filter(which)
			.toList();
	}

	/** Beyond the number where counting stops it is an estimate. */
	private static Count count(Figure figure) {
		long jobs = Math.round(figure.value());
		return (jobs <= MeasurementStore.MAX_COUNT) ? Count.exact(jobs) : Count.estimate(jobs);
	}

}
