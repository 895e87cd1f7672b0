package io.rowqueue.dashboard.api.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.admin.FailedAttempt;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.WorkerRef;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Attempt;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Event;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.step.JobWait;

/** What happened to a job, made of what is kept of it. */
final class JobTimeline {

	private static final Set<String> LEASED = Set.of("starting", "running", "stuck");

	private static final Set<String> FINISHED = Set.of("succeeded", "cancelled");

	private JobTimeline() {
	}

	static List<Event> of(JobDetails details, List<RecordedOperation> operations, Map<Long, String> workers,
			TextMasker masker) {
		JobView job = details.job();
		List<Event> events = new ArrayList<>();
		events.add(new Event(job.createdAt(), "created", null, null, null, null));
		events.add(new Event(job.runAt(), "due", null, null, null, null));
		for (Attempt attempt : attempts(details, workers, masker)) {
			Instant startedAt = attempt.startedAt();
			if (startedAt != null) {
				events
					.add(new Event(startedAt, "started", attempt.attempt(), attempt.endedAt(), attempt.worker(), null));
			}
		}
		for (FailedAttempt failure : details.failures()) {
			events.add(new Event(failure.failedAt(), "failed", failure.attempt(), null, null,
					masker.mask(SensitiveText.ERROR, failure.error().lines().findFirst().orElse(""))));
		}
		details.steps()
			.forEach((step) -> events.add(new Event(step.finishedAt(), "step", null, null, null,
					masker.mask(SensitiveText.STEP, step.name()))));
		details.waits().forEach((wait) -> add(wait, events, masker));
		operations.forEach((each) -> events.add(new Event(each.at(), "operation", null, each.endedAt(), null,
				each.action() + " by " + each.who() + ": " + each.state().label())));
		if (job.finishedAt() != null && FINISHED.contains(job.state())) {
			events.add(new Event(job.finishedAt(), job.state(), null, null, null, null));
		}
		events.sort(Comparator.comparing(Event::at));
		return List.copyOf(events);
	}

	private static void add(JobWait wait, List<Event> events, TextMasker masker) {
		String name = wait.kind().label() + " " + masker.mask(SensitiveText.STEP, wait.name());
		if (wait.beganAt() != null) {
			events.add(new Event(wait.beganAt(), "waits", null, wait.until(), null, name));
		}
		if (wait.sentAt() != null) {
			events.add(new Event(wait.sentAt(), "signal", null, null, null, name));
		}
	}

	/** The failed attempts that are kept, and the latest one if it has not failed. */
	static List<Attempt> attempts(JobDetails details, Map<Long, String> workers, TextMasker masker) {
		List<Attempt> attempts = new ArrayList<>();
		for (FailedAttempt failure : details.failures()) {
			attempts.add(new Attempt(failure.attempt(), failure.startedAt(), failure.failedAt(), "failed",
					WorkerRef.of(failure.workerId(), workers), Text.of(masker, SensitiveText.ERROR, failure.error())));
		}
		JobView job = details.job();
		Instant startedAt = job.startedAt();
		boolean failed = details.failures()
			.stream()
			.anyMatch((each) -> each.startedAt() != null && each.startedAt().equals(startedAt));
		if (startedAt != null && !failed && (LEASED.contains(job.state()) || FINISHED.contains(job.state()))) {
			attempts.add(new Attempt(job.attempt(), startedAt, job.finishedAt(),
					LEASED.contains(job.state()) ? "running" : job.state(), WorkerRef.of(job.workerId(), workers),
					null));
		}
		return List.copyOf(attempts);
	}

}
