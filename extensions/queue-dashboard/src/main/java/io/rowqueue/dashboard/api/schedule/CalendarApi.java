package io.rowqueue.dashboard.api.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import org.jspecify.annotations.Nullable;

/** When windows are open and recurring jobs are due in the next days. */
public final class CalendarApi implements Resource {

	private static final int MAX_DAYS = 14;

	private static final int MAX_SCHEDULES = 200;

	/** Of all schedules together, so that the answer is small. */
	private static final int MAX_TIMES = 10_000;

	private static final int MIN_TIMES = 24;

	private static final int MAX_OPENINGS = 200;

	private final Reads reads;

	private final QueueReaders readers;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads schedules and windows
	 */
	public CalendarApi(Reads reads, QueueReaders readers) {
		this.reads = reads;
		this.readers = readers;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("calendar", this::calendar, "from", "days"));
	}

	private Calendar calendar(ApiCall call) {
		int days = (int) call.parameters().number("days", 7, 1, MAX_DAYS);
		Instant given = TimeParameters.optional(call.parameters(), "from");
		return this.reads.read((at) -> {
			Instant from = ((given != null) ? given : at).truncatedTo(ChronoUnit.SECONDS);
			Instant until = from.plus(Duration.ofDays(days));
			List<ScheduleStatus> schedules = this.readers.schedules()
				.list()
				.stream()
				.filter((each) -> each.nextRunAt() != null)
				.limit(MAX_SCHEDULES)
				.toList();
			int maxTimes = Math.max(MIN_TIMES, MAX_TIMES / Math.max(1, schedules.size()));
			return new Calendar(at, from, until,
					this.readers.windows().list().stream().map((each) -> WindowTimes.of(each, from, until)).toList(),
					schedules.stream().map((each) -> ScheduleTimes.of(each, from, until, maxTimes)).toList());
		});
	}

	/** Returns when a window is open within a time. */
	private static List<Window.Opening> openings(Window window, Instant from, Instant until) {
		List<Window.Opening> openings = new ArrayList<>();
		Window.Opening next = window.opening(from);
		while (next.from().isBefore(until) && openings.size() < MAX_OPENINGS) {
			openings.add(next);
			next = window.opening(next.until());
		}
		return openings;
	}

	record Calendar(Instant at, Instant from, Instant until, List<WindowTimes> windows, List<ScheduleTimes> schedules) {

	}

	/**
	 * A window.
	 *
	 * @param seconds when it opens and closes, in seconds after the beginning of the
	 * calendar, in turn
	 */
	record WindowTimes(String name, List<String> targets, List<Long> seconds) {

		static WindowTimes of(WindowStatus status, Instant from, Instant until) {
			TreeSet<String> targets = new TreeSet<>(status.window().queues());
			targets.addAll(status.window().types());
			targets.addAll(status.handlerTypes());
			List<Long> seconds = new ArrayList<>();
			for (Window.Opening opening : openings(status.window(), from, until)) {
				seconds.add(Duration.between(from, opening.from()).toSeconds());
				seconds.add(Duration.between(from, opening.until()).toSeconds());
			}
			return new WindowTimes(status.window().name(), List.copyOf(targets), seconds);
		}

	}

	/**
	 * A recurring job.
	 *
	 * @param seconds when it is due, in seconds after the beginning of the calendar
	 * @param complete whether these are all times
	 */
	record ScheduleTimes(String name, String type, String queue, String state, List<Long> seconds, boolean complete) {

		static ScheduleTimes of(ScheduleStatus status, Instant from, Instant until, int maxTimes) {
			List<Long> seconds = new ArrayList<>();
			@Nullable Instant due = status.next(from.minusNanos(1));
			while (due != null && due.isBefore(until) && seconds.size() < maxTimes) {
				seconds.add(Duration.between(from, due).toSeconds());
				due = status.next(due);
			}
			return new ScheduleTimes(status.name(), status.type(), status.queue(), Views.label(status.state()), seconds,
					due == null || !due.isBefore(until));
		}

	}

}
