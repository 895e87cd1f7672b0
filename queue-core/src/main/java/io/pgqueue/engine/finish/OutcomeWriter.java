package io.pgqueue.engine.finish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.pgqueue.engine.attempt.Outcome;
import io.pgqueue.engine.attempt.Outcome.Cancelled;
import io.pgqueue.engine.attempt.ReportWriter;
import io.pgqueue.engine.lease.Lease;
import io.pgqueue.engine.lease.LeaseStore;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.listen.JobListener;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Writes outcomes, each fenced by its lease: one that is refused belongs to a job that
 * another worker has taken over.
 */
public final class OutcomeWriter {

	/** So many that fail for want of room, and no other one succeeds: there is none. */
	private static final int MAX_REFUSALS_WITHOUT_ROOM = 10;

	private final LeaseStore leases;

	private final long workerId;

	private final ReportWriter reports;

	private final Consumer<Arrivals> queuedAgain;

	private final JobEndings endings;

	private final StoreListener batches;

	private final Consumer<List<Outcome>> written;

	private final OutcomeStatements statements;

	private final UnaryOperator<List<Outcome>> leased;

	/**
	 * Creates a writer for jobs that were claimed.
	 * @param queuedAgain notified of the jobs that can run now
	 * @param endings notified of the jobs whose attempt has ended
	 * @param batches notified of batches
	 * @param listener notified of refusals; it must return at once
	 * @param written notified of each batch that is committed
	 */
	public OutcomeWriter(LeaseDatabase database, long workerId, Consumer<Arrivals> queuedAgain, JobEndings endings,
			StoreListener batches, JobListener listener, Consumer<List<Outcome>> written) {
		this(database, workerId, queuedAgain, endings, batches, listener, written, UnaryOperator.identity());
	}

	/**
	 * Creates a writer.
	 * @param queuedAgain notified of the jobs that can run now
	 * @param endings notified of the jobs whose attempt has ended
	 * @param batches notified of batches
	 * @param listener notified of refusals; it must return at once
	 * @param written notified of each batch that is committed
	 * @param leased sees to it that the jobs of a batch are leased in the database, and
	 * returns the outcomes to write
	 */
	public OutcomeWriter(LeaseDatabase database, long workerId, Consumer<Arrivals> queuedAgain, JobEndings endings,
			StoreListener batches, JobListener listener, Consumer<List<Outcome>> written,
			UnaryOperator<List<Outcome>> leased) {
		this.leased = leased;
		this.batches = batches;
		this.written = written;
		this.leases = database.leases();
		this.workerId = workerId;
		this.reports = new ReportWriter(this.leases, workerId);
		this.queuedAgain = queuedAgain;
		this.endings = endings;
		this.statements = new OutcomeStatements(database, workerId, listener);
	}

	/**
	 * Writes a batch. An outcome that cannot be written must not hold up the others,
	 * whatever the reason is; it throws only if none of them can be written now.
	 * @return those that could not be written
	 */
	public List<Unwritten> write(List<Outcome> ended) {
		long begin = System.nanoTime();
		List<Outcome> outcomes = this.leased.apply(ended);
		// while the lease is held
		this.reports.writeLast(outcomes.stream().map(Outcome::job).toList());
		List<Unwritten> unwritten = List.of();
		try {
			this.statements.write(outcomes);
		}
		catch (RuntimeException ex) {
			requireDatabase(ex);
			unwritten = writeApart(outcomes, ex);
		}
		report(without(outcomes, unwritten), begin);
		return unwritten;
	}

	/**
	 * Writes outcomes that could not be written before. Those whose jobs are still locked
	 * cost no time.
	 * @return those that could not be written this time either
	 */
	List<Unwritten> writeAgain(List<Outcome> outcomes) {
		long begin = System.nanoTime();
		List<Unwritten> unwritten = writeApart(outcomes, null);
		report(without(outcomes, unwritten), begin);
		return unwritten;
	}

	private static List<Outcome> without(List<Outcome> outcomes, List<Unwritten> unwritten) {
		if (unwritten.isEmpty()) {
			return outcomes;
		}
		Set<Lease> left = unwritten.stream().map((each) -> each.outcome().lease()).collect(Collectors.toSet());
		return outcomes.stream().filter((outcome) -> !left.contains(outcome.lease())).toList();
	}

	private void report(List<Outcome> outcomes, long begin) {
		if (!outcomes.isEmpty()) {
			this.batches.finished(outcomes.size(), Duration.ofNanos(System.nanoTime() - begin));
		}
		Arrivals.Builder arrivals = this.statements.end();
		for (Outcome outcome : outcomes) {
			this.endings.ended(outcome.lease().jobId());
			if (outcome instanceof Cancelled cancelled && cancelled.reason() != null) {
				this.batches.expired(outcome.job().queue(), outcome.job().type());
			}
			if (outcome.isQueuedAgain()) {
				arrivals.add(outcome.job().queue());
			}
		}
		this.queuedAgain.accept(arrivals.build());
		this.written.accept(outcomes);
	}

	/**
	 * Writes outcomes without those of jobs that another transaction has locked; and if
	 * that is not enough, each of them alone.
	 * @param error why they could not be written together; {@code null}: not tried yet
	 */
	private List<Unwritten> writeApart(List<Outcome> outcomes, @Nullable RuntimeException error) {
		Set<Long> locked = locked(outcomes, error);
		List<Unwritten> unwritten = new ArrayList<>();
		List<Outcome> free = new ArrayList<>();
		for (Outcome outcome : outcomes) {
			if (locked.contains(outcome.lease().jobId())) {
				unwritten.add(new Unwritten(outcome, null));
			}
			else {
				free.add(outcome);
			}
		}
		if (outcomes.size() == 1 && error != null) {
			free.forEach((outcome) -> replace(outcome, error, unwritten));
			requireRoom(error, unwritten.size() == 1);
		}
		else if ((error != null && locked.isEmpty()) || free.size() == 1 || !tryTogether(free)) {
			boolean written = writeEachAlone(free, unwritten);
			requireRoom(error, !written);
		}
		return unwritten;
	}

	/**
	 * Writes each alone, in any order: what there is no room for must not be the first
	 * again and again. Returns whether one was written.
	 */
	private boolean writeEachAlone(List<Outcome> outcomes, List<Unwritten> unwritten) {
		List<Outcome> shuffled = new ArrayList<>(outcomes);
		Collections.shuffle(shuffled);
		boolean written = false;
		int withoutRoom = 0;
		for (Outcome outcome : shuffled) {
			if (!written && withoutRoom >= MAX_REFUSALS_WITHOUT_ROOM) {
				// it would be the same
				unwritten.add(new Unwritten(outcome, latest(unwritten)));
			}
			else if (writeAlone(outcome, unwritten)) {
				written = true;
			}
			else if (isFull(latest(unwritten))) {
				withoutRoom++;
			}
		}
		return written;
	}

	private static @Nullable RuntimeException latest(List<Unwritten> unwritten) {
		return unwritten.get(unwritten.size() - 1).error();
	}

	/**
	 * If there is no room for any of those that were tried for the first time, it is most
	 * likely not because of them: all wait, and the log says once what for.
	 * @param error why they could not be written together; {@code null}: they are not
	 * tried for the first time
	 */
	private static void requireRoom(@Nullable RuntimeException error, boolean none) {
		if (error != null && none && isFull(error)) {
			throw error;
		}
	}

	private Set<Long> locked(List<Outcome> outcomes, @Nullable RuntimeException error) {
		try {
			return new HashSet<>(this.leases.locked(this.workerId, leases(outcomes)));
		}
		catch (RuntimeException ex) { // none can be written: the table is locked, say
			if (error != null) {
				error.addSuppressed(ex);
				throw error;
			}
			throw ex;
		}
	}

	private boolean tryTogether(List<Outcome> outcomes) {
		try {
			this.statements.write(outcomes);
			return true;
		}
		catch (RuntimeException ex) {
			requireDatabase(ex);
			return false;
		}
	}

	private boolean writeAlone(Outcome outcome, List<Unwritten> unwritten) {
		try {
			this.statements.write(List.of(outcome));
			return true;
		}
		catch (RuntimeException ex) {
			requireDatabase(ex);
			return replace(outcome, ex, unwritten);
		}
	}

	/**
	 * Writes that the attempt failed, if its outcome cannot be stored. Returns whether
	 * that could be written.
	 */
	private boolean replace(Outcome outcome, RuntimeException error, List<Unwritten> unwritten) {
		RuntimeException latest = error;
		if (error instanceof DataIntegrityViolationException refusal) {
			try {
				this.statements.write(List.of(OutcomeStatements.storable(outcome, refusal)));
				return true;
			}
			catch (RuntimeException ex) {
				requireDatabase(ex);
				latest = ex;
			}
		}
		unwritten.add(new Unwritten(outcome, isLocked(latest) ? null : latest));
		return false;
	}

	private static boolean isFull(@Nullable RuntimeException error) {
		return error != null && Outage.isFull(error);
	}

	/** It may be a row of another job that its end changes. */
	private static boolean isLocked(RuntimeException error) {
		return error instanceof ConcurrencyFailureException || Outage.isLocked(error);
	}

	/** If the database is away, the whole batch is written when it is back. */
	private static void requireDatabase(RuntimeException error) {
		if (Outage.isAway(error) && !isFull(error)) {
			throw error;
		}
	}

	private static List<Lease> leases(Collection<? extends Outcome> outcomes) {
		return outcomes.stream().map(Outcome::lease).toList();
	}

}
