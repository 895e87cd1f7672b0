package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.measure.OpenBatchStore.OpenBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names batches that are open for a day although all their jobs have ended: most likely
 * the process that enqueued them failed before it closed them, and what waits for them
 * waits for ever. Whether more jobs are to come only the application knows, so none is
 * closed.
 */
public final class OpenBatchesTask extends PeriodicTask {

	private static final Duration ONE_DAY = Duration.ofDays(1);

	private static final int MAX_NAMES = 10;

	private static final Logger logger = LoggerFactory.getLogger(OpenBatchesTask.class);

	private final OpenBatchStore store;

	/**
	 * Creates the task.
	 * @param database runs each statement in a separate transaction
	 */
	public OpenBatchesTask(QueueDatabase database) {
		super("open_batches", ONE_DAY);
		this.store = new OpenBatchStore(database);
	}

	@Override
	public void run() {
		List<OpenBatch> batches = this.store.forgotten(ONE_DAY, MAX_NAMES);
		if (!batches.isEmpty()) {
			logger
				.warn("These batches have been open for more than a day, although all of their jobs have finished: {}. Jobs that wait for a"
						+ " batch run after JobQueue.closeBatch; FlowAdmin.cancelBatch cancels the batch and these jobs",
						batches.stream()
							.map((batch) -> "%s ('%s', of %s)".formatted(batch.id(), batch.name(), batch.createdAt()))
							.collect(Collectors.joining(", ")));
		}
	}

}
