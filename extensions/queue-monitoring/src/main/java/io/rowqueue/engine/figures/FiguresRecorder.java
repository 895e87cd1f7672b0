package io.rowqueue.engine.figures;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/**
 * Adds what this process has counted to the tables once a minute, shortly after the
 * minute has ended by the database's clock. A process that is killed loses at most what
 * it counted in the last minute. Not thread-safe.
 */
public final class FiguresRecorder {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	/** One process in the cluster keeps the measurement of a minute. */
	private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(50);

	/** A process that begins to measure samples what it has measured itself. */
	private static final Duration NOTHING_MEASURED = Duration.ofMinutes(10);

	/** Processes do not all write at the same time. */
	private static final int MAX_DELAY_MILLIS = 4000;

	/** The worker registers in the background. */
	private static final Duration LOOK_FOR_WORKER = Duration.ofSeconds(2);

	private final Duration delay = Duration.ofMillis(ThreadLocalRandom.current().nextInt(500, MAX_DELAY_MILLIS));

	private final QueueDatabase database;

	private final FigureRights rights;

	private final JobTallies tallies;

	private final TallyStore store;

	private final GaugeStore gauges;

	private final ProcessStore processes;

	private final MaintenanceStore tasks;

	private final ProcessInfo process;

	private final Supplier<@Nullable Long> workerId;

	private final LongSupplier nanoTime;

	/** What could not be written. */
	private final Map<TallyKey, Counts> unwritten = new HashMap<>();

	private long writtenAt;

	private @Nullable Long reported;

	/** Whether the latest report says that jobs have run. */
	private boolean busy;

	private long nextWrite;

	private long nextSample;

	/**
	 * Creates the recorder.
	 * @param database runs each statement in a separate transaction
	 * @param rights whether the role may write figures
	 * @param tallies counts what this process does
	 * @param process what this process says of itself
	 * @param workerId the id of the worker of this process; {@code null} while it has
	 * none
	 */
	public FiguresRecorder(QueueDatabase database, FigureRights rights, JobTallies tallies, ProcessInfo process,
			Supplier<@Nullable Long> workerId) {
		this(database, rights, tallies, process, workerId, System::nanoTime);
	}

	FiguresRecorder(QueueDatabase database, FigureRights rights, JobTallies tallies, ProcessInfo process,
			Supplier<@Nullable Long> workerId, LongSupplier nanoTime) {
		this.database = database;
		this.rights = rights;
		this.tallies = tallies;
		this.store = new TallyStore(database);
		this.gauges = new GaugeStore(database);
		this.processes = new ProcessStore(database);
		this.tasks = new MaintenanceStore(database);
		this.process = process;
		this.workerId = workerId;
		this.nanoTime = nanoTime;
		this.writtenAt = nanoTime.getAsLong();
		this.nextWrite = this.writtenAt + MINUTE.toNanos();
		this.nextSample = this.writtenAt;
	}

	/** Returns the time until the next turn. */
	public Duration pause() {
		Duration left = Duration.ofNanos(Math.max(0, this.nextWrite - this.nanoTime.getAsLong()));
		return (this.reported == null && !this.rights.areMissing()) ? Times.shorter(left, LOOK_FOR_WORKER) : left;
	}

	/** Records what is due. */
	public void turn() {
		long now = this.nanoTime.getAsLong();
		Long worker = this.workerId.get();
		this.rights.use(() -> {
			if (worker != null && !worker.equals(this.reported)) {
				this.processes.report(worker, this.process, Counts.NONE, Duration.ZERO, ProcessLoad.now());
				if (this.reported != null) {
					this.processes.replaced(this.reported);
				}
				this.reported = worker;
				this.nextWrite = Math.min(this.nextWrite, now + untilNextMinute().toNanos());
			}
			if (now >= this.nextWrite) {
				boolean written = write();
				if (now >= this.nextSample && this.tasks.take("gauges", BETWEEN_SAMPLES) && !this.gauges.sample()) {
					this.nextSample = now + NOTHING_MEASURED.toNanos();
				}
				this.nextWrite = now + (written ? untilNextMinute() : MINUTE).toNanos();
			}
		});
		if (this.rights.areMissing()) {
			this.tallies.take();
			this.nextWrite = now + MINUTE.toNanos();
		}
	}

	/** Records the rest, when this process stops. */
	public void end() {
		this.rights.use(() -> {
			write();
			if (this.reported != null) {
				this.processes.stopped(this.reported);
			}
		});
	}

	/**
	 * Writes what was counted. A process that does nothing has reported that, and need
	 * not report it again.
	 * @return whether there was something to write
	 */
	private boolean write() {
		long now = this.nanoTime.getAsLong();
		Duration time = Duration.ofNanos(now - this.writtenAt);
		this.tallies.take().forEach((key, counts) -> this.unwritten.merge(key, counts, Counts::plus));
		boolean any = !this.unwritten.isEmpty();
		Counts all = this.unwritten.getOrDefault(new TallyKey(TallyKey.ALL, "", this.process.version()), Counts.NONE);
		if (any) {
			this.store.add(Map.copyOf(this.unwritten), Times.shorter(time, MINUTE).dividedBy(2));
			this.unwritten.clear();
		}
		this.writtenAt = now;
		boolean reports = any || this.busy;
		if (this.reported != null && reports) {
			this.processes.report(this.reported, this.process, all, time, ProcessLoad.now());
			this.busy = any;
		}
		return reports;
	}

	private Duration untilNextMinute() {
		long millis = Math.floorMod(this.database.now().toEpochMilli(), MINUTE.toMillis());
		return MINUTE.minusMillis(millis).plus(this.delay);
	}

}
