package io.pgqueue.worker;

import io.pgqueue.store.Failure;
import io.pgqueue.store.Lease;

/** What became of an attempt, to be written down. */
sealed interface Outcome {

	ActiveJob job();

	default Lease lease() {
		return job().job().lease();
	}

	/** The handler returned. */
	record Succeeded(ActiveJob job) implements Outcome {
	}

	/** The handler threw. */
	record Failed(ActiveJob job, Failure failure) implements Outcome {
	}

	/** The attempt did not take place, or was broken off: somebody else may run it. */
	record Released(ActiveJob job) implements Outcome {
	}

}
