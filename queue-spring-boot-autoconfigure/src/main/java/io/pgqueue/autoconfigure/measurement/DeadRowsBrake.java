package io.pgqueue.autoconfigure.measurement;

import io.pgqueue.engine.enqueue.BulkPace;
import io.pgqueue.engine.measure.Figure;
import io.pgqueue.engine.measure.Measurement;

/**
 * Slows bulk enqueues of this process down while an old snapshot keeps many dead rows
 * from being removed: each job that is run leaves more of them behind.
 */
class DeadRowsBrake implements MeasurementObserver {

	/** A snapshot of so many transactions ago is not the one of a short statement. */
	static final long OLD = 10_000;

	/** Claims take noticeably longer from about four times as many on. */
	static final long MANY = 250_000;

	private final BulkPace pace;

	DeadRowsBrake(BulkPace pace) {
		this.pace = pace;
	}

	@Override
	public void show(Measurement measurement) {
		double dead = measurement.total(Figure.DEAD_ROWS);
		Figure pin = measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(Figure.HORIZON_AGE) && figure.value() >= OLD)
			.findFirst()
			.orElse(null);
		if (pin != null && dead >= MANY) {
			this.pace.slowDown("a " + pin.state() + ", " + pin.text() + ", keeps " + (long) dead
					+ " dead rows of the table of jobs from being removed");
		}
		else {
			this.pace.speedUp();
		}
	}

}
