package io.rowqueue.engine.finish;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.masking.SensitiveText;
import io.rowqueue.engine.attempt.FailureLog;
import io.rowqueue.engine.attempt.HeldJobs;
import io.rowqueue.engine.attempt.Judge;
import io.rowqueue.engine.attempt.ConnectionLoss;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.AttemptOutcome.Cancelled;
import io.rowqueue.engine.attempt.AttemptOutcome.Failed;
import io.rowqueue.engine.attempt.AttemptOutcome.PutBack;
import io.rowqueue.engine.attempt.AttemptOutcome.Released;
import io.rowqueue.engine.attempt.AttemptOutcome.Snoozed;
import io.rowqueue.engine.attempt.AttemptOutcome.Succeeded;
import io.rowqueue.engine.attempt.AttemptOutcome.Suspended;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.OutcomeStore;
import io.rowqueue.engine.lease.SuccessStore;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.dao.DataIntegrityViolationException;

/** The statements that write outcomes, one or a few for all of a kind. */
final class OutcomeStatements {

	private static final Logger logger = JobLog.logger();

	private final LeaseStore leases;

	private final SuccessStore successes;

	private final OutcomeStore outcomes;

	private final WaitStore waits;

	private final long workerId;

	private final JobListener listener;

	/** The jobs that waited for one of this batch. */
	private Arrivals.Builder released = new Arrivals.Builder();

	/** The jobs of this batch that have failed permanently. */
	private final Set<Long> failed = new HashSet<>();

	/** The leases of this batch that ended with a permanent failure. */
	private final Set<Lease> reported = new HashSet<>();

	private final FailureLog log = new FailureLog();

	/** Those whose statement has failed: they may have been written before. */
	private final Set<Lease> uncertain = new HashSet<>();

	/**
	 * Creates the statements.
	 * @param database the database as workers see it
	 * @param kept which succeeded jobs are kept
	 * @param listener notified of refusals, and of jobs that have failed permanently
	 */
	OutcomeStatements(QueueDatabase database, KeptJobs kept, long workerId, JobListener listener) {
		this.leases = new LeaseStore(database);
		this.successes = new SuccessStore(database, kept);
		this.outcomes = new OutcomeStore(database);
		this.waits = new WaitStore(database);
		this.workerId = workerId;
		this.listener = listener;
	}

	/** Writes them; if that fails, some may have been written all the same. */
	void write(List<AttemptOutcome> outcomes) {
		try {
			writeAll(outcomes);
		}
		catch (RuntimeException ex) {
			this.uncertain.addAll(leases(outcomes));
			throw ex;
		}
	}

	/**
	 * All is written that can be. Returns the jobs that waited for one of those that have
	 * ended.
	 */
	Arrivals.Builder end() {
		this.uncertain.clear();
		this.reported.clear();
		this.failed.clear();
		Arrivals.Builder arrivals = this.released;
		this.released = new Arrivals.Builder();
		return arrivals;
	}

	private void writeAll(List<AttemptOutcome> outcomes) {
		expireNoMore(outcomes);
		Map<Class<?>, List<AttemptOutcome>> byKind = byKind(outcomes);
		write(byKind, Succeeded.class, this::succeed);
		write(byKind, Failed.class, (failed) -> this.outcomes.fail(this.workerId,
				failed.stream().map(Failed::failure).toList(), this.failed::add));
		write(byKind, PutBack.class,
				(putBack) -> this.outcomes.putBack(this.workerId, putBack.stream().map(PutBack::snooze).toList()));
		write(byKind, Snoozed.class, this::snooze);
		write(byKind, Suspended.class, (suspended) -> this.waits.begin(this.workerId,
				suspended.stream().map(Suspended::begun).toList(), this.released::add));
		write(byKind, Cancelled.class, this::cancel);
		write(byKind, Released.class, (released) -> this.outcomes.release(this.workerId, leases(released)));
	}

	/**
	 * While the leases are held: an attempt that does not count leaves no sign in the row
	 * of its job, and such a job must not expire while it waits for the next one.
	 */
	private void expireNoMore(List<AttemptOutcome> outcomes) {
		@Nullable List<Lease> begun = null;
		for (AttemptOutcome outcome : outcomes) {
			if (!(outcome instanceof Succeeded) && outcome.job().keepsFromExpiring()) {
				begun = (begun != null) ? begun : new ArrayList<>();
				begun.add(outcome.lease());
			}
		}
		if (begun != null) {
			this.leases.expireNoMore(this.workerId, begun);
		}
	}

	/**
	 * Each is held until the latest time, before other workers claim more; by the holder
	 * of the lease only.
	 */
	private List<Long> snooze(List<Snoozed> jobs) {
		for (Snoozed job : jobs) {
			HeldJobs held = job.held();
			if (held != null) {
				hold(job, held);
			}
		}
		return this.outcomes.snooze(this.workerId, jobs.stream().map(Snoozed::snooze).toList());
	}

	/** A database whose encoding lacks a character of the reason gets it without that. */
	private void hold(Snoozed job, HeldJobs held) {
		try {
			this.outcomes.hold(this.workerId, job.snooze(), held.kind(), held.name(), held.reason());
		}
		catch (DataIntegrityViolationException ex) {
			String reason = held.reason();
			this.outcomes.hold(this.workerId, job.snooze(), held.kind(), held.name(),
					(reason != null) ? ErrorText.plain(reason) : null);
		}
	}

	private List<Long> succeed(List<Succeeded> jobs) {
		Map<Lease, String> results = new HashMap<>();
		for (Succeeded job : jobs) {
			if (job.result() != null) {
				results.put(job.lease(), job.result());
			}
		}
		return this.successes.succeed(this.workerId, leases(jobs), results, this.released::add);
	}

	private List<Long> cancel(List<Cancelled> jobs) {
		Map<Lease, @Nullable String> reasons = new LinkedHashMap<>();
		jobs.forEach((job) -> reasons.put(job.lease(), job.reason()));
		return this.outcomes.cancel(this.workerId, reasons);
	}

	private static Map<Class<?>, List<AttemptOutcome>> byKind(List<AttemptOutcome> outcomes) {
		Map<Class<?>, List<AttemptOutcome>> byKind = new HashMap<>();
		for (AttemptOutcome outcome : outcomes) {
			byKind.computeIfAbsent(outcome.getClass(), (kind) -> new ArrayList<>(outcomes.size())).add(outcome);
		}
		return byKind;
	}

	@SuppressWarnings("unchecked") // all outcomes of a list are of its kind
	private <O extends AttemptOutcome> void write(Map<Class<?>, List<AttemptOutcome>> byKind, Class<O> kind,
			Function<List<O>, List<Long>> statement) {
		List<O> batch = (List<O>) byKind.get(kind);
		if (batch == null) {
			return;
		}
		List<Long> ids = statement.apply(batch);
		if (ids.size() == batch.size()) {
			batch.forEach(this::written);
			return;
		}
		Set<Long> written = new HashSet<>(ids);
		for (O outcome : batch) {
			if (written.contains(outcome.lease().jobId())) {
				written(outcome);
			}
			else if (this.uncertain.contains(outcome.lease())) {
				writtenBefore(outcome);
			}
			else {
				refused(outcome);
			}
		}
	}

	/**
	 * Listeners are notified of a job that has failed permanently after that is
	 * committed.
	 */
	private void written(AttemptOutcome outcome) {
		if (!(outcome instanceof Failed failed) || !failed.isForGood()) {
			return;
		}
		if (!this.failed.contains(failed.lease().jobId())) {
			logger.info("{} has failed while it was to be cancelled: it is cancelled, and has not failed permanently",
					failed.job());
		}
		else if (this.reported.add(failed.lease())) {
			this.log.failedForGood(failed.job(), Objects.requireNonNull(failed.end().error()),
					failed.failure().group());
			this.listener.failed(failed.job().context(), failed.end());
		}
	}

	/** It may have been written by a statement whose answer was lost. */
	private void writtenBefore(AttemptOutcome outcome) {
		if (outcome instanceof Failed failed && failed.isForGood() && !this.reported.contains(failed.lease())
				&& this.outcomes.hasFailed(failed.lease())) {
			this.failed.add(failed.lease().jobId());
			written(failed);
		}
	}

	private void refused(AttemptOutcome outcome) {
		if (outcome.job().lostTransaction() == ConnectionLoss.AFTER_THE_HANDLER) {
			logger.info("{} is not run again: its transaction was committed although the response was lost, or another"
					+ " worker has recovered the job", outcome.job());
			return;
		}
		logger.warn("{} {}, but this outcome is rejected: worker {} no longer holds its lease", outcome.job(),
				outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT), this.workerId);
		this.listener.refused(outcome.job().context());
	}

	/** A database whose encoding lacks a character of an error gets it without that. */
	static Failed storable(AttemptOutcome outcome, DataIntegrityViolationException refusal) {
		if (outcome instanceof Failed failed) {
			String plain = ErrorText.plain(failed.failure().error());
			if (!plain.equals(failed.failure().error())) {
				return new Failed(failed.job(),
						new Failure(failed.lease(), plain, failed.failure().retryAfter(), failed.failure().group()),
						failed.end());
			}
		}
		logger.error("The outcome of {} cannot be stored; the attempt counts as failed", outcome.job(), refusal);
		// it may contain the row
		String error = outcome.job()
			.mask(SensitiveText.ERROR, "The outcome could not be stored: " + ErrorText.summary(refusal));
		return new Failed(outcome.job(), new Failure(outcome.lease(), ErrorText.plain(error), null),
				Judge.end(outcome.job(), AttemptEnd.Outcome.FAILED, refusal));
	}

	private static List<Lease> leases(Collection<? extends AttemptOutcome> outcomes) {
		return outcomes.stream().map(AttemptOutcome::lease).toList();
	}

}
