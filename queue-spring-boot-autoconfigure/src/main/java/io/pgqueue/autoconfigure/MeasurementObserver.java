package io.pgqueue.autoconfigure;

import io.pgqueue.store.Measurement;

/** Is shown each measurement, by one thread at a time. */
@FunctionalInterface
interface MeasurementObserver {

	void show(Measurement measurement);

}
