package io.rowqueue.dashboard.api.health;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.support.Times;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;

/** Judges how the queue is, by the rules of the application's health. */
final class Checks {

	private static final Duration UNHANDLED = Duration.ofMinutes(1);

	/** More findings of a kind than these are one. */
	private static final int MAX_ALIKE = 3;

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
		oldest(snapshot.measured(), findings);
		unhandled(snapshot, findings);
		snapshot.pauses().forEach((pause) -> findings.add(paused(pause, masker)));
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

	/** Each queue has a finding, unless there are so many that they have one. */
	private void oldest(Measured measured, List<Finding> findings) {
		List<Figure> late = measured.named(Figure.OLDEST_AGE)
			.stream()
			.filter((figure) -> figure.queue() != null && seconds(figure).compareTo(this.thresholds.oldestAge()) > 0)
			.sorted(Comparator.comparingDouble(Figure::value).reversed())
			.toList();
		if (late.size() > MAX_ALIKE) {
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

	private static String queue(Figure figure) {
		return Measured.isOfOthers(figure) ? "one of the other queues" : "the queue " + figure.queue();
	}

	/**
	 * For a moment that is ordinary: a new version starts, or the old one has stopped.
	 */
	private static void unhandled(Snapshot snapshot, List<Finding> findings) {
		if (snapshot.workers().stream().map(WorkerView::deadAt).allMatch(Objects::nonNull)) {
			return;
		}
		List<Figure> unhandled = snapshot.measured()
			.named(Figure.UNHANDLED)
			.stream()
			.filter((figure) -> seconds(figure).compareTo(UNHANDLED) > 0)
			.toList();
		if (unhandled.size() > MAX_ALIKE) {
			String more = (unhandled.size() >= MeasurementStore.MAX_UNHANDLED_TYPES) ? " or more" : "";
			findings.add(
					Finding
						.of("unhandled", Finding.WARNING,
								"No worker has a handler for " + unhandled.size() + more
										+ " types of jobs in their queues",
								"Start processes that have them, or cancel the jobs.")
						.with(listed(unhandled, (figure) -> figure.state() + " in the queue " + figure.queue() + ": "
								+ Times.readable(seconds(figure))), "types"));
			return;
		}
		for (Figure figure : unhandled) {
			findings
				.add(Finding
					.of("unhandled:" + figure.queue() + ":" + figure.state(), Finding.WARNING,
							"No worker has a handler for the type " + figure.state() + " in the queue "
									+ figure.queue(),
							"Start a process that has one, or cancel the jobs.")
					.with("Its first job has been due for " + Times.readable(seconds(figure)) + ".",
							"jobs?" + query(Map.of("state", "queued", "type", String.valueOf(figure.state())))));
		}
	}

	private static String listed(List<Figure> figures, Function<Figure, String> words) {
		String first = figures.stream().limit(MAX_ALIKE).map(words).collect(Collectors.joining(", "));
		return first + " and " + (figures.size() - MAX_ALIKE) + " more.";
	}

	private static Finding paused(Pause pause, TextMasker masker) {
		String page = pause.kind().equals(Pause.QUEUE) ? "queues/" : "types/";
		boolean window = pause.window() != null;
		return Finding
			.of("paused:" + pause.kind() + ":" + pause.name(), Finding.INFO,
					"The " + pause.kind() + " " + pause.name()
							+ (window ? " waits for the window " + pause.window() : " is paused"),
					window ? "It goes on when the window opens." : "Resume it when the reason is gone.")
			.with(masker.maskIfPresent(SensitiveText.PAUSE_REASON, pause.reason()),
					page + PathNames.encode(pause.name()))
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
