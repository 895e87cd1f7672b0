package io.rowqueue.engine.history;

import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.history.CleanupStore.Checked;
import io.rowqueue.engine.maintenance.BatchTask;
import io.rowqueue.engine.maintenance.IndependentSteps;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Outage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.TransientDataAccessException;

/**
 * Creates partitions for the finished jobs of the next days, and deletes old data: whole
 * partitions, or rows in small batches. If the role cannot create or drop tables, nothing
 * is lost: finished jobs are stored in the default partition and deleted from there.
 */
public final class RetainTask extends BatchTask {

	private static final Duration INTERVAL = Duration.ofMinutes(10);

	private static final int DAYS_AHEAD = 3;

	private static final int ROWS_PER_BATCH = 5000;

	/** Of jobs that may have many rows each. */
	private static final int JOBS_PER_BATCH = 2000;

	/** Of each kind. */
	private static final int MAX_BATCHES_PER_RUN = 20;

	private static final Logger logger = LoggerFactory.getLogger(RetainTask.class);

	private final HistoryStore store;

	private final HistoryDeletion history;

	private final TypeRetentionStore types;

	private final Runnable declare;

	private Retention retention;

	private final CleanupStore cleanup;

	/** The last job that was checked, by table. */
	private final Map<String, Long> checkedUpTo = new HashMap<>();

	private boolean warned;

	/**
	 * Creates the task.
	 * @param database runs each statement in a separate transaction
	 * @param retention how long jobs are kept; what is declared for types is read at each
	 * run
	 * @param declare stores what the application declares for types, if it is not stored
	 */
	public RetainTask(QueueDatabase database, Retention retention, Runnable declare) {
		super("retain", INTERVAL);
		this.store = new HistoryStore(database);
		this.cleanup = new CleanupStore(database);
		this.retention = retention;
		this.history = new HistoryDeletion(this.store);
		this.types = new TypeRetentionStore(database);
		this.declare = declare;
	}

	@Override
	protected void runBatches() {
		this.declare.run();
		this.retention = this.retention.withTypes(this.types.list());
		List<String> tables = this.cleanup.jobTables();
		IndependentSteps parts = new IndependentSteps();
		parts.run(this::arrangeDays);
		parts.run(() -> left(!this.history.delete(this.retention, this.store.partitions(), MAX_BATCHES_PER_RUN)));
		Duration failed = this.retention.ages().failed();
		parts
			.run(() -> delete(() -> this.cleanup.deleteFailed(failed, this.retention.failedByQueue(), ROWS_PER_BATCH)));
		parts.run(() -> delete(() -> this.cleanup.deleteKeys(ROWS_PER_BATCH)));
		parts.run(() -> delete(() -> this.cleanup.deleteFailures(this.retention.longestFailed(), ROWS_PER_BATCH)));
		parts.run(() -> delete(() -> this.cleanup.deleteFlows(this.retention.longest(), ROWS_PER_BATCH)));
		parts.run(() -> delete(() -> this.cleanup.deleteBatches(this.retention.longest(), ROWS_PER_BATCH)));
		parts.run(() -> delete(() -> this.cleanup.deleteResults(this.retention.longest(), ROWS_PER_BATCH)));
		parts.run(() -> repeat(MAX_BATCHES_PER_RUN, this.cleanup::deleteOfParts));
		tables.forEach((table) -> parts.run(() -> walk(table)));
		parts.end();
	}

	/**
	 * Checks rows of a table from where the last run has ended, and begins again when it
	 * has reached the end. Rows to be kept are checked again then, but never all of them
	 * in one run; the next run follows soon if rows were deleted.
	 */
	private void walk(String table) {
		Long from = this.checkedUpTo.getOrDefault(table, 0L);
		boolean deleted = false;
		for (int i = 0; i < MAX_BATCHES_PER_RUN && from != null; i++) {
			Checked checked = this.cleanup.deleteOfJobs(table, from, JOBS_PER_BATCH);
			from = checked.last();
			deleted |= checked.deleted();
		}
		this.checkedUpTo.put(table, (from != null) ? from : 0);
		left(deleted && from != null);
	}

	private void arrangeDays() {
		LocalDate today = this.store.today();
		Duration longest = this.retention.longestFinished();
		LocalDate oldest = today.minusDays(longest.plusDays(1).minusNanos(1).toDays());
		Set<LocalDate> days = new HashSet<>();
		for (HistoryPartition partition : this.store.partitions()) {
			days.add(partition.day());
			if (partition.day().isBefore(oldest)) {
				attempt(() -> this.store.dropPartition(partition));
			}
		}
		for (int ahead = 0; ahead <= DAYS_AHEAD && !longest.isZero(); ahead++) {
			HistoryPartition partition = new HistoryPartition(today.plusDays(ahead));
			if (!days.contains(partition.day())) {
				attempt(() -> this.store.createPartition(partition));
			}
		}
	}

	private void attempt(Runnable change) {
		try {
			change.run();
		}
		catch (TransientDataAccessException ex) {
			logger.debug("The history is in use; its partitions are changed with the next run", ex);
		}
		catch (NonTransientDataAccessException ex) {
			if (Outage.isAway(ex)) {
				throw ex;
			}
			if (!this.warned) {
				this.warned = true;
				logger.warn("Cannot store finished jobs in a table for each day: {}. They are stored in the default "
						+ "partition and deleted row by row", ErrorText.summary(ex.getMostSpecificCause()));
			}
		}
	}

	private void delete(IntSupplier batch) {
		repeat(MAX_BATCHES_PER_RUN, () -> batch.getAsInt() == ROWS_PER_BATCH);
	}

}
