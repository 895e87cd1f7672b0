package io.rowqueue.engine.recovery;

import java.time.Duration;

import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.recovery.LeaseCheckStore.JobTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backstop of recovery: it reads the table of jobs for leases that recovery cannot
 * find, a part of it in each run, in small statements. The time determines which part, so
 * that the processes of a cluster need not agree on how far they came: with each
 * gigabyte, it takes up to ten minutes longer until such a lease is found.
 */
public final class LeaseCheckTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMinutes(10);

	/** 32 MB: some ten milliseconds, unless they come from a disk. */
	private static final int BLOCKS = 4096;

	/** A gigabyte. */
	private static final int MAX_STATEMENTS = 32;

	private static final Logger logger = LoggerFactory.getLogger(LeaseCheckTask.class);

	private final LeaseCheckStore store;

	private final int blocks;

	private final int maxStatements;

	/**
	 * Creates the task.
	 * @param store reads the jobs
	 */
	public LeaseCheckTask(LeaseCheckStore store) {
		this(store, BLOCKS, MAX_STATEMENTS);
	}

	/**
	 * Creates the task.
	 * @param store reads the jobs
	 * @param blocks how much of the table a statement reads
	 * @param maxStatements how many statements a run executes at most
	 */
	LeaseCheckTask(LeaseCheckStore store, int blocks, int maxStatements) {
		super("leases", INTERVAL);
		this.store = store;
		this.blocks = blocks;
		this.maxStatements = maxStatements;
	}

	@Override
	public void run() {
		JobTable table = this.store.table();
		look(table.now() / INTERVAL.toSeconds(), table.blocks());
	}

	/** Looks at one part of the table after the other, and then at the first again. */
	void look(long run, long size) {
		long part = (long) this.blocks * this.maxStatements;
		long from = run % Math.max(1, (size + part - 1) / part) * part;
		long end = Math.min(size, from + part);
		for (long block = from; block < end; block += this.blocks) {
			this.store.note(block, block + this.blocks)
				.forEach((leases) -> logger
					.warn("Jobs {} were leased to worker {}, and had no row of claim; they have one now, so that they"
							+ " are recovered if it is dead", leases.jobIds(), leases.workerId()));
		}
	}

}
