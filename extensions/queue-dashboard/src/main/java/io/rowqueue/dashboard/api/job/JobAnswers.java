package io.rowqueue.dashboard.api.job;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobProgress;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.SearchProgress;
import io.rowqueue.admin.Verdict;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.PageInfo;
import io.rowqueue.dashboard.api.Views.WorkerRef;
import io.rowqueue.dashboard.api.Views;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** Jobs in lists. */
public final class JobAnswers {

	/** How much of a payload a list shows. */
	private static final int PREVIEW = 120;

	private JobAnswers() {
	}

	/** A page of jobs. */
	record Jobs(Instant at, List<Job> items, PageInfo page, @Nullable Searched searched) {

		public static Jobs of(Instant at, JobPage page, int size, Map<Long, String> workers, TextMasker masker,
				Map<Long, Explanation> verdicts) {
			boolean walked = page.searched().rows() > size + 1;
			return new Jobs(at,
					page.jobs()
						.stream()
						.map((job) -> Job.of(job, null, workers, masker).with(ListedVerdict.of(verdicts.get(job.id()))))
						.toList(),
					new PageInfo(page.next()), walked ? Searched.of(page.searched()) : null);
		}

	}

	/** How far a search came. */
	record Searched(@Nullable Instant until, long rows, boolean complete, @Nullable String because) {

		public static Searched of(SearchProgress progress) {
			return new Searched(progress.until(), progress.rows(), progress.complete(),
					(progress.because() != null) ? Views.label(progress.because()) : null);
		}

	}

	/** How many jobs there are. */
	record JobCount(Instant at, Count count) {

	}

	/** A job in a list; without a verdict in its details, which explain it. */
	public record Job(long id, String type, String queue, String state, int priority, int attempt,
			@Nullable Integer maxAttempts, Instant createdAt, Instant dueAt, @Nullable Instant startedAt,
			@Nullable Instant endedAt, @Nullable WorkerRef worker, @Nullable Text key, @Nullable Text limitKey,
			@Nullable Text error, @Nullable Text payload, @Nullable Progress progress, boolean cancelRequested,
			@Nullable ListedVerdict verdict) {

		Job with(@Nullable ListedVerdict known) {
			return new Job(this.id, this.type, this.queue, this.state, this.priority, this.attempt, this.maxAttempts,
					this.createdAt, this.dueAt, this.startedAt, this.endedAt, this.worker, this.key, this.limitKey,
					this.error, this.payload, this.progress, this.cancelRequested, known);
		}

		/** As the filter has it: a part of the scheduled ones. */
		private static String state(JobView job) {
			boolean retrying = job.state().equals(JobListState.SCHEDULED.label()) && job.attempt() > 0;
			return retrying ? JobListState.RETRYING.label() : job.state();
		}

		public static Job of(JobView job, @Nullable JobProgress progress, Map<Long, String> workers,
				TextMasker masker) {
			return new Job(job.id(), job.type(), job.queue(), state(job), job.priority(), job.attempt(),
					job.maxAttempts(), job.createdAt(), job.runAt(), job.startedAt(), job.finishedAt(),
					WorkerRef.of(job.workerId(), workers),
					Text.ofNullable(masker, SensitiveText.UNIQUE_KEY, job.uniqueKey()),
					Text.ofNullable(masker, SensitiveText.LIMIT_KEY, job.limitKey()),
					Text.ofNullable(masker, SensitiveText.ERROR, job.error()),
					Text.beginning(masker, SensitiveText.PAYLOAD, job.payload(), PREVIEW),
					(progress != null) ? Progress.of(progress, masker) : null, job.cancelRequested(), null);
		}

	}

	/** Why a job of a list waits; the time when it is due is in the list anyway. */
	record ListedVerdict(String code, String text) {

		public static @Nullable ListedVerdict of(@Nullable Explanation explanation) {
			if (explanation == null || explanation.verdict() == Verdict.NOT_DUE
					|| explanation.verdict() == Verdict.RETRY_LATER) {
				return null;
			}
			return new ListedVerdict(explanation.verdict().name(), switch (explanation.verdict()) {
				case BEHIND_OTHERS -> "Other jobs of its queue are claimed first.";
				case WORKERS_FULL -> "All slots of the workers that could run it are busy.";
				case CLAIMABLE -> "A worker claims it with its next query.";
				default -> firstSentence(explanation.summary());
			});
		}

		private static String firstSentence(String text) {
			int end = text.indexOf(". ");
			return (end < 0) ? text : text.substring(0, end + 1);
		}

	}

	/** How far a job is. */
	record Progress(long done, long total, @Nullable String message, Instant at) {

		public static Progress of(JobProgress progress, TextMasker masker) {
			return new Progress(progress.done(), progress.total(),
					masker.maskIfPresent(SensitiveText.PROGRESS, progress.message()), progress.at());
		}

	}

}
