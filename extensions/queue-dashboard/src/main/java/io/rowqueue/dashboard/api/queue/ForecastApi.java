package io.rowqueue.dashboard.api.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongPredicate;

import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.figures.Buckets;
import io.rowqueue.dashboard.api.schedule.CalendarApi;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Parameters;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.figures.Counts;
import io.rowqueue.engine.figures.FigureRange;
import io.rowqueue.engine.figures.Gauge;
import io.rowqueue.engine.figures.GaugeStore;
import io.rowqueue.engine.figures.Tally;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import org.jspecify.annotations.Nullable;

/** When the waiting jobs of a queue will have started, also under other conditions. */
public final class ForecastApi implements Resource {

	private static final int MAX_SLOTS = 100_000;

	/** Arrivals and run times are those of the latest minutes. */
	private static final int LATEST = 10;

	private static final double MINUTE_MILLIS = 60_000;

	private final Reads reads;

	private final QueueReaders readers;

	private final QueuesApi queues;

	private final PriorityForecast priorities;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads the queue
	 * @param queues reads queues
	 */
	public ForecastApi(Reads reads, QueueReaders readers, QueuesApi queues) {
		this.reads = reads;
		this.readers = readers;
		this.queues = queues;
		this.priorities = new PriorityForecast(readers);
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("queues/{name}/forecast", this::forecast, "slots", "arrivals", "resume"));
	}

	/**
	 * The parameters change what is assumed: the number of slots, the arrivals in
	 * percent, and that a pause and windows end.
	 */
	private QueueForecast forecast(ApiCall call) {
		String name = call.name("name");
		Parameters parameters = call.parameters();
		QueuesApi.Snapshot snapshot = this.queues.snapshotWith(name);
		return this.reads.read((at) -> {
			QueuesApi.Queue queue = snapshot.queue(name, (kind, text) -> text);
			int slots = Objects.requireNonNullElse(queue.slots(), 0);
			int assumed = (int) parameters.number("slots", slots, 0, MAX_SLOTS);
			double arrivals = parameters.number("arrivals", 100, 0, 10_000) / 100.0;
			boolean resumed = "true".equals(parameters.one("resume"));
			boolean paused = !resumed && queue.pause() != null && queue.pause().window() == null;
			Lately lately = lately(name, at);
			Limit limit = limit(snapshot, name);
			List<Double> seen = lately.seen()
				.stream()
				.map((started) -> (slots > 0) ? started * assumed / slots : started)
				.toList();
			Forecast.Given given = new Forecast.Given(queue.waiting().value(), lately.arrivalsPerMinute() * arrivals,
					lately.runMillis(), assumed, (limit != null) ? limit.concurrency() : null, ratePerMinute(limit),
					seen, paused ? (minute) -> false : resumed ? (minute) -> true : opening(name, at));
			return new QueueForecast(at, name, queue.waiting(), slots, assumed, paused, Forecast.of(given),
					this.priorities.levels(name, at, queue.waiting(), given));
		});
	}

	/**
	 * Jobs that statements enqueue are not counted: those that left or wait have arrived.
	 */
	private Lately lately(String queue, Instant at) {
		Buckets buckets = Buckets.of(FigureRange.HOUR, at);
		List<Tally> tallies = this.readers.figures()
			.tallies()
			.ofQueues(List.of(queue), FigureRange.HOUR, buckets.first());
		List<Gauge> waiting = this.readers.figures()
			.gauges()
			.read(GaugeStore.JOBS, queue, FigureRange.HOUR, buckets.first())
			.stream()
			.filter((gauge) -> gauge.state().equals("queued"))
			.toList();
		List<@Nullable Counts> counts = buckets.counts(tallies);
		List<@Nullable Double> backlog = buckets.highest(waiting);
		int first = Math.max(0, counts.size() - LATEST);
		Counts latest = counts.subList(first, counts.size())
			.stream()
			.filter(Objects::nonNull)
			.reduce(Counts.NONE, Counts::plus);
		double before = Objects.requireNonNullElse(backlog.get(first), 0.0);
		double now = Objects.requireNonNullElse(backlog.get(backlog.size() - 1), 0.0);
		double arrivals = Math.max((double) latest.enqueued(), latest.ended() + now - before) / LATEST;
		List<Double> seen = new ArrayList<>();
		for (int point = 0; point < counts.size(); point++) {
			Counts each = counts.get(point);
			Double waited = backlog.get(point);
			if (each != null && waited != null && waited > each.attempts()) {
				seen.add((double) each.attempts());
			}
		}
		return new Lately(Math.max(0, arrivals), latest.runs().mean(), seen.stream().sorted().toList());
	}

	private static @Nullable Limit limit(QueuesApi.Snapshot snapshot, String queue) {
		return snapshot.limits()
			.stream()
			.filter((limit) -> limit.kind() == LimitKind.QUEUE && limit.name().equals(queue))
			.findFirst()
			.map(LimitView::limit)
			.orElse(null);
	}

	private static @Nullable Double ratePerMinute(@Nullable Limit limit) {
		Limit.Rate rate = (limit != null) ? limit.rate() : null;
		return (rate != null) ? rate.jobs() * MINUTE_MILLIS / rate.period().toMillis() : null;
	}

	private LongPredicate opening(String queue, Instant at) {
		Optional<Window> window = this.readers.windows()
			.list()
			.stream()
			.map(WindowStatus::window)
			.filter((each) -> each.queues().contains(queue))
			.findFirst();
		if (window.isEmpty()) {
			return (minute) -> true;
		}
		List<Window.Opening> openings = CalendarApi.openings(window.get(), at, at.plus(Duration.ofDays(7)));
		return (minute) -> {
			Instant time = at.plus(Duration.ofMinutes(minute));
			return openings.stream().anyMatch((each) -> !time.isBefore(each.from()) && time.isBefore(each.until()));
		};
	}

	private record Lately(double arrivalsPerMinute, double runMillis, List<Double> seen) {

	}

	record QueueForecast(Instant at, String queue, Count waiting, int slots, int assumedSlots, boolean paused,
			Forecast forecast, List<PriorityLevel> levels) {

	}

	/**
	 * The jobs of a priority.
	 *
	 * @param priority the priority
	 * @param waiting how many of them wait
	 * @param minutes how long it takes until those that wait now have started, or
	 * {@code null} if that is more than a week
	 */
	record PriorityLevel(int priority, Count waiting, @Nullable Long minutes) {

	}

}
