package io.rowqueue.schedule.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.schedule.DeclaredSchedules.Declaration;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.RecurringJob;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/** A recurring job of an annotation, of properties, or of both, before it is checked. */
record ScheduleDraft(String name, JobDraft job, @Nullable String cron, String zone, @Nullable Duration every,
		@Nullable String payload, MissedPolicy missed, OverlapPolicy overlap, Duration jitter, ValidityDraft validity,
		Source source) {

	static final String UTC = "UTC";

	/** Creates the draft of a recurring job that only properties declare. */
	static ScheduleDraft of(String name, String type) {
		return new ScheduleDraft(name, JobDraft.of(type), null, UTC, null, null, MissedPolicy.ONCE, OverlapPolicy.SKIP,
				Duration.ZERO, ValidityDraft.NONE, Source.PROPERTIES);
	}

	/** Returns a copy in which the properties take precedence. */
	ScheduleDraft with(RecurringJobProperties given) {
		boolean rhythm = given.cron() != null || given.every() != null;
		return new ScheduleDraft(this.name, this.job.with(given), rhythm ? given.cron() : this.cron,
				either(given.zone(), this.zone), rhythm ? given.every() : this.every,
				StringUtils.hasText(given.payload()) ? given.payload() : this.payload,
				either(given.missed(), this.missed), either(given.overlap(), this.overlap),
				either(given.jitter(), this.jitter), this.validity.with(given), this.source);
	}

	boolean isLeftOut() {
		return RecurringJob.NEVER.equals(this.cron);
	}

	/**
	 * Returns the recurring job.
	 * @throws RuntimeException if the draft is invalid
	 */
	Declaration declaration(HandlerRegistry handlers) {
		Assert.isTrue((this.cron == null) != (this.every == null), "it requires either cron or every");
		Rhythm rhythm = (this.every != null) ? Rhythm.every(this.every)
				: Rhythm.cron(String.valueOf(this.cron), this.zone);
		handlers.codec().read(this.payload, Object.class, this.job.type());
		handlers.find(this.job.type()).ifPresent((handler) -> handler.checkPayload(this.payload));
		JobRequest request = this.job.request();
		JobRequest onFailure = request.onFailure();
		if (onFailure != null) {
			handlers.find(onFailure.type()).ifPresent((handler) -> handler.checkPayload(null));
		}
		Schedule schedule = Schedule.of(this.name, rhythm, request)
			.overlap(this.overlap)
			.missed(this.missed)
			.jitter(this.jitter)
			.validity(this.validity.validity(this.zone));
		CheckedPayloads payloads = new CheckedPayloads(
				new PayloadWriter(handlers.codec(), PayloadWriter.DEFAULT_MAX_SIZE), DeclaredTypes.NONE);
		return new Declaration(schedule, this.payload, payloads.onFailure(request), this.source);
	}

	private static <T> T either(@Nullable T first, T second) {
		return (first != null) ? first : second;
	}

	/** Returns the request for its jobs. */
	record JobDraft(String type, String queue, int priority, @Nullable Duration tolerance,
			@Nullable Integer maxAttempts, @Nullable String limitKey, Set<String> tags, Map<String, String> headers,
			@Nullable Duration expiresIn, @Nullable String onFailure) {

		static JobDraft of(String type) {
			return new JobDraft(type, JobRequest.DEFAULT_QUEUE, 0, null, null, null, Set.of(), Map.of(), null, null);
		}

		JobDraft with(RecurringJobProperties given) {
			return new JobDraft(either(given.type(), this.type), either(given.queue(), this.queue),
					either(given.priority(), this.priority),
					(given.tolerance() != null) ? given.tolerance() : this.tolerance,
					(given.maxAttempts() != null) ? given.maxAttempts() : this.maxAttempts,
					StringUtils.hasText(given.limitKey()) ? given.limitKey() : this.limitKey,
					either(given.tags(), this.tags), given.headers(),
					(given.expiresIn() != null) ? given.expiresIn() : this.expiresIn,
					StringUtils.hasText(given.onFailure()) ? given.onFailure() : this.onFailure);
		}

		JobRequest request() {
			JobRequest request = JobRequest.of(this.type)
				.queue(this.queue)
				.priority(this.priority)
				.tags(this.tags.toArray(String[]::new));
			for (Map.Entry<String, String> header : this.headers.entrySet()) {
				request = request.header(header.getKey(), header.getValue());
			}
			request = (this.tolerance != null) ? request.tolerance(this.tolerance) : request;
			request = (this.maxAttempts != null) ? request.maxAttempts(this.maxAttempts) : request;
			request = (this.expiresIn != null) ? request.expiresIn(this.expiresIn) : request;
			request = (this.onFailure != null) ? request.onFailure(JobRequest.of(this.onFailure).queue(this.queue))
					: request;
			return (this.limitKey != null) ? request.limitKey(this.limitKey) : request;
		}

	}

}
