package io.rowqueue.dashboard.api.job;

import java.time.Instant;
import java.util.List;

import io.rowqueue.JobLogLine;
import io.rowqueue.admin.JobDetails.StoredText;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.WorkerRef;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** What happened to one job, and its texts: each is read by itself. */
public final class JobHistoryAnswers {

	private JobHistoryAnswers() {
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
	record Content(Instant at, Text content) {

		static Content of(Instant at, TextMasker masker, SensitiveText kind, StoredText stored) {
			Text shown = Text.of(masker, kind, stored.text());
			return new Content(at, (shown instanceof Text.Shown)
					? new Text.Shown(masker.mask(kind, stored.text()), stored.isTruncated()) : shown);
		}

	}

	/** The steps that a handler has done. */
	record Steps(Instant at, List<Step> items) {

		static Steps of(Instant at, JobDetails job, TextMasker masker) {
			return new Steps(at,
					job.steps()
						.stream()
						.map((step) -> new Step(masker.mask(SensitiveText.STEP, step.name()), step.finishedAt()))
						.toList());
		}

	}

	record Step(String name, Instant finishedAt) {

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
