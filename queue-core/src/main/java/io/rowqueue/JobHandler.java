package io.rowqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs the jobs of one type with the annotated method of a Spring bean.
 *
 * <pre class="code">
 * &#64;JobHandler("welcome-mail")
 * void sendWelcomeMail(WelcomeMail mail) { … }
 * </pre>
 *
 * The method may have a payload parameter (a record, class, collection or
 * {@code JsonNode} that the JSON payload is mapped to) and a {@link JobContext}
 * parameter, both optional and in any order. The attempt succeeds if the method returns,
 * and fails if it throws an exception; the {@link RetryPolicy} then decides about a
 * retry. Three exceptions have a different meaning: {@link SnoozeJobException},
 * {@link FailJobException} and {@link CancelJobException}.
 * <p>
 * The bean may be proxied (for example {@code @Transactional}), lazy or package-private;
 * the method may be declared in a superclass or an interface. Private and static methods
 * are not allowed, nor are methods that return a {@code Future} or a {@code Publisher},
 * because their work would not have finished when they return. An application must have
 * exactly one handler for each type that it runs.
 * <p>
 * In Kotlin, the method may be a suspend function, if kotlinx-coroutines is on the class
 * path. It holds its slot until the coroutine has ended, and an interrupt of the attempt
 * cancels the coroutine. A job without a payload fails if the parameter is neither
 * nullable nor has a default value.
 * <p>
 * A handler may run again after it has completed its work, if its process dies before the
 * success is recorded. A {@link #transactional} handler whose only effects are rows in
 * the queue's database avoids this.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface JobHandler {

	/** Marks a numeric attribute as not set. */
	int UNSET = -1;

	/**
	 * The type of the jobs to run, as passed to {@link JobQueue#enqueue(String, Object)}.
	 * Placeholders such as <code>${mail.job-type}</code> are resolved.
	 */
	String value();

	/**
	 * The queue of jobs whose request does not name one. Like the other defaults of
	 * requests in this annotation ({@link #priority}, {@link #tolerance},
	 * {@link #uniqueKey}, {@link #uniqueFor}, {@link #duplicates}, {@link #limitKey},
	 * {@link #expiresIn}, {@link #tags}), it applies to requests of the application that
	 * contains the handler, and the request takes precedence. An application that only
	 * enqueues can declare a {@link JobType} bean instead. Placeholders are resolved.
	 * {@value JobRequest#DEFAULT_QUEUE} by default.
	 */
	String queue() default "";

	/**
	 * The priority of jobs whose request does not set one. Jobs with a higher number
	 * start first.
	 */
	int priority() default 0;

	/**
	 * How long jobs may wait once they are due, such as {@code 5m}, see
	 * {@link JobRequest#tolerance}. Placeholders are resolved. Zero by default.
	 */
	String tolerance() default "";

	/**
	 * The unique key of jobs, with properties of the payload in braces:
	 * <code>invoice:{invoiceId}</code>. A property name with dots refers to nested
	 * objects. See {@link JobRequest#uniqueKey(String)}. By default jobs have no unique
	 * key.
	 */
	String uniqueKey() default "";

	/**
	 * How long the unique key stays taken after a success, such as {@code 1h}, see
	 * {@link JobRequest#uniqueFor}. Placeholders are resolved. Zero by default.
	 */
	String uniqueFor() default "";

	/** What an enqueue does if another job has the unique key. */
	Duplicates duplicates() default Duplicates.KEEP;

	/**
	 * The limit key of jobs, with properties of the payload in braces, like
	 * {@link #uniqueKey}: <code>customer:{customerId}</code>. See
	 * {@link JobRequest#limitKey(String)}. By default jobs have no limit key.
	 */
	String limitKey() default "";

	/**
	 * How long after their enqueue jobs are cancelled if they have not begun, such as
	 * {@code 1h}, see {@link JobRequest#expiresIn}. Placeholders are resolved. The
	 * property {@code rowqueue.types.<type>.expires-in} takes precedence. By default jobs
	 * do not expire.
	 */
	String expiresIn() default "";

	/**
	 * The tags of jobs, with properties of the payload in braces, like
	 * {@link #uniqueKey}: <code>customer:{customerId}</code>. A job without a payload has
	 * those without braces. A request may add others, see
	 * {@link JobRequest#tags(String...)}. By default jobs have no tags.
	 */
	String[] tags() default {};

	/**
	 * The maximum number of attempts of jobs whose request does not set one. The property
	 * {@code rowqueue.types.<type>.max-attempts} takes precedence, as those of
	 * {@link #timeout}, {@link #retry}, {@link #noRetryFor}, {@link #concurrency},
	 * {@link #window} and {@link #retention} do, and the configuration of the worker
	 * applies if neither is set.
	 */
	int maxAttempts() default UNSET;

	/**
	 * The maximum duration of an attempt, such as {@code 30s}; a number without a unit
	 * means seconds. A handler that runs longer is interrupted, and its attempt fails,
	 * even if the handler returns normally afterwards. If it does not return within
	 * another ten seconds, its slot becomes available for other jobs. Placeholders are
	 * resolved.
	 */
	String timeout() default "";

	/**
	 * When a failed job is retried: {@code fixed(30s)}, {@code linear(10s, 5m)},
	 * {@code exponential(2s, 3, 1h)}, {@code delays(1s, 10s, 1m)}, or the name of a
	 * {@link RetryPolicy} bean. Placeholders are resolved.
	 */
	String retry() default "";

	/**
	 * The exceptions, including their subclasses, after which a job is not retried and
	 * has failed permanently. Their causes are not considered. With
	 * {@link PayloadConversionException}, a job whose payload cannot be mapped to the
	 * handler's parameter is not retried.
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/** How many jobs of the type run at the same time in this process. */
	int concurrency() default UNSET;

	/**
	 * Whether the writes of the handler and the success of its job are committed in one
	 * transaction of the application's transaction manager. The effects of the handler in
	 * the queue's database, including jobs that it enqueues, then happen exactly once.
	 * Other effects, and those in separate transactions ({@code REQUIRES_NEW}), may still
	 * happen more than once.
	 * <p>
	 * The transaction is {@code READ COMMITTED} and begins before the handler runs. If
	 * the handler throws an exception, the lease is lost, or the commit fails, the
	 * transaction is rolled back, and the failure is recorded afterwards. The transaction
	 * holds a connection while the handler runs, so such handlers should be short. The
	 * application fails to start unless its only or primary transaction manager, for JDBC
	 * or JPA, manages the {@code DataSource} that jobs are enqueued with. Suspend
	 * functions of Kotlin cannot be transactional.
	 */
	boolean transactional() default false;

	/**
	 * Whether the return value of the method is stored with the job as JSON, see
	 * {@link Job#result()}. By default it is ignored. The result is stored together with
	 * the success of the job, and kept as long as finished jobs are; nothing is stored
	 * for {@code null}. The method must not return {@code void}.
	 * <p>
	 * If the result cannot be written as JSON, or is larger than 1 MB (1,048,576 bytes)
	 * of JSON, the job fails permanently with a {@link FailJobException}: the handler has
	 * already run, and a retry would not help.
	 */
	boolean keepResult() default false;

	/**
	 * The maximum number of due jobs of the type that run in one call, from 2 to
	 * {@value Coalescing#MAX_JOBS}. The only parameter of the method is then a
	 * {@code List} of payloads or of {@link CoalescedJob}. An exception fails the
	 * attempts of all jobs of the call; {@link CoalescedJob#fail} fails a single one.
	 * Each job is completed, retried and fenced separately. The handler cannot be
	 * {@link #transactional} or keep results. By default each job has its own call.
	 */
	int coalesce() default UNSET;

	/**
	 * How long the first job of a call waits for others once it is due, such as
	 * {@code 5s}, limited by its tolerance. Placeholders are resolved. By default, a call
	 * contains only jobs that are already due.
	 */
	String coalesceWait() default "";

	/**
	 * The {@code Window} of the jobs of the type: while it is closed, no worker of the
	 * cluster claims them. The window must be configured in {@code rowqueue.windows}, or
	 * exist in the database before the application starts; otherwise the application
	 * fails to start. Placeholders are resolved. By default jobs run at any time.
	 */
	String window() default "";

	/**
	 * How long jobs of the type are kept after they have succeeded or were cancelled,
	 * such as {@code 1h} or {@code 90d}; a number without a unit means days. It takes
	 * precedence over the retention of their queue, in the whole cluster and whichever
	 * application deletes them. With 0, they are deleted within about ten minutes. Jobs
	 * that failed permanently are kept as long as those of other types, and nothing is
	 * kept of succeeded jobs whose queue has a retention of 0. Placeholders are resolved.
	 */
	String retention() default "";

	/** The choice of a {@link DuplicatePolicy}. */
	enum Duplicates {

		/** See {@link DuplicatePolicy#keep()}. */
		KEEP,

		/** See {@link DuplicatePolicy#replace()}. */
		REPLACE,

		/** See {@link DuplicatePolicy#runAgain()}. */
		RUN_AGAIN;

		/**
		 * Returns the policy.
		 * @return the policy
		 */
		public DuplicatePolicy policy() {
			return switch (this) {
				case KEEP -> DuplicatePolicy.keep();
				case REPLACE -> DuplicatePolicy.replace();
				case RUN_AGAIN -> DuplicatePolicy.runAgain();
			};
		}

	}

}
