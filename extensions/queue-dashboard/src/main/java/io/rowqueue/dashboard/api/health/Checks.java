package io.rowqueue.dashboard.api.health;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rowqueue.admin.WorkerView;
import io.rowqueue.control.Pause;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.queue.Measured;
import io.rowqueue.dashboard.api.queue.QueuesApi.Snapshot;
import io.rowqueue.dashboard.http.PathNames;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.IndexTrouble;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.support.Times;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;

/** Judges how the queue is, by the rules of the application's health. */
final class Checks {

	private static final Duration UNHANDLED = Duration.ofMinutes(1);

	/** Findings that are alike are one: so many of what they concern are named. */
	private static final int MAX_NAMED = 3;

	private static final Comparator<Figure> LONGEST_FIRST = Comparator.comparingDouble(Figure::value).reversed();

	private final HealthThresholds thresholds;

	private final Duration staleAfter;

	Checks(HealthThresholds thresholds, Duration staleAfter) {
		this.thresholds = thresholds;
		this.staleAfter = staleAfter;
	}

	/** All checks, the worst first. */
	List<Finding> of(Snapshot snapshot, Instant now, TextMasker masker) {
		List<Finding> findings = new ArrayList<>();
		findings.add(measurement(snapshot.measured(), now));
		findings.add(workers(snapshot));
		findings.add(stuck(snapshot.measured()));
		findings.add(horizon(snapshot.measured(), masker));
		findings.add(indexes(snapshot.measured()));
		missingHandlers(snapshot, findings);
		oldest(snapshot, findings);
		paused(snapshot, masker, findings);
		findings.sort(Comparator.comparingInt(Finding::severity));
		return findings;
	}

	private Finding measurement(Measured measured, Instant now) {
		Instant at = measured.at();
		if (at == null) {
			return Finding.of("measurement", Finding.WARNING, "The queue has not been measured yet",
					"One process measures it for all; if this stays, look for errors of rowqueue-measure in the logs.");
		}
		Duration age = Duration.between(at, now);
		return (age.compareTo(this.staleAfter) > 0)
				? Finding.of("measurement", Finding.WARNING,
						"The queue has not been measured for " + Times.readable(age),
						"Look for errors of rowqueue-measure in the logs of the processes.")
				: Finding.ok("measurement", "The queue was measured lately");
	}

	private static Finding workers(Snapshot snapshot) {
		long living = snapshot.workers().stream().filter((worker) -> worker.deadAt() == null).count();
		Count waiting = Measured.waiting(snapshot.measured().counts((figure) -> true));
		if (living == 0) {
			return (waiting.value() > 0) ? Finding
				.of("workers", Finding.CRITICAL, "No worker is alive, and " + waiting.text() + " jobs wait for one",
						"Start a process whose rowqueue.worker.enabled is true.")
				.with(null, "workers")
					: Finding.of("workers", Finding.INFO, "No worker is alive",
							"Nothing waits; jobs will as soon as some are enqueued.");
		}
		long deaf = snapshot.workers()
			.stream()
			.filter((worker) -> worker.deadAt() == null && !worker.listening())
			.count();
		return (deaf > 0)
				? Finding
					.of("workers", Finding.WARNING, deaf + " of " + living + " workers receive no notifications",
							"They find jobs by polling. If a connection pooler is in between, set"
									+ " rowqueue.notifications.url to the address of the server itself.")
					.with(null, "workers")
				: Finding.ok("workers", (living == 1) ? "One worker is alive" : living + " workers are alive");
	}

	private Finding stuck(Measured measured) {
		Count stuck = measured.counts((figure) -> "stuck".equals(figure.state())).getOrDefault("stuck", Count.exact(0));
		return (stuck.value() >= this.thresholds.stuckJobs() && stuck.value() > 0) ? Finding
			.of("stuck", Finding.WARNING, stuck.text() + " jobs are held by workers that died",
					"Living workers take them over within seconds; if not, none has a handler for their types.")
			.with(null, "jobs?state=stuck") : Finding.ok("stuck", "No job is held by a worker that died");
	}

	private Finding horizon(Measured measured, TextMasker masker) {
		for (Figure figure : measured.named(Figure.HORIZON_AGE)) {
			if (figure.value() > this.thresholds.horizonAge()) {
				return Finding
					.of("horizon", Finding.WARNING,
							"A " + figure.state() + " has kept dead rows from being removed for "
									+ (long) figure.value() + " transactions",
							"End its transaction: claims get slower until then.")
					.with(masker.maskIfPresent(SensitiveText.APPLICATION_NAME, figure.text()), "health");
			}
		}
		return Finding.ok("horizon", "Nothing keeps dead rows from being removed");
	}

	private static Finding indexes(Measured measured) {
		List<IndexTrouble> found = measured.named(Figure.INDEX).stream().map(IndexTrouble::of).toList();
		return found.isEmpty() ? Finding.ok("indexes", "The indexes are in order") : Finding.of("indexes",
				Finding.WARNING,
				(found.size() == 1) ? found.get(0).description()
						: found.size() + " indexes are large, invalid or left over",
				"The command line names the remedies: rowqueue doctor. With rowqueue.indexes.rebuild=true, workers rebuild them in quiet times.")
			.with((found.size() == 1) ? null : listed(found, IndexTrouble::name), "health");
	}

	/**
	 * Queues that are late because nobody can run their first job are told of by the
	 * finding of its type, or by that of the workers; also those that it does not count.
	 */
	private void oldest(Snapshot snapshot, List<Finding> findings) {
		if (!isAnyAlive(snapshot)) {
			return;
		}
		List<Figure> unhandled = unhandled(snapshot);
		List<Figure> late = snapshot.measured()
			.named(Figure.OLDEST_AGE)
			.stream()
			.filter((figure) -> figure.queue() != null && seconds(figure).compareTo(this.thresholds.oldestAge()) > 0)
			.filter((figure) -> unhandled.stream().noneMatch((type) -> isFirstJobOf(type, figure)))
			.filter((figure) -> unhandled.size() < MeasurementStore.MAX_UNHANDLED_TYPES
					|| snapshot.isServed(String.valueOf(figure.queue())))
			.sorted(LONGEST_FIRST)
			.toList();
		if (late.size() > 1) {
			findings.add(Finding
				.of("oldest-age", Finding.WARNING,
						"The first jobs of " + late.size() + " queues have been due for up to "
								+ Times.readable(seconds(late.get(0))),
						"Open a queue: the lanes say whether workers run its types.")
				.with(listed(late, (figure) -> queue(figure) + ": " + Times.readable(seconds(figure))), "queues"));
			return;
		}
		for (Figure figure : late) {
			findings
				.add(Finding
					.of("oldest-age:" + figure.queue(), Finding.WARNING,
							"The first job of " + queue(figure) + " has been due for "
									+ Times.readable(seconds(figure)),
							"Open the job: it says what it waits for.")
					.with(null, (figure.text() != null) ? "jobs/" + PathNames.encode(figure.text()) : "queues"));
		}
	}

	/** The ages of a queue and of a type in it are measured one after the other. */
	private static boolean isFirstJobOf(Figure type, Figure queue) {
		return Objects.equals(type.queue(), queue.queue())
				&& seconds(type).plus(UNHANDLED).compareTo(seconds(queue)) > 0;
	}

	private static String queue(Figure figure) {
		return Measured.isOfOthers(figure) ? "one of the other queues" : "the queue " + figure.queue();
	}

	private static boolean isAnyAlive(Snapshot snapshot) {
		return snapshot.workers().stream().map(WorkerView::deadAt).anyMatch(Objects::isNull);
	}

	/**
	 * For a moment that is ordinary: a new version starts, or the old one has stopped.
	 */
	private static List<Figure> unhandled(Snapshot snapshot) {
		return !isAnyAlive(snapshot) ? List.of()
				: snapshot.measured()
					.named(Figure.UNHANDLED)
					.stream()
					.filter((figure) -> seconds(figure).compareTo(UNHANDLED) > 0)
					.sorted(LONGEST_FIRST)
					.toList();
	}

	/** A missing handler is one finding, in however many queues its jobs wait. */
	private static void missingHandlers(Snapshot snapshot, List<Finding> findings) {
		Map<String, List<Figure>> types = unhandled(snapshot).stream()
			.collect(Collectors.groupingBy((figure) -> String.valueOf(figure.state()), LinkedHashMap::new,
					Collectors.toList()));
		List<Figure> all = types.values().stream().flatMap(List::stream).toList();
		String more = (all.size() >= MeasurementStore.MAX_UNHANDLED_TYPES) ? " or more" : "";
		if (types.size() > 1) {
			findings.add(Finding
				.of("unhandled", Finding.WARNING,
						"No worker has a handler for " + types.size()
								+ ((types.size() < MeasurementStore.MAX_UNHANDLED_TYPES) ? "" : more)
								+ " types of jobs in their queues",
						"Start processes that have them, or cancel the jobs.")
				.with(listed(types.entrySet(), (type) -> type.getKey() + " in " + queues(type.getValue(), more)),
						"types"));
			return;
		}
		types
			.forEach((type,
					queues) -> findings.add(Finding.of("unhandled:" + type, Finding.WARNING,
							"No worker has a handler for the type " + type + " in " + queues(queues, more),
							"Start a process that has one, or cancel the jobs.")
						.with(snapshot.measured().unhandled(type).text() + " jobs wait for one, the first of them for "
								+ Times.readable(seconds(queues.get(0))) + ".",
								"jobs?" + query(Map.of("state", "queued", "type", type)))));
	}

	private static String queues(List<Figure> figures, String more) {
		return (figures.size() == 1) ? "the queue " + figures.get(0).queue() : figures.size() + more + " queues";
	}

	private static <T> String listed(Collection<T> alike, Function<T, String> words) {
		String first = alike.stream().limit(MAX_NAMED).map(words).collect(Collectors.joining(", "));
		int more = alike.size() - MAX_NAMED;
		return first + ((more > 0) ? " and " + more + " more." : ".");
	}

	private static void paused(Snapshot snapshot, TextMasker masker, List<Finding> findings) {
		for (String kind : List.of(Pause.QUEUE, Pause.TYPE)) {
			List<Pause> pauses = snapshot.pauses().stream().filter((pause) -> pause.kind().equals(kind)).toList();
			if (pauses.size() > MAX_NAMED) {
				findings.add(Finding
					.of("paused:" + kind, Finding.INFO,
							pauses.size() + " " + kind + "s are paused or wait for a window",
							"Resume them when the reason is gone; windows open by themselves.")
					.with(listed(pauses, Pause::name), kind + "s"));
			}
			else {
				pauses.forEach((pause) -> findings.add(paused(pause, masker)));
			}
		}
	}

	private static Finding paused(Pause pause, TextMasker masker) {
		boolean window = pause.window() != null;
		return Finding
			.of("paused:" + pause.kind() + ":" + pause.name(), Finding.INFO,
					"The " + pause.kind() + " " + pause.name()
							+ (window ? " waits for the window " + pause.window() : " is paused"),
					window ? "It goes on when the window opens." : "Resume it when the reason is gone.")
			.with(masker.maskIfPresent(SensitiveText.PAUSE_REASON, pause.reason()),
					pause.kind() + "s/" + PathNames.encode(pause.name()))
			.since(pause.pausedAt());
	}

	private static String query(Map<String, String> parameters) {
		List<String> pairs = new ArrayList<>();
		parameters.forEach((name, value) -> pairs.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
		pairs.sort(Comparator.naturalOrder());
		return String.join("&", pairs);
	}

	private static Duration seconds(Figure figure) {
		return Duration.ofMillis((long) (figure.value() * 1000));
	}

}
