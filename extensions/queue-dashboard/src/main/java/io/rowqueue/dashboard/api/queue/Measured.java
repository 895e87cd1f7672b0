package io.rowqueue.dashboard.api.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

	/** The queues that have jobs, and that are measured on their own. */
	Set<String> queues() {
		Set<String> names = new TreeSet<>();
		jobs((figure) -> !isOfOthers(figure)).forEach((figure) -> names.add(Objects.requireNonNull(figure.queue())));
		return names;
	}

	/**
	 * Whether a figure is that of all queues together which are not measured on their
	 * own.
	 */
	public static boolean isOfOthers(Figure figure) {
		return Figure.OTHER_QUEUES.equals(figure.queue());
	}

	/**
	 * The types of the waiting jobs of a queue; empty if not all of them are known.
	 */
	Set<String> waitingTypes(String queue) {
		Map<String, Long> types = new HashMap<>();
		unhandled().filter((figure) -> queue.equals(figure.queue()))
			.forEach((figure) -> types.put(Objects.requireNonNull(figure.state()), unhandled(figure).value()));
		named(Figure.JOBS_OF_TYPE).stream()
			.filter((figure) -> "queued".equals(figure.state()) && queue.equals(figure.queue())
					&& figure.text() != null)
			.forEach((figure) -> types.put(Objects.requireNonNull(figure.text()), Math.round(figure.value())));
		Count waiting = waiting(counts((figure) -> queue.equals(figure.queue())));
		boolean all = !waiting.kind().equals(Count.EXACT)
				|| types.values().stream().mapToLong(Long::longValue).sum() >= waiting.value();
		return all ? types.keySet() : Set.of();
	}

	/** The types of which no live worker can run the waiting jobs of a queue. */
	Set<String> unhandledTypes() {
		return unhandled().map((figure) -> Objects.requireNonNull(figure.state())).collect(Collectors.toSet());
	}

	/** How many jobs of a type wait in queues in which no live worker can run it. */
	public Count unhandled(String type) {
		Count jobs = unhandled().filter((figure) -> type.equals(figure.state()))
			.map(Measured::unhandled)
			.reduce(Count.exact(0), Count::plus);
		boolean all = unhandled().count() < MeasurementStore.MAX_UNHANDLED_TYPES;
		return (all || jobs.value() == 0) ? jobs : Count.atLeast(jobs.value());
	}

	private Stream<Figure> unhandled() {
		return named(Figure.UNHANDLED).stream().filter((figure) -> figure.text() != null);
	}

	private static Count unhandled(Figure figure) {
		long jobs = Long.parseLong(Objects.requireNonNull(figure.text()));
		return (jobs < MeasurementStore.MAX_UNHANDLED_JOBS) ? Count.exact(jobs) : Count.atLeast(jobs);
	}

	/** How many jobs there are by state; states without jobs are left out. */
	public Map<String, Count> counts(Predicate<Figure> which) {
		Map<String, Count> counts = new LinkedHashMap<>();
		jobs(which)
			.forEach((figure) -> counts.merge(Objects.requireNonNull(figure.state()), count(figure), Count::plus));
		return counts;
	}

	/**
	 * How many jobs of a type wait, run or have failed, by state: estimates where those
	 * of a queue are, and at least as many where not all queues or types are measured on
	 * their own.
	 */
	Map<String, Count> countsOfType(String type) {
		List<Figure> measured = named(Figure.JOBS_OF_TYPE);
		boolean all = jobs(Measured::isOfOthers).isEmpty() && measured.stream()
			.filter((figure) -> "queued".equals(figure.state()))
			.count() < MeasurementStore.MAX_TYPES;
		Map<String, Count> counts = new LinkedHashMap<>();
		measured.stream()
			.filter((figure) -> type.equals(figure.text()) && figure.state() != null && STATES.contains(figure.state())
					&& Math.round(figure.value()) > 0)
			.forEach((figure) -> {
				String state = Objects.requireNonNull(figure.state());
				long jobs = Math.round(figure.value());
				counts.merge(state, !isCountedByType(figure.queue(), state) ? Count.estimate(jobs)
						: all ? Count.exact(jobs) : Count.atLeast(jobs), Count::plus);
			});
		if (!all) {
			counts.merge("queued", Count.atLeast(unhandled(type).value()),
					(one, other) -> (one.value() < other.value()) ? other : one);
		}
		return counts;
	}

	private boolean isCountedByType(@Nullable String queue, String state) {
		Count ofQueue = counts((figure) -> Objects.equals(figure.queue(), queue)).getOrDefault(state, Count.exact(0));
		return ofQueue.kind().equals(Count.EXACT)
				&& (!state.equals("failed") || ofQueue.value() < MeasurementStore.MAX_FAILED_BY_TYPE);
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

	private static Count count(Figure figure) {
		long jobs = Math.round(figure.value());
		if (figure.text() == null) {
			return Count.exact(jobs);
		}
		return figure.text().equals(Figure.AT_LEAST) ? Count.atLeast(jobs) : Count.estimate(jobs);
	}

}
