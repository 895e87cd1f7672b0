package io.rowqueue.engine.finish;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.support.Outage;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Writes what can be written of a batch of outcomes that could not be written as a whole:
 * first all without those whose jobs another transaction has locked, and if that fails,
 * each of them alone. An outcome that cannot be stored is replaced by a failed attempt.
 * <p>
 * All methods throw the error of the database if none of the outcomes can be written now.
 */
final class BatchSplitter {

	/**
	 * After this number of outcomes in a row for which the disk has no space, the others
	 * are not tried.
	 */
	private static final int MAX_REFUSALS_WITHOUT_SPACE = 10;

	private final LeaseStore leases;

	private final long workerId;

	private final OutcomeStatements statements;

	/**
	 * Creates the splitter.
	 * @param leases finds out which jobs are locked
	 * @param workerId the worker whose outcomes are written
	 * @param statements writes outcomes
	 */
	BatchSplitter(LeaseStore leases, long workerId, OutcomeStatements statements) {
		this.leases = leases;
		this.workerId = workerId;
		this.statements = statements;
	}

	/**
	 * Writes what can be written.
	 * @param error why the outcomes could not be written together; {@code null}: that was
	 * not tried yet
	 * @return those that could not be written
	 */
	List<UnwrittenOutcome> write(List<AttemptOutcome> outcomes, @Nullable RuntimeException error) {
		Set<Long> locked = locked(outcomes, error);
		List<UnwrittenOutcome> unwritten = new ArrayList<>();
		List<AttemptOutcome> free = new ArrayList<>();
		for (AttemptOutcome outcome : outcomes) {
			if (locked.contains(outcome.lease().jobId())) {
				unwritten.add(new UnwrittenOutcome(outcome, null));
			}
			else {
				free.add(outcome);
			}
		}
		if (outcomes.size() == 1 && error != null) {
			free.forEach((outcome) -> replace(outcome, error, unwritten));
			requireSpace(error, unwritten.size() == 1);
		}
		else if ((error != null && locked.isEmpty()) || free.size() == 1 || !tryTogether(free)) {
			boolean written = writeEachAlone(free, unwritten);
			requireSpace(error, !written);
		}
		return unwritten;
	}

	private Set<Long> locked(List<AttemptOutcome> outcomes, @Nullable RuntimeException error) {
		try {
			return new HashSet<>(
					this.leases.locked(this.workerId, outcomes.stream().map(AttemptOutcome::lease).toList()));
		}
		catch (RuntimeException ex) { // none can be written: the table is locked, say
			if (error != null) {
				error.addSuppressed(ex);
				throw error;
			}
			throw ex;
		}
	}

	private boolean tryTogether(List<AttemptOutcome> outcomes) {
		try {
			this.statements.write(outcomes);
			return true;
		}
		catch (RuntimeException ex) {
			Outage.requireDatabase(ex);
			return false;
		}
	}

	/**
	 * Writes each outcome alone, in random order, so that one that finds no space is not
	 * the first one each time. Returns whether at least one was written.
	 */
	private boolean writeEachAlone(List<AttemptOutcome> outcomes, List<UnwrittenOutcome> unwritten) {
		List<AttemptOutcome> shuffled = new ArrayList<>(outcomes);
		Collections.shuffle(shuffled);
		boolean written = false;
		int withoutSpace = 0;
		for (AttemptOutcome outcome : shuffled) {
			if (!written && withoutSpace >= MAX_REFUSALS_WITHOUT_SPACE) {
				unwritten.add(new UnwrittenOutcome(outcome, latest(unwritten)));
			}
			else if (writeAlone(outcome, unwritten)) {
				written = true;
			}
			else if (isFull(latest(unwritten))) {
				withoutSpace++;
			}
		}
		return written;
	}

	private boolean writeAlone(AttemptOutcome outcome, List<UnwrittenOutcome> unwritten) {
		try {
			this.statements.write(List.of(outcome));
			return true;
		}
		catch (RuntimeException ex) {
			Outage.requireDatabase(ex);
			return replace(outcome, ex, unwritten);
		}
	}

	/**
	 * Writes that the attempt has failed, if PostgreSQL cannot store its outcome. Returns
	 * whether that was written.
	 */
	private boolean replace(AttemptOutcome outcome, RuntimeException error, List<UnwrittenOutcome> unwritten) {
		RuntimeException latest = error;
		if (error instanceof DataIntegrityViolationException refusal) {
			try {
				this.statements.write(List.of(OutcomeStatements.storable(outcome, refusal)));
				return true;
			}
			catch (RuntimeException ex) {
				Outage.requireDatabase(ex);
				latest = ex;
			}
		}
		// the locked row may also be one of another job that the end of this one changes
		unwritten.add(new UnwrittenOutcome(outcome, Outage.isConflict(latest) ? null : latest));
		return false;
	}

	/**
	 * Throws the error if no outcome found space: the cause is most likely the disk and
	 * not the outcomes. All of them wait then, and the log names the cause once.
	 * @param error why the outcomes could not be written together; {@code null}: they
	 * were tried before
	 */
	private static void requireSpace(@Nullable RuntimeException error, boolean none) {
		if (error != null && none && isFull(error)) {
			throw error;
		}
	}

	private static @Nullable RuntimeException latest(List<UnwrittenOutcome> unwritten) {
		return unwritten.get(unwritten.size() - 1).error();
	}

	private static boolean isFull(@Nullable RuntimeException error) {
		return error != null && Outage.isFull(error);
	}

}
