package io.rowqueue.monitoring.autoconfigure.measurement;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.LogText;
import io.rowqueue.engine.support.Times;
import org.slf4j.Logger;

/**
 * Logs, once for each queue and type, when due jobs wait because no worker runs their
 * type, which may be misspelled, and when they no longer wait.
 */
class UnhandledTypes implements MeasurementObserver {

	private static final Logger logger = JobLog.logger();

	private static final int LONGEST_NAME = 200;

	/** By queue and type, whether it was logged. */
	private final Map<Waiting, Boolean> known = new LinkedHashMap<>();

	/**
	 * Logs types that two measurements in a row report: during a deployment jobs wait for
	 * a moment.
	 */
	@Override
	public void show(Measurement measurement) {
		Map<Waiting, Duration> found = new LinkedHashMap<>();
		if (measurement.total(Figure.WORKERS) > 0) {
			measurement.figures()
				.stream()
				.filter((figure) -> figure.name().equals(Figure.UNHANDLED))
				.forEach((figure) -> found.put(
						new Waiting(String.valueOf(figure.queue()), String.valueOf(figure.state())),
						Duration.ofSeconds((long) figure.value())));
		}
		// a list of this length is truncated: other types are unknown
		if (found.size() < MeasurementStore.MAX_UNHANDLED_TYPES) {
			forget(found);
		}
		found.forEach((waiting, age) -> {
			if (Boolean.FALSE.equals(this.known.get(waiting))) {
				logger
					.warn("No live worker has both a handler for the type '{}' and slots for the queue '{}': its first"
							+ " job has been due for {}. Start the application that runs this type, or check whether the type was"
							+ " misspelled or renamed", waiting.printableType(), waiting.printableQueue(),
							Times.readable(age));
			}
			this.known.put(waiting, this.known.containsKey(waiting));
		});
	}

	private void forget(Map<Waiting, Duration> found) {
		this.known.entrySet().removeIf((each) -> {
			boolean over = !found.containsKey(each.getKey());
			if (over && each.getValue()) {
				logger.info("Due jobs of the type '{}' in the queue '{}' no longer wait for a worker",
						each.getKey().printableType(), each.getKey().printableQueue());
			}
			return over;
		});
	}

	private record Waiting(String queue, String type) {

		String printableQueue() {
			return LogText.oneLine(this.queue, LONGEST_NAME);
		}

		String printableType() {
			return LogText.oneLine(this.type, LONGEST_NAME);
		}

	}

}
