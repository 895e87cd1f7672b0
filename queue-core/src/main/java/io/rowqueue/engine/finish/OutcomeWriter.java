package io.rowqueue.engine.finish;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.AttemptOutcome.Cancelled;
import io.rowqueue.engine.attempt.ReportWriter;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.listen.JobListener;

/**
 * Writes outcomes, each fenced by its lease: one that is refused belongs to a job that
 * another worker has taken over.
 */
public final class OutcomeWriter {

	private final ReportWriter reports;

	private final CommittedEnds ends;

	private final StoreListener batches;

	private final Consumer<List<AttemptOutcome>> written;

	private final OutcomeStatements statements;

	private final BatchSplitter splitter;

	private final UnaryOperator<List<AttemptOutcome>> leased;

	/**
	 * Creates a writer.
	 * @param database the database as workers see it
	 * @param kept which succeeded jobs are kept
	 * @param ends notified of the ends that are committed
	 * @param batches notified of batches
	 * @param listener notified of refusals; it must return at once
	 * @param written notified of each batch that is committed
	 * @param leased sees to it that the jobs of a batch are leased in the database, and
	 * returns the outcomes to write
	 */
	public OutcomeWriter(QueueDatabase database, KeptJobs kept, long workerId, CommittedEnds ends,
			StoreListener batches, JobListener listener, Consumer<List<AttemptOutcome>> written,
			UnaryOperator<List<AttemptOutcome>> leased) {
		this.leased = leased;
		this.batches = batches;
		this.written = written;
		LeaseStore leases = new LeaseStore(database);
		this.reports = new ReportWriter(leases, workerId);
		this.ends = ends;
		this.statements = new OutcomeStatements(database, kept, workerId, listener);
		this.splitter = new BatchSplitter(leases, workerId, this.statements);
	}

	/**
	 * Writes a batch. An outcome that cannot be written must not hold up the others,
	 * whatever the reason is; it throws only if none of them can be written now.
	 * @return those that could not be written
	 */
	public List<UnwrittenOutcome> write(List<AttemptOutcome> ended) {
		long begin = System.nanoTime();
		List<AttemptOutcome> outcomes = this.leased.apply(ended);
		// while the lease is held
		this.reports.writeLast(outcomes.stream().map(AttemptOutcome::job).toList());
		List<UnwrittenOutcome> unwritten = List.of();
		try {
			this.statements.write(outcomes);
		}
		catch (RuntimeException ex) {
			Outage.requireDatabase(ex);
			unwritten = this.splitter.write(outcomes, ex);
		}
		report(without(outcomes, unwritten), begin);
		return unwritten;
	}

	/**
	 * Writes outcomes that could not be written before. Those whose jobs are still locked
	 * cost no time.
	 * @return those that could not be written this time either
	 */
	List<UnwrittenOutcome> writeAgain(List<AttemptOutcome> outcomes) {
		long begin = System.nanoTime();
		List<UnwrittenOutcome> unwritten = this.splitter.write(outcomes, null);
		report(without(outcomes, unwritten), begin);
		return unwritten;
	}

	private static List<AttemptOutcome> without(List<AttemptOutcome> outcomes, List<UnwrittenOutcome> unwritten) {
		if (unwritten.isEmpty()) {
			return outcomes;
		}
		Set<Lease> left = unwritten.stream().map((each) -> each.outcome().lease()).collect(Collectors.toSet());
		return outcomes.stream().filter((outcome) -> !left.contains(outcome.lease())).toList();
	}

	private void report(List<AttemptOutcome> outcomes, long begin) {
		if (!outcomes.isEmpty()) {
			this.batches.finished(outcomes.size(), Duration.ofNanos(System.nanoTime() - begin));
		}
		for (AttemptOutcome outcome : outcomes) {
			if (outcome instanceof Cancelled cancelled && cancelled.reason() != null) {
				this.batches.expired(outcome.job().queue(), outcome.job().type());
			}
		}
		this.ends.ended(outcomes, this.statements.end());
		this.written.accept(outcomes);
	}

}
