package io.pgqueue.schedule;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.pgqueue.JobContext;
import io.pgqueue.JobHandler;
import io.pgqueue.JobRequest;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Enqueues a job for the annotated handler at each due time, once for the whole cluster.
 *
 * <pre class="code">
 * &#64;RecurringJob(name = "nightly-report", cron = "0 30 2 * * *", zone = "Europe/Berlin")
 * void report(JobContext job) { … }
 * </pre>
 *
 * On a method with {@link JobHandler} its jobs are of that type. Without, the method
 * becomes the handler of a type that has the name of the recurring job. Give a
 * {@link JobContext} parameter to learn the {@linkplain JobContext#dueAt() due time}.
 * <p>
 * {@code pgqueue.recurring.<name>.…} outweighs what is said here. If the annotation is
 * taken away, the schedule is disabled and remains to be seen: see
 * {@link ScheduleStatus.State#DISABLED}. Placeholders are resolved in all texts.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(RecurringJob.List.class)
@Documented
@Reflective
public @interface RecurringJob {

	/** A cron expression that is never due: the schedule is left out. */
	String NEVER = "-";

	/**
	 * Names it in the whole cluster; needed unless {@link JobHandler} gives a type, which
	 * is the name then.
	 */
	String name() default "";

	/**
	 * Six fields (second, minute, hour, day, month, day of week), as Spring's
	 * {@code CronExpression} reads them; {@value #NEVER} leaves the schedule out. Give
	 * this or {@link #every}.
	 */
	String cron() default "";

	/** The time zone of {@link #cron}, such as {@code Europe/Berlin}. */
	String zone() default "UTC";

	/**
	 * The time from one due time to the next, such as {@code 10m}; a number alone means
	 * seconds. The first is so long after the schedule was written down first.
	 */
	String every() default "";

	/** The queue of the jobs. */
	String queue() default JobRequest.DEFAULT_QUEUE;

	/** The priority of the jobs; a bigger number goes first. */
	int priority() default 0;

	/**
	 * How long the jobs may wait behind more urgent ones of their priority, such as
	 * {@code 10m}; see {@link JobRequest#tolerance()}.
	 */
	String tolerance() default "";

	/** How often the jobs are tried; unless it is said, what the handler says. */
	int maxAttempts() default JobHandler.UNSET;

	/**
	 * The limit key of the jobs, such as {@code crm}: they share a limit with all other
	 * jobs that carry it, see {@link JobRequest#limitKey(String)}. Empty: none.
	 */
	String limitKey() default "";

	/** The payload of the jobs, as JSON; empty: none. */
	String payload() default "";

	/** What becomes of due times that passed while nobody was there. */
	MissedPolicy missed() default MissedPolicy.ONCE;

	/** What becomes of a due time while the job before it is not over. */
	OverlapPolicy overlap() default OverlapPolicy.SKIP;

	/**
	 * The jobs are put off by up to that, such as {@code 5m}, each by a part that the
	 * name and the due time decide.
	 */
	String jitter() default "";

	/** Several of them on one method. */
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@Reflective
	@interface List {

		/** The recurring jobs, each with a name of its own. */
		RecurringJob[] value();

	}

}
