package io.pgqueue.autoconfigure.disabled;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import io.pgqueue.Job;
import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.UniqueKey;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The latest jobs of a {@link RecordingJobQueue}, without those that were rolled back.
 */
final class RecordedJobs {

	private final int maxJobs;

	private final TreeMap<Long, Recorded> jobs = new TreeMap<>();

	RecordedJobs(int maxJobs) {
		this.maxJobs = maxJobs;
	}

	void add(long id, JobRequest request, @Nullable String json) {
		synchronized (this) {
			this.jobs.put(id, new Recorded(request, json, Instant.now()));
			if (this.jobs.size() > this.maxJobs) {
				this.jobs.pollFirstEntry();
			}
		}
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					if (status == STATUS_ROLLED_BACK) {
						remove(id);
					}
				}

			});
		}
	}

	private synchronized void remove(long id) {
		this.jobs.remove(id);
	}

	synchronized void clear() {
		this.jobs.clear();
	}

	synchronized List<JobRequest> requests() {
		return this.jobs.values().stream().map(Recorded::request).toList();
	}

	synchronized Optional<Job> find(long id) {
		return Optional.ofNullable(this.jobs.get(id)).map((job) -> job.snapshot(id));
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

}
