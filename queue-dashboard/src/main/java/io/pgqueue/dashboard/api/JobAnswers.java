package io.pgqueue.dashboard.api;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.pgqueue.JobProgress;
import io.pgqueue.admin.Estimate;
import io.pgqueue.admin.Explanation;
import io.pgqueue.admin.JobDetails;
import io.pgqueue.admin.JobDetails.StoredText;
import io.pgqueue.admin.JobLogLine;
import io.pgqueue.admin.JobPage;
import io.pgqueue.admin.JobView;
import io.pgqueue.admin.SearchProgress;
import io.pgqueue.admin.Verdict;
import io.pgqueue.admin.masking.SensitiveText;
import io.pgqueue.admin.masking.TextMasker;
import io.pgqueue.dashboard.Level;
import io.pgqueue.dashboard.api.FlowsApi.PageInfo;
import io.pgqueue.dashboard.api.Views.JobRef;
import io.pgqueue.dashboard.api.Views.WorkerRef;
import org.jspecify.annotations.Nullable;

/** The answers of the resource of jobs. */
public final class JobAnswers {

	private JobAnswers() {
	}

	static @Nullable WorkerRef worker(@Nullable Long id, Map<Long, String> names) {
		return (id != null) ? new WorkerRef(id, names.get(id)) : null;
	}

	/** A page of jobs. */
	record Jobs(Instant at, List<Job> items, PageInfo page, @Nullable Searched searched) {

		static Jobs of(Instant at, JobPage page, int size, Map<Long, String> workers, TextMasker masker,
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

		static Searched of(SearchProgress progress) {
			return new Searched(progress.until(), progress.rows(), progress.complete(),
					(progress.because() != null) ? Views.label(progress.because()) : null);
		}

	}

	/** How many jobs there are. */
	record JobCount(Instant at, Count count) {

	}

	/** A job in a list; without a verdict in its details, which explain it. */
	record Job(long id, String type, String queue, String state, int priority, int attempt,
			@Nullable Integer maxAttempts, Instant createdAt, Instant dueAt, @Nullable Instant startedAt,
			@Nullable Instant endedAt, @Nullable WorkerRef worker, @Nullable Text key, @Nullable Text limitKey,
			@Nullable Text error, @Nullable Progress progress, boolean cancelRequested,
			@Nullable ListedVerdict verdict) {

		Job with(@Nullable ListedVerdict known) {
			return new Job(this.id, this.type, this.queue, this.state, this.priority, this.attempt, this.maxAttempts,
					this.createdAt, this.dueAt, this.startedAt, this.endedAt, this.worker, this.key, this.limitKey,
					this.error, this.progress, this.cancelRequested, known);
		}

		static Job of(JobView job, @Nullable JobProgress progress, Map<Long, String> workers, TextMasker masker) {
			return new Job(job.id(), job.type(), job.queue(), job.state(), job.priority(), job.attempt(),
					job.maxAttempts(), job.createdAt(), job.runAt(), job.startedAt(), job.finishedAt(),
					JobAnswers.worker(job.workerId(), workers),
					Text.ofNullable(masker, SensitiveText.UNIQUE_KEY, job.uniqueKey()),
					Text.ofNullable(masker, SensitiveText.LIMIT_KEY, job.limitKey()),
					Text.ofNullable(masker, SensitiveText.ERROR, job.error()),
					(progress != null) ? Progress.of(progress, masker) : null, job.cancelRequested(), null);
		}

	}

	/** Why a job of a list waits; the time when it is due is in the list anyway. */
	record ListedVerdict(String code, String text, @Nullable Long etaMs) {

		static @Nullable ListedVerdict of(@Nullable Explanation explanation) {
			if (explanation == null || explanation.verdict() == Verdict.NOT_DUE
					|| explanation.verdict() == Verdict.RETRY_LATER) {
				return null;
			}
			return new ListedVerdict(explanation.verdict().name(), switch (explanation.verdict()) {
				case BEHIND_OTHERS -> "Other jobs of its queue are claimed first.";
				case WORKERS_FULL -> "All slots of the workers that could run it are busy.";
				case CLAIMABLE -> "A worker claims it with its next query.";
				default -> firstSentence(explanation.summary());
			}, eta(explanation.estimate().earliest()));
		}

		private static @Nullable Long eta(@Nullable Duration earliest) {
			return (earliest != null && !earliest.isZero()) ? earliest.toMillis() : null;
		}

		private static String firstSentence(String text) {
			int end = text.indexOf(". ");
			return (end < 0) ? text : text.substring(0, end + 1);
		}

	}

	/** How far a job is. */
	record Progress(long done, long total, @Nullable String message, Instant at) {

		static Progress of(JobProgress progress, TextMasker masker) {
			return new Progress(progress.done(), progress.total(),
					masker.maskIfPresent(SensitiveText.PROGRESS, progress.message()), progress.at());
		}

	}

	/** One job. */
	record Detail(Instant at, Job job, String revision, Explained explanation, List<String> actions, Related related,
			boolean hasPayload, boolean hasResult, @Nullable Instant keptUntil) {

		static Detail of(Instant at, JobDetails found, Explained explanation, Level level, Map<Long, String> workers,
				TextMasker masker) {
			return new Detail(at, Job.of(found.job(), found.progress(), workers, masker), found.revision(), explanation,
					actions(found.job().state(), explanation, level), Related.of(found, masker),
					found.payload() != null, found.result() != null, null);
		}

		private static List<String> actions(String state, Explained explanation, Level level) {
			if (!level.includes(Level.OPERATE)) {
				return List.of();
			}
			List<String> actions = new ArrayList<>(actions(state));
			if (level.includes(Level.ADMIN)) {
				actions.add("replay");
				if (actions.contains("reschedule")) {
					actions.add("edit");
				}
				if (explanation.code().equals(Verdict.WAITS_FOR_SIGNAL.name())) {
					actions.add("signal");
				}
				actions.add("erase");
			}
			return actions;
		}

		private static List<String> actions(String state) {
			return switch (state) {
				case "failed" -> List.of("retry", "cancel");
				case "scheduled", "queued", "blocked" -> List.of("cancel", "reschedule", "prioritize");
				case "starting", "running", "stuck" -> List.of("cancel");
				default -> List.of();
			};
		}

	}

	/** What a job belongs to, what it waits for, and what it is found by. */
	record Related(@Nullable FlowRef flow, @Nullable BatchRef batch, @Nullable String schedule, List<JobRef> after,
			List<Text> tags, List<Header> headers, @Nullable Instant expiresAt) {

		static Related of(JobDetails job, TextMasker masker) {
			JobDetails.FlowJob own = job.flow();
			FlowRef flow = (own != null) ? new FlowRef(own.flowId(), masker.mask(SensitiveText.FLOW, own.flowName()),
					masker.mask(SensitiveText.FLOW_JOB, own.name())) : null;
			Long batch = job.job().batchId();
			return new Related(flow,
					(batch != null && job.batchName() != null)
							? new BatchRef(batch, masker.mask(SensitiveText.BATCH, job.batchName())) : null,
					null, job.after().stream().map((id) -> new JobRef(id, null, null)).toList(),
					job.tags().stream().map((tag) -> Text.of(masker, SensitiveText.TAG, tag)).toList(),
					job.headers()
						.entrySet()
						.stream()
						.sorted(Map.Entry.comparingByKey())
						.map((header) -> new Header(header.getKey(),
								Text.of(masker, SensitiveText.HEADER, header.getValue())))
						.toList(),
					job.expiresAt());
		}

	}

	record Header(String name, Text value) {

	}

	record FlowRef(long id, String name, String job) {

	}

	record BatchRef(long id, String name) {

	}

	/** Why a job is where it is. */
	record Explained(String code, String summary, List<Fact> facts, Eta estimate, List<String> then) {

		static Explained of(Explanation explanation) {
			return new Explained(explanation.verdict().name(), explanation.summary(),
					explanation.facts()
						.entrySet()
						.stream()
						.map((fact) -> new Fact(fact.getKey(), String.valueOf(fact.getValue())))
						.toList(),
					Eta.of(explanation.estimate()), explanation.then().stream().map(Explained::words).toList());
		}

		private static String words(Verdict verdict) {
			return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

	/** When a worker claims a job; without a range if there is no estimate. */
	record Eta(@Nullable Long earliestMs, @Nullable Long latestMs, String reason) {

		static Eta of(Estimate estimate) {
			return new Eta(millis(estimate.earliest()), millis(estimate.latest()), estimate.reason());
		}

		private static @Nullable Long millis(@Nullable Duration time) {
			return (time != null) ? time.toMillis() : null;
		}

	}

	record Fact(String name, String value) {

	}

	record ExplanationAnswer(Instant at, Explained explanation) {

	}

	/** What happened to a job, the latest last. */
	record Timeline(Instant at, List<Event> events) {

	}

	record Event(Instant at, String kind, @Nullable Integer attempt, @Nullable Instant until,
			@Nullable WorkerRef worker, @Nullable String text) {

	}

	/** The attempts of a job, the first one first. */
	record Attempts(Instant at, List<Attempt> items) {

	}

	record Attempt(int attempt, @Nullable Instant startedAt, @Nullable Instant endedAt, String outcome,
			@Nullable WorkerRef worker, @Nullable Text error) {

	}

	/** A payload or result. */
	record Content(Instant at, Text content, @Nullable String codec) {

		static Content of(Instant at, TextMasker masker, SensitiveText kind, StoredText stored) {
			Text shown = Text.of(masker, kind, stored.text());
			return new Content(at, (shown instanceof Text.Shown)
					? new Text.Shown(masker.mask(kind, stored.text()), stored.isTruncated()) : shown, null);
		}

	}

	/** The steps that a handler has done. */
	record Steps(Instant at, List<Step> items) {

		static Steps of(Instant at, JobDetails job, TextMasker masker) {
			return new Steps(at,
					job.steps()
						.stream()
						.map((step) -> new Step(masker.mask(SensitiveText.STEP, step.name()), null, step.finishedAt()))
						.toList());
		}

	}

	record Step(String name, @Nullable Integer attempt, Instant finishedAt) {

	}

	/** The latest lines that a handler has logged. */
	record Log(Instant at, List<LogLine> items) {

		static Log of(Instant at, List<JobLogLine> lines, TextMasker masker) {
			return new Log(at,
					lines.stream()
						.map((line) -> new LogLine(line.attempt(), line.at(), line.level().name(),
								Text.of(masker, SensitiveText.LOG, line.text())))
						.toList());
		}

	}

	record LogLine(int attempt, Instant at, String level, Text text) {

	}

}
