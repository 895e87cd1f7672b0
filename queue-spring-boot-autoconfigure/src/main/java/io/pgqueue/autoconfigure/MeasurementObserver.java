package io.pgqueue.autoconfigure;

import io.pgqueue.engine.measure.Measurement;

/** Is shown each measurement, by one thread at a time. */
@FunctionalInterface
interface MeasurementObserver {

	void show(Measurement measurement);

}
