package io.rowqueue.engine.figures;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.BatchTask;
import io.rowqueue.engine.maintenance.IndependentSteps;

/**
 * Sums up the minutes of hours that have passed, records which processes have ended, and
 * deletes old figures in small batches.
 */
public final class FiguresTask extends BatchTask {

	private static final Duration INTERVAL = Duration.ofMinutes(5);

	private static final int ROWS_PER_BATCH = 5000;

	/** Further ones wait for the next run, so that other tasks are not delayed. */
	private static final int MAX_BATCHES_PER_RUN = 10;

	private final TallyStore tallies;

	private final GaugeStore gauges;

	private final ProcessStore processes;

	private final ErrorGroupStore errors;

	private final FigureRights rights;

	private final KeptFigures kept;

	/**
	 * Creates the task.
	 * @param database runs each statement in a separate transaction
	 * @param rights whether the role may write figures
	 * @param kept how long figures are kept
	 */
	public FiguresTask(QueueDatabase database, FigureRights rights, KeptFigures kept) {
		super("figures", INTERVAL);
		this.tallies = new TallyStore(database);
		this.gauges = new GaugeStore(database);
		this.processes = new ProcessStore(database);
		this.errors = new ErrorGroupStore(database);
		this.rights = rights;
		this.kept = kept;
	}

	@Override
	protected void runBatches() {
		this.rights.use(this::runSteps);
	}

	private void runSteps() {
		IndependentSteps steps = new IndependentSteps();
		steps.run(() -> fold(this.tallies::foldHour));
		steps.run(() -> fold(this.gauges::foldHour));
		steps.run(this.processes::markLost);
		steps.run(() -> delete(() -> this.tallies.deleteMinutes(this.kept.minutes(), ROWS_PER_BATCH)));
		steps.run(() -> delete(() -> this.tallies.deleteHours(this.kept.hours(), ROWS_PER_BATCH)));
		steps.run(() -> delete(() -> this.gauges.deleteMinutes(this.kept.minutes(), ROWS_PER_BATCH)));
		steps.run(() -> delete(() -> this.gauges.deleteHours(this.kept.hours(), ROWS_PER_BATCH)));
		steps.run(() -> delete(() -> this.processes.delete(this.kept.hours(), ROWS_PER_BATCH)));
		steps.run(() -> delete(() -> this.errors.delete(this.kept.hours(), ROWS_PER_BATCH)));
		steps.end();
	}

	private void fold(BooleanSupplier nextHour) {
		repeat(MAX_BATCHES_PER_RUN, nextHour);
	}

	private void delete(IntSupplier batch) {
		repeat(MAX_BATCHES_PER_RUN, () -> batch.getAsInt() == ROWS_PER_BATCH);
	}

	/**
	 * How long figures are kept.
	 *
	 * @param minutes those by minute
	 * @param hours those by hour, and the processes that ran
	 */
	public record KeptFigures(Duration minutes, Duration hours) {

	}

}
