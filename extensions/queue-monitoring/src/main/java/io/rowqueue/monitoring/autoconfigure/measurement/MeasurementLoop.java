package io.rowqueue.monitoring.autoconfigure.measurement;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.AwakeOnly;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps the measurement of meters and health up to date, in the background: from one
 * interval after the start on, or from the first time that somebody asks for it. It also
 * runs in processes without a worker, which must report that there is no worker at all.
 */
public class MeasurementLoop implements SmartLifecycle, AwakeOnly {

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

	/** A measurement is mostly one of milliseconds. */
	private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

	private final Measurements measurements;

	private final Outage outage;

	private final List<MeasurementObserver> observers;

	private final boolean enabled;

	/** Whether the first pause is over, or was cut short. */
	private boolean begun;

	private @Nullable Loop loop;

	MeasurementLoop(Measurements measurements, Outage outage, List<MeasurementObserver> observers, boolean enabled) {
		this.measurements = measurements;
		this.outage = outage;
		this.observers = List.copyOf(observers);
		this.enabled = enabled;
	}

	private void turn() {
		if (this.begun || this.measurements.isRequested()) {
			refresh();
		}
		this.begun = true;
	}

	/** Called by one thread at a time. */
	void refresh() {
		this.measurements.refresh();
		this.measurements.latest()
			.ifPresent((measurement) -> this.observers.forEach((observer) -> observer.show(measurement)));
	}

	@Override
	public synchronized void start() {
		if (this.loop == null && this.enabled) {
			Duration interval = this.measurements.interval();
			Loop started = new Loop("rowqueue-measure", this.outage,
					(interval.compareTo(SHORTEST_PAUSE) > 0) ? interval : SHORTEST_PAUSE, this::turn);
			this.loop = started;
			this.measurements.onRequest(started::wake);
			started.start();
		}
	}

	@Override
	public synchronized void stop() {
		if (this.loop != null) {
			this.loop.stop();
			join(this.loop);
			this.loop = null;
		}
	}

	/** The pool, which is closed next, would break its connection and log that. */
	private static void join(Loop stopped) {
		try {
			stopped.join(LONGEST_STOP);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.loop != null;
	}

}
