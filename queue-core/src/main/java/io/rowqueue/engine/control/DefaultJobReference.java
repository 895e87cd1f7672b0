package io.rowqueue.engine.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import io.rowqueue.Job;
import io.rowqueue.JobType;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobReference;
import io.rowqueue.engine.job.JobStore;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link JobReference}. */
final class DefaultJobReference implements JobReference {

	/** A follow-up may be queued between two statements. */
	private static final int MAX_TRIES = 5;

	private final DefaultJobControl control;

	private final JobStore jobs;

	private final PayloadChange payloads;

	/** The job before its follow-ups. */
	private final Supplier<List<Long>> ids;

	private final @Nullable JobType<?> type;

	DefaultJobReference(DefaultJobControl control, JobStore jobs, PayloadChange payloads, Supplier<List<Long>> ids,
			@Nullable JobType<?> type) {
		this.control = control;
		this.jobs = jobs;
		this.payloads = payloads;
		this.ids = ids;
		this.type = type;
	}

	@Override
	public Optional<Job> find() {
		return this.ids.get().stream().findFirst().flatMap(this.jobs::find);
	}

	/** Follow-ups first: none of them is to be queued when the job before it is gone. */
	@Override
	public CancelResult cancel() {
		List<Long> all = this.ids.get();
		CancelResult result = CancelResult.NOT_FOUND;
		for (int i = all.size() - 1; i >= 0; i--) {
			CancelResult each = this.control.cancel(all.get(i));
			if (each != CancelResult.NOT_FOUND && result != CancelResult.REQUESTED) {
				result = each;
			}
		}
		return result;
	}

	@Override
	public boolean reschedule(Duration delay) {
		return changeLast((id) -> this.control.reschedule(id, delay));
	}

	@Override
	public boolean reschedule(Instant runAt) {
		return changeLast((id) -> this.control.reschedule(id, runAt));
	}

	@Override
	public boolean prioritize(int priority) {
		return changeLast((id) -> this.control.prioritize(id, priority));
	}

	@Override
	public boolean replacePayload(@Nullable Object payload) {
		JobType<?> declared = this.type;
		if (declared != null) {
			Assert.isTrue(payload == null || declared.payloadType().isInstance(payload),
					() -> "The payload of a job of the type '%s' must be a %s".formatted(declared.name(),
							declared.payloadType().getName()));
		}
		return changeLast((id) -> this.payloads.replace(id, payload));
	}

	/** The same job again: as a follow-up it may have become a job meanwhile. */
	private boolean changeLast(LongPredicate change) {
		List<Long> all = this.ids.get();
		for (int i = 0; i < MAX_TRIES && !all.isEmpty(); i++) {
			long last = all.get(all.size() - 1);
			if (change.test(last)) {
				return true;
			}
			List<Long> now = this.ids.get();
			if (now.equals(all)) {
				return false;
			}
			all = now;
		}
		return false;
	}

}
