package io.rowqueue.dashboard.api.figures;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import io.rowqueue.dashboard.api.FigureReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Parameters;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.figures.Counts;
import io.rowqueue.engine.figures.FigureRange;
import io.rowqueue.engine.figures.Gauge;
import io.rowqueue.engine.figures.GaugeStore;
import io.rowqueue.engine.figures.Tally;
import io.rowqueue.engine.measure.Figure;
import org.jspecify.annotations.Nullable;

/** Figures over time: of all jobs, of a queue or of a type. */
public final class FiguresApi implements Resource {

	private static final Map<String, FigureRange> RANGES = Map.of("1h", FigureRange.HOUR, "6h", FigureRange.SIX_HOURS,
			"24h", FigureRange.DAY, "7d", FigureRange.WEEK, "90d", FigureRange.QUARTER);

	private final Reads reads;

	private final FigureReaders figures;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param figures reads figures
	 */
	public FiguresApi(Reads reads, FigureReaders figures) {
		this.reads = reads;
		this.figures = figures;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("figures", this::figures, "range", "queue", "type"));
	}

	/** Returns the range that a call asks for. */
	static FigureRange range(Parameters parameters) {
		String name = parameters.one("range");
		FigureRange range = RANGES.get((name != null) ? name : "1h");
		if (range == null) {
			throw Problem.invalid("range", "must be 1h, 6h, 24h, 7d or 90d");
		}
		return range;
	}

	private Figures figures(ApiCall call) {
		FigureRange range = range(call.parameters());
		String queue = call.parameters().one("queue");
		String type = call.parameters().one("type");
		if (queue != null && type != null) {
			throw Problem.invalid("type", "goes without a queue");
		}
		return this.reads.read((at) -> {
			Buckets buckets = Buckets.of(range, at);
			Map<String, List<@Nullable Double>> series = counted(buckets, tallies(queue, type, range, buckets.first()),
					this.figures.gauges().read(GaugeStore.WORKERS, "", range, buckets.first()));
			if (type == null) {
				measured(series, buckets, (queue != null) ? queue : "", range);
			}
			return new Figures(at, buckets.step().toMillis(), buckets.times(), buckets.isLastUnfinished(), series,
					Mark.of(this.figures.processes(), buckets.first()));
		});
	}

	private List<Tally> tallies(@Nullable String queue, @Nullable String type, FigureRange range, Instant from) {
		if (queue != null) {
			return this.figures.tallies().ofQueues(List.of(queue), range, from);
		}
		return (type != null) ? this.figures.tallies().ofTypes(List.of(type), range, from)
				: this.figures.tallies().ofAll(range, from);
	}

	/** Where something was measured and nothing counted, there was nothing. */
	private static Map<String, List<@Nullable Double>> counted(Buckets buckets, List<Tally> tallies,
			List<Gauge> measurements) {
		List<@Nullable Counts> counts = new ArrayList<>(buckets.counts(tallies));
		List<@Nullable Double> measured = buckets.highest(measurements);
		for (int point = 0; point < counts.size(); point++) {
			if (counts.get(point) == null && measured.get(point) != null) {
				counts.set(point, Counts.NONE);
			}
		}
		Map<String, List<@Nullable Double>> series = new LinkedHashMap<>();
		Map<String, ToLongFunction<Counts>> rates = new LinkedHashMap<>();
		rates.put("enqueued", Counts::enqueued);
		rates.put("succeeded", Counts::succeeded);
		rates.put("retried", Counts::retried);
		rates.put("failed", Counts::failed);
		rates.put("cancelled", Counts::cancelled);
		rates.forEach((name, rate) -> series.put(name,
				points(counts, (point, each) -> rate.applyAsLong(each) / buckets.minutes(point))));
		Map<String, ToDoubleFunction<Counts>> times = new LinkedHashMap<>();
		times.put("wait.p50", (each) -> each.waits().percentile(0.5));
		times.put("wait.p95", (each) -> each.waits().percentile(0.95));
		times.put("run.p50", (each) -> each.runs().percentile(0.5));
		times.put("run.p95", (each) -> each.runs().percentile(0.95));
		times.forEach((name, time) -> series.put(name, points(counts, (point, each) -> {
			double millis = time.applyAsDouble(each);
			return (millis < 0) ? null : millis;
		})));
		return series;
	}

	/**
	 * What was measured of all queues or of one, which is not known where its jobs may
	 * have been measured together with those of others.
	 */
	private void measured(Map<String, List<@Nullable Double>> series, Buckets buckets, String queue,
			FigureRange range) {
		List<@Nullable Double> measured = buckets
			.highest(this.figures.gauges().read(GaugeStore.WORKERS, "", range, buckets.first()));
		List<Gauge> oldest = this.figures.gauges().read(GaugeStore.OLDEST_AGE, queue, range, buckets.first());
		List<Gauge> jobs = this.figures.gauges().read(GaugeStore.JOBS, queue, range, buckets.first());
		if (queue.isEmpty()) {
			for (String name : List.of(GaugeStore.DEAD_ROWS, GaugeStore.HORIZON_AGE)) {
				series.put(name, orZero(buckets.highest(this.figures.gauges().read(name, "", range, buckets.first())),
						measured, 1));
			}
		}
		else {
			List<@Nullable Double> others = buckets.highest(
					this.figures.gauges().read(GaugeStore.OLDEST_AGE, Figure.OTHER_QUEUES, range, buckets.first()));
			IntStream.range(0, others.size())
				.filter((point) -> others.get(point) != null)
				.forEach((point) -> measured.set(point, null));
		}
		series.put("oldest", orZero(buckets.highest(oldest), measured, 1000));
		series.put("waiting", orZero(
				buckets.highest(jobs.stream().filter((each) -> each.state().equals("queued")).toList()), measured, 1));
	}

	private static List<@Nullable Double> orZero(List<@Nullable Double> values, List<@Nullable Double> measured,
			double factor) {
		List<@Nullable Double> all = new ArrayList<>();
		for (int point = 0; point < values.size(); point++) {
			Double value = values.get(point);
			all.add((value != null) ? Double.valueOf(rounded(value * factor))
					: (measured.get(point) != null) ? Double.valueOf(0) : null);
		}
		return all;
	}

	private static List<@Nullable Double> points(List<@Nullable Counts> counts, PointValue value) {
		List<@Nullable Double> points = new ArrayList<>();
		IntStream.range(0, counts.size()).forEach((point) -> {
			Counts each = counts.get(point);
			Double number = (each != null) ? value.of(point, each) : null;
			points.add((number != null) ? Double.valueOf(rounded(number)) : null);
		});
		return points;
	}

	private static double rounded(double value) {
		return Math.round(value * 10) / 10.0;
	}

	private interface PointValue {

		@Nullable Double of(int point, Counts counts);

	}

	/**
	 * Figures over time.
	 *
	 * @param at when they were read
	 * @param intervalMs how long each point is
	 * @param times the beginning of each point
	 * @param unfinished whether the last point is not complete
	 * @param series the values by name; numbers of jobs are per minute, times in
	 * milliseconds
	 * @param marks when versions of the application started
	 */
	record Figures(Instant at, long intervalMs, List<Instant> times, boolean unfinished,
			Map<String, List<@Nullable Double>> series, List<Mark> marks) {

	}

}
