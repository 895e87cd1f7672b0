package io.rowqueue.monitoring.autoconfigure.measurement;

import io.rowqueue.engine.measure.Measurement;

/** Is notified of each measurement, by one thread at a time. */
@FunctionalInterface
public interface MeasurementObserver {

	void show(Measurement measurement);

}
