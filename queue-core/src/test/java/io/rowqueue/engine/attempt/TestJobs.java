package io.rowqueue.engine.attempt;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;

/** Jobs that no database knows. */
public final class TestJobs {

	private TestJobs() {
	}

	public static ActiveJob job(long id) {
		return job(id, 0);
	}

	public static ActiveJob job(long id, int priority) {
		return new ActiveJob(new ClaimedJob(new Lease(id, 1), "test", "default", priority, 1, null, 0, 0, 0, 0, false,
				null, false, null, null, 0), HandlerOptions.NONE.maxAttempts(3), priority);
	}

}
