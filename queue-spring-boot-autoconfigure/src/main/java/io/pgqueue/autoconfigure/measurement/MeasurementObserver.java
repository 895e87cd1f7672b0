package io.pgqueue.autoconfigure.measurement;

import io.pgqueue.engine.measure.Measurement;

/** Is shown each measurement, by one thread at a time. */
@FunctionalInterface
public interface MeasurementObserver {

	void show(Measurement measurement);

}
