package io.rowqueue.engine.admin;

import java.util.List;

import io.rowqueue.control.Pause;
import io.rowqueue.engine.explain.JobFacts.Awaited;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.Locker;
import io.rowqueue.engine.explain.JobFacts;
import io.rowqueue.engine.explain.LimitFacts;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/**
 * Masks facts before sentences are made of them, so that no sentence contains masked
 * data.
 */
final class MaskedFacts {

	private final TextMasker masker;

	MaskedFacts(TextMasker masker) {
		this.masker = masker;
	}

	JobFacts of(JobFacts facts) {
		return new JobFacts(facts.now(), facts.readOnly(), of(facts.job()), facts.holder(), facts.keyHolder(),
				facts.pauses().stream().map(this::of).toList(), facts.promoteLate(), facts.retrying(),
				facts.liveWorkers(), facts.workersOfType(), facts.candidates(), facts.ahead(), of(facts.locker()),
				of(facts.awaited()),
				(facts.awaitedByHandler() != null) ? new MaskedViews(this.masker).of(facts.awaitedByHandler()) : null);
	}

	List<LimitFacts> of(List<LimitFacts> limits) {
		return limits.stream().map(this::of).toList();
	}

	private LimitFacts of(LimitFacts limit) {
		return (limit.kind() != LimitKind.KEY) ? limit
				: new LimitFacts(limit.kind(), this.masker.mask(SensitiveText.LIMIT_KEY, limit.name()),
						limit.concurrency(), limit.held(), limit.heldBy(), limit.unclaimed(), limit.units(),
						limit.next(), limit.ordered(), limit.nextToken());
	}

	private @Nullable Facts of(@Nullable Facts job) {
		return (job == null) ? null
				: new Facts(job.id(), job.queue(), job.type(), job.state(), job.priority(), job.attempt(),
						job.maxAttempts(), job.runAt(), job.createdAt(), job.leasedAt(), job.finishedAt(),
						job.cancelRequested(), this.masker.maskIfPresent(SensitiveText.ERROR, job.lastError()));
	}

	private Pause of(Pause pause) {
		return new Pause(pause.kind(), pause.name(), pause.pausedAt(),
				this.masker.maskIfPresent(SensitiveText.PAUSE_REASON, pause.reason()), pause.window(), pause.opensAt());
	}

	private @Nullable Locker of(@Nullable Locker locker) {
		return (locker == null) ? null : new Locker(locker.processId(),
				this.masker.mask(SensitiveText.APPLICATION_NAME, locker.application()), locker.since());
	}

	private @Nullable Awaited of(@Nullable Awaited awaited) {
		return (awaited == null) ? null
				: new Awaited(awaited.jobId(), awaited.type(), awaited.state(), awaited.jobs(), awaited.batchId(),
						this.masker.maskIfPresent(SensitiveText.BATCH, awaited.batchName()), awaited.batchOpen(),
						awaited.batchTotal(), awaited.batchPending());
	}

}
