package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.pgqueue.store.Failure;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.Lease;
import io.pgqueue.store.LeaseStore;
import io.pgqueue.support.ErrorText;
import io.pgqueue.wakeup.JobEndings;
import io.pgqueue.worker.Outcome.Cancelled;
import io.pgqueue.worker.Outcome.Failed;
import io.pgqueue.worker.Outcome.Released;
import io.pgqueue.worker.Outcome.Snoozed;
import io.pgqueue.worker.Outcome.Succeeded;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Writes outcomes, each fenced by its lease: one that is refused belongs to a job that
 * another worker has taken over.
 */
final class OutcomeWriter {

	private static final Logger logger = LoggerFactory.getLogger(OutcomeWriter.class);

	private final LeaseStore store;

	private final long workerId;

	private final ProgressWriter progress;

	private final Consumer<Collection<String>> queuedAgain;

	private final JobEndings endings;

	private final WorkerHooks hooks;

	/** The queues of jobs that waited for one of this batch. */
	private final Set<String> released = new HashSet<>();

	private final Consumer<List<Outcome>> written;

	/** The connection broke: some outcomes of this batch may have been written. */
	private boolean uncertain;

	/**
	 * Creates the writer.
	 * @param queuedAgain told of the queues that jobs have come back to
	 * @param endings told of the jobs whose attempt has ended
	 */
	OutcomeWriter(JobStore store, long workerId, Consumer<Collection<String>> queuedAgain, JobEndings endings) {
		this(store, workerId, queuedAgain, endings, WorkerHooks.NONE);
	}

	/**
	 * Creates a writer that others listen to.
	 * @param queuedAgain told of the queues that jobs have come back to
	 * @param endings told of the jobs whose attempt has ended
	 * @param hooks told of batches and refusals
	 */
	OutcomeWriter(JobStore store, long workerId, Consumer<Collection<String>> queuedAgain, JobEndings endings,
			WorkerHooks hooks) {
		this(store, workerId, queuedAgain, endings, hooks, (outcomes) -> {
		});
	}

	/**
	 * Creates a writer.
	 * @param queuedAgain told of the queues that jobs have come back to
	 * @param endings told of the jobs whose attempt has ended
	 * @param hooks told of batches and refusals
	 * @param written told of each batch that is committed
	 */
	OutcomeWriter(JobStore store, long workerId, Consumer<Collection<String>> queuedAgain, JobEndings endings,
			WorkerHooks hooks, Consumer<List<Outcome>> written) {
		this.hooks = hooks;
		this.written = written;
		this.store = store.leases();
		this.workerId = workerId;
		this.progress = new ProgressWriter(this.store, workerId);
		this.queuedAgain = queuedAgain;
		this.endings = endings;
	}

	/**
	 * Writes a batch. If one outcome cannot be stored, it must not hold up the others.
	 */
	void write(List<Outcome> outcomes) {
		long begin = System.nanoTime();
		this.progress.write(jobs(outcomes)); // while the lease is held
		try {
			writeTogether(outcomes);
		}
		catch (DataIntegrityViolationException ex) {
			this.uncertain = true; // those of earlier statements are written
			outcomes.forEach(this::writeAlone);
		}
		catch (RuntimeException ex) {
			this.uncertain = true;
			throw ex;
		}
		this.uncertain = false;
		if (!outcomes.isEmpty()) {
			this.hooks.store().finished(outcomes.size(), Duration.ofNanos(System.nanoTime() - begin));
		}
		Set<String> queuesToWake = new HashSet<>(this.released);
		this.released.clear();
		for (Outcome outcome : outcomes) {
			this.endings.ended(outcome.lease().jobId());
			if (outcome.isQueuedAgain()) {
				queuesToWake.add(outcome.job().queue());
			}
		}
		this.queuedAgain.accept(queuesToWake);
		this.written.accept(outcomes);
	}

	private static List<ActiveJob> jobs(List<Outcome> outcomes) {
		List<ActiveJob> jobs = new ArrayList<>(outcomes.size());
		for (Outcome outcome : outcomes) {
			jobs.add(outcome.job());
		}
		return jobs;
	}

	private void writeTogether(List<Outcome> outcomes) {
		write(outcomes, Succeeded.class, this::succeed);
		write(outcomes, Failed.class,
				(failed) -> this.store.fail(this.workerId, failed.stream().map(Failed::failure).toList()));
		write(outcomes, Snoozed.class,
				(snoozed) -> this.store.snooze(this.workerId, snoozed.stream().map(Snoozed::snooze).toList()));
		write(outcomes, Cancelled.class, (cancelled) -> this.store.cancel(this.workerId, leases(cancelled)));
		write(outcomes, Released.class, (released) -> this.store.release(this.workerId, leases(released)));
	}

	private List<Long> succeed(List<Succeeded> jobs) {
		Map<Lease, String> results = new LinkedHashMap<>();
		List<Lease> others = new ArrayList<>();
		for (Succeeded job : jobs) {
			if (job.result() != null) {
				results.put(job.lease(), job.result());
			}
			else {
				others.add(job.lease());
			}
		}
		List<Long> ended = others.isEmpty() ? new ArrayList<>()
				: this.store.succeed(this.workerId, others, this.released::add);
		ended.addAll(this.store.succeed(this.workerId, results, this.released::add));
		return ended;
	}

	private <O extends Outcome> void write(List<Outcome> outcomes, Class<O> kind,
			Function<List<O>, List<Long>> statement) {
		List<O> batch = new ArrayList<>();
		for (Outcome outcome : outcomes) {
			if (kind.isInstance(outcome)) {
				batch.add(kind.cast(outcome));
			}
		}
		List<Long> ids = batch.isEmpty() ? List.of() : statement.apply(batch);
		if (ids.size() == batch.size()) {
			return;
		}
		Set<Long> written = new HashSet<>(ids);
		for (O outcome : batch) {
			if (!written.contains(outcome.lease().jobId()) && !this.uncertain) {
				logger.warn("{} {}, but that does not count: its lease is no longer held by worker {}", outcome.job(),
						kind.getSimpleName().toLowerCase(Locale.ROOT), this.workerId);
				this.hooks.listener().refused(outcome.job());
			}
		}
	}

	private void writeAlone(Outcome outcome) {
		try {
			writeTogether(List.of(outcome));
		}
		catch (DataIntegrityViolationException ex) {
			this.store.fail(this.workerId, List.of(storable(outcome, ex)));
		}
	}

	/** A database whose encoding lacks a character of an error gets it without that. */
	private static Failure storable(Outcome outcome, DataIntegrityViolationException refusal) {
		if (outcome instanceof Failed failed) {
			String plain = ErrorText.plain(failed.failure().error());
			if (!plain.equals(failed.failure().error())) {
				return new Failure(failed.lease(), plain, failed.failure().retryAfter());
			}
		}
		logger.error("What became of {} cannot be stored; the attempt counts as failed", outcome.job(), refusal);
		String error = "The outcome could not be stored: " + ErrorText.summary(refusal);
		return new Failure(outcome.lease(), ErrorText.plain(error), null);
	}

	private static List<Lease> leases(Collection<? extends Outcome> outcomes) {
		return outcomes.stream().map(Outcome::lease).toList();
	}

}
