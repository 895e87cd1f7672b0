package io.rowqueue.test.recording;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.UniqueKey;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The latest jobs of a {@link RecordingJobQueue}, without changes that were rolled back.
 */
final class RecordedJobs {

	private final int maxJobs;

	private final TreeMap<Long, Recorded> jobs = new TreeMap<>();

	RecordedJobs(int maxJobs) {
		this.maxJobs = maxJobs;
	}

	/**
	 * Records a job, as a part of some work.
	 * @param call what the work has changed
	 */
	void put(long id, JobRequest request, @Nullable String json, Changes call) {
		call.add(id, put(id, new Recorded(request, json, Instant.now())));
	}

	/** Changes the request of a job, if it is recorded. */
	boolean change(long id, UnaryOperator<JobRequest> change) {
		Recorded job = get(id);
		if (job == null) {
			return false;
		}
		put(id, new Recorded(change.apply(job.request()), job.json(), job.at()));
		return true;
	}

	/** Forgets a job, if it is recorded. */
	boolean remove(long id) {
		return put(id, null) != null;
	}

	/** Changes all that some work changes, or nothing if it throws an exception. */
	<T> T atomically(Function<Changes, T> work) {
		Changes call = new Changes();
		try {
			return work.apply(call);
		}
		catch (RuntimeException | Error ex) {
			call.undo(this);
			throw ex;
		}
	}

	private @Nullable Recorded put(long id, @Nullable Recorded job) {
		Recorded before = set(id, job);
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			undo().add(id, before);
		}
		return before;
	}

	private synchronized @Nullable Recorded set(long id, @Nullable Recorded job) {
		Recorded before = (job != null) ? this.jobs.put(id, job) : this.jobs.remove(id);
		if (this.jobs.size() > this.maxJobs) {
			this.jobs.pollFirstEntry();
		}
		return before;
	}

	/** What a rollback restores: one for each transaction. */
	private Undo undo() {
		for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
			if (each instanceof Undo undo && undo.jobs == this) {
				return undo;
			}
		}
		Undo undo = new Undo(this);
		TransactionSynchronizationManager.registerSynchronization(undo);
		return undo;
	}

	synchronized void clear() {
		this.jobs.clear();
	}

	synchronized List<JobRequest> requests() {
		return this.jobs.values().stream().map(Recorded::request).toList();
	}

	Optional<Job> find(long id) {
		return Optional.ofNullable(get(id)).map((job) -> job.snapshot(id));
	}

	private synchronized @Nullable Recorded get(long id) {
		return this.jobs.get(id);
	}

	synchronized @Nullable Long idOf(String uniqueKey) {
		return this.jobs.entrySet()
			.stream()
			.filter((each) -> uniqueKey.equals(each.getValue().uniqueKey()))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

	private record Recorded(JobRequest request, @Nullable String json, Instant at) {

		@Nullable String uniqueKey() {
			UniqueKey unique = this.request.unique();
			return (unique != null) ? unique.value() : null;
		}

		Job snapshot(long id) {
			Instant due = Objects.requireNonNullElseGet(this.request.runAt(), () -> this.at.plus(this.request.delay()));
			return new Job(id, this.request.type(), this.request.queue(),
					due.isAfter(this.at) ? JobState.SCHEDULED : JobState.QUEUED, this.request.priority(), 0,
					this.request.maxAttempts(), due, this.at, null, null, uniqueKey(), null, this.json, null, null);
		}

	}

	/** What was recorded before some changes, by the ids of the changed jobs. */
	static final class Changes {

		private final Map<Long, Optional<Recorded>> before = new HashMap<>();

		private void add(long id, @Nullable Recorded job) {
			this.before.putIfAbsent(id, Optional.ofNullable(job));
		}

		private void undo(RecordedJobs jobs) {
			this.before.forEach((id, job) -> jobs.set(id, job.orElse(null)));
			this.before.clear();
		}

	}

	/**
	 * Restores what was recorded before a transaction that is rolled back, or since a
	 * savepoint.
	 */
	private static final class Undo implements TransactionSynchronization {

		private final RecordedJobs jobs;

		/** The latest first; each but the last one begins with a savepoint. */
		private final Deque<Changes> changes = new ArrayDeque<>(List.of(new Changes()));

		private final Deque<Object> savepoints = new ArrayDeque<>();

		Undo(RecordedJobs jobs) {
			this.jobs = jobs;
		}

		void add(long id, @Nullable Recorded before) {
			this.changes.getFirst().add(id, before);
		}

		@Override
		public void savepoint(Object savepoint) {
			this.savepoints.push(savepoint);
			this.changes.push(new Changes());
		}

		/** All changes came after a savepoint that is not known. */
		@Override
		public void savepointRollback(Object savepoint) {
			boolean known = this.savepoints.contains(savepoint);
			while (known && this.savepoints.getFirst() != savepoint) {
				this.savepoints.pop();
				this.changes.pop().undo(this.jobs);
			}
			if (known) {
				this.changes.getFirst().undo(this.jobs);
			}
			else {
				this.savepoints.clear();
				this.changes.forEach((each) -> each.undo(this.jobs));
			}
		}

		@Override
		public void afterCompletion(int status) {
			if (status == STATUS_ROLLED_BACK) {
				this.changes.forEach((each) -> each.undo(this.jobs));
			}
		}

	}

}
