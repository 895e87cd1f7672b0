package io.pgqueue.autoconfigure.handler;

import java.time.Duration;

import io.pgqueue.JobRequest;
import io.pgqueue.MissedPolicy;
import io.pgqueue.OverlapPolicy;
import io.pgqueue.RecurringJob;
import io.pgqueue.Rhythm;
import io.pgqueue.Schedule;
import io.pgqueue.ScheduleStatus.Source;
import io.pgqueue.autoconfigure.handler.RecurringProperties.Recurring;
import io.pgqueue.codec.PayloadCodec;
import io.pgqueue.schedule.DeclaredSchedules.Declaration;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/** What was said of a recurring job, before anything is checked. */
record ScheduleDraft(String name, String type, @Nullable String cron, String zone, @Nullable Duration every,
		String queue, int priority, @Nullable String payload, MissedPolicy missed, OverlapPolicy overlap,
		Duration jitter, Source source) {

	static final String UTC = "UTC";

	/** One that only properties speak of. */
	static ScheduleDraft of(String name, String type) {
		return new ScheduleDraft(name, type, null, UTC, null, JobRequest.DEFAULT_QUEUE, 0, null, MissedPolicy.ONCE,
				OverlapPolicy.SKIP, Duration.ZERO, Source.PROPERTIES);
	}

	/** The same, as far as the properties do not say otherwise. */
	ScheduleDraft with(Recurring given) {
		boolean rhythm = given.cron() != null || given.every() != null;
		return new ScheduleDraft(this.name, either(given.type(), this.type), rhythm ? given.cron() : this.cron,
				either(given.zone(), this.zone), rhythm ? given.every() : this.every, either(given.queue(), this.queue),
				either(given.priority(), this.priority),
				StringUtils.hasText(given.payload()) ? given.payload() : this.payload,
				either(given.missed(), this.missed), either(given.overlap(), this.overlap),
				either(given.jitter(), this.jitter), this.source);
	}

	boolean isLeftOut() {
		return RecurringJob.NEVER.equals(this.cron);
	}

	/**
	 * The recurring job.
	 * @throws RuntimeException telling what is wrong
	 */
	Declaration declaration(PayloadCodec codec) {
		Assert.isTrue((this.cron == null) != (this.every == null), "it needs either cron or every");
		Rhythm rhythm = (this.every != null) ? Rhythm.every(this.every)
				: Rhythm.cron(String.valueOf(this.cron), this.zone);
		codec.read(this.payload, Object.class, this.type);
		JobRequest job = JobRequest.of(this.type).queue(this.queue).priority(this.priority);
		return new Declaration(new Schedule(this.name, rhythm, job, this.missed, this.overlap, this.jitter),
				this.payload, this.source);
	}

	private static <T> T either(@Nullable T first, T second) {
		return (first != null) ? first : second;
	}

}
