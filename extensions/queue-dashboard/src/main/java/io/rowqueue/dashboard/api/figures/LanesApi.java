package io.rowqueue.dashboard.api.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views.Lane;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.figures.FigureRange;
import io.rowqueue.engine.figures.Gauge;
import io.rowqueue.engine.figures.GaugeStore;
import org.jspecify.annotations.Nullable;

/** How long the first jobs of each queue and type have been due in the last hour. */
public final class LanesApi implements Resource {

	private static final int MAX_LANES = 200;

	private final Reads reads;

	private final QueueReaders readers;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads the queue
	 */
	public LanesApi(Reads reads, QueueReaders readers) {
		this.reads = reads;
		this.readers = readers;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("lanes", (call) -> lanes()));
	}

	private Lanes lanes() {
		return this.reads.read((at) -> {
			Buckets buckets = Buckets.of(FigureRange.HOUR, at.plus(Duration.ofMinutes(1)));
			List<@Nullable Double> measured = buckets.highest(
					this.readers.figures().gauges().read(GaugeStore.WORKERS, "", FigureRange.HOUR, buckets.first()));
			Map<String, Map<String, List<Gauge>>> lanes = new TreeMap<>();
			this.readers.figures()
				.gauges()
				.agesOfTypes(buckets.first(), MAX_LANES)
				.forEach((gauge) -> lanes.computeIfAbsent(gauge.queue(), (queue) -> new TreeMap<>())
					.computeIfAbsent(gauge.state(), (type) -> new ArrayList<>())
					.add(gauge));
			List<LaneAges> rows = new ArrayList<>();
			lanes.forEach((queue, types) -> types.forEach(
					(type, gauges) -> rows.add(new LaneAges(queue, type, ages(buckets.highest(gauges), measured)))));
			rows.sort(Comparator.comparingLong(LaneAges::worst).reversed());
			return new Lanes(at, this.readers.overview().lanes().stream().map(Lane::of).toList(), buckets.times(),
					rows);
		});
	}

	private static List<@Nullable Long> ages(List<@Nullable Double> seconds, List<@Nullable Double> measured) {
		List<@Nullable Long> ages = new ArrayList<>();
		for (int point = 0; point < seconds.size(); point++) {
			Double age = seconds.get(point);
			ages.add((age != null) ? Long.valueOf(Math.max(0, Math.round(age * 1000)))
					: (measured.get(point) != null) ? Long.valueOf(0) : null);
		}
		return ages;
	}

	/**
	 * The lanes.
	 *
	 * @param now the lanes with due jobs, the longest waiting first
	 * @param times the minutes of the last hour
	 * @param items the queues and types with due jobs in them
	 */
	record Lanes(Instant at, List<Lane> now, List<Instant> times, List<LaneAges> items) {

	}

	/**
	 * A queue and type.
	 *
	 * @param agesMs how long its first job had been due in each minute, 0 if none was,
	 * and {@code null} if that was not measured
	 */
	record LaneAges(String queue, String type, List<@Nullable Long> agesMs) {

		/** The latest ages decide what comes first. */
		long worst() {
			long worst = 0;
			for (int point = Math.max(0, this.agesMs.size() - 3); point < this.agesMs.size(); point++) {
				Long age = this.agesMs.get(point);
				worst = Math.max(worst, (age != null) ? age : 0);
			}
			return worst;
		}

	}

}
