package io.rowqueue.schedule;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobRequest;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Enqueues a job for the annotated handler at each due time, once for the whole cluster.
 *
 * <pre class="code">
 * &#64;RecurringJob(name = "nightly-report", cron = "0 30 2 * * *", zone = "Europe/Berlin")
 * void report(JobContext job) { … }
 * </pre>
 *
 * On a method with {@link JobHandler}, the jobs have the type of that handler. On any
 * other method, the name of the recurring job is also the type of its jobs, and the
 * method becomes their handler. A {@link JobContext} parameter gives access to the
 * {@linkplain JobContext#dueAt() due time}.
 * <p>
 * The properties {@code rowqueue.recurring.<name>.…} take precedence over the attributes.
 * If the annotation is removed, the schedule is kept but disabled, see
 * {@link ScheduleStatus.State#DISABLED}. Placeholders are resolved in all texts.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(RecurringJob.List.class)
@Documented
@Reflective
@JobHandler("")
public @interface RecurringJob {

	/** A cron expression that is never due, which disables the schedule. */
	String NEVER = "-";

	/**
	 * The name of the schedule in the whole cluster. Required unless the method has a
	 * {@link JobHandler}, whose type is the default.
	 */
	@AliasFor(annotation = JobHandler.class, attribute = "value")
	String name() default "";

	/**
	 * The cron expression, with six fields (second, minute, hour, day, month, day of
	 * week), as defined by Spring's {@code CronExpression}, or with five, as in Unix.
	 * {@value #NEVER} disables the schedule. Set either this attribute or {@link #every}.
	 */
	String cron() default "";

	/** The time zone of {@link #cron}, such as {@code Europe/Berlin}. */
	String zone() default "UTC";

	/**
	 * The interval between due times, such as {@code 10m}; a number without a unit means
	 * seconds. The first run is one interval after the schedule was first stored.
	 */
	String every() default "";

	/** The queue of the jobs. */
	String queue() default JobRequest.DEFAULT_QUEUE;

	/** The priority of the jobs. Jobs with a higher number start first. */
	int priority() default 0;

	/**
	 * How long the jobs may wait once they are due, such as {@code 10m}, see
	 * {@link JobRequest#tolerance()}.
	 */
	String tolerance() default "";

	/** The maximum number of attempts; that of the handler by default. */
	int maxAttempts() default JobHandler.UNSET;

	/**
	 * The limit key of the jobs, such as {@code crm}. All jobs with this key share a
	 * limit, see {@link JobRequest#limitKey(String)}. Empty for none.
	 */
	String limitKey() default "";

	/**
	 * The tags of the jobs, by which they are found, see
	 * {@link JobRequest#tags(String...)}.
	 */
	String[] tags() default {};

	/**
	 * The time from their enqueue on, such as {@code 1h}, after which jobs that have not
	 * begun are cancelled, see {@link JobRequest#expiresIn(java.time.Duration)}. Empty
	 * for never.
	 */
	String expiresIn() default "";

	/**
	 * The type of a job without a payload that is enqueued in the queue of the jobs if
	 * one of them fails permanently, see {@link JobRequest#onFailure(JobRequest)}. Empty
	 * for none.
	 */
	String onFailure() default "";

	/** The payload of the jobs as JSON; empty for none. */
	String payload() default "";

	/** What happens to missed due times. */
	MissedPolicy missed() default MissedPolicy.ONCE;

	/** What happens at a due time while the previous job has not finished. */
	OverlapPolicy overlap() default OverlapPolicy.SKIP;

	/**
	 * The maximum time by which the jobs are postponed, such as {@code 5m}, to spread
	 * jobs that are due at the same time. The name and the due time determine the actual
	 * time.
	 */
	String jitter() default "";

	/**
	 * The first possible due time, such as {@code 2026-12-01T08:00:00Z}, or a local date
	 * or time in the {@link #zone}, such as {@code 2026-12-01}. An {@link #every
	 * interval} is counted from it.
	 */
	String from() default "";

	/** The end, in the same form: all due times are before. */
	String until() default "";

	/**
	 * The name of a {@link JobCalendar} bean or of one of {@code rowqueue.calendars}.
	 * Requires {@link #cron}.
	 */
	String calendar() default "";

	/** What happens to a due time on a day that the calendar excludes. */
	ExcludedPolicy excluded() default ExcludedPolicy.SKIP;

	/** The container annotation for several recurring jobs on one method. */
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Reflective
	@JobHandler("")
	@interface List {

		/** The recurring jobs, each with its own name. */
		RecurringJob[] value();

	}

}
