package io.rowqueue.engine.control;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.control.CancelRequestStore.CancelRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.IndependentSteps;
import io.rowqueue.engine.maintenance.PeriodicTask;

/**
 * Cancels the jobs that a worker held when a transaction cancelled them. The transaction
 * itself does not lock their rows, since the ends of such jobs would wait for it.
 */
public final class CancelRequestTask extends PeriodicTask {

	private static final int REQUESTS_PER_BATCH = 500;

	private final CancelRequestStore store;

	/**
	 * Creates the task.
	 * @param database runs each statement in a separate transaction
	 */
	public CancelRequestTask(QueueDatabase database) {
		super("cancel_requests", Duration.ofMillis(250), CancelRequestStore.DUE);
		this.store = new CancelRequestStore(database);
	}

	@Override
	public void run() {
		IndependentSteps steps = new IndependentSteps();
		List<CancelRequest> requests;
		long after = 0;
		do {
			requests = this.store.next(after, REQUESTS_PER_BATCH);
			for (CancelRequest request : requests) {
				steps.run(() -> this.store.carryOut(request));
				after = request.id();
			}
		}
		while (requests.size() == REQUESTS_PER_BATCH);
		steps.end();
	}

}
