package io.pgqueue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.pgqueue.window.Window;
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
 * parameter, in any order, either or none. Returning means success; an exception fails
 * the attempt, and the job is retried later as the {@link RetryPolicy} says. Three
 * exceptions say something else: {@link SnoozeJobException}, {@link FailJobException} and
 * {@link CancelJobException}.
 * <p>
 * The bean may be proxied (for example {@code @Transactional}), lazy or package-private;
 * the method may be declared in a superclass or an interface. Private and static methods
 * are refused, and so are those that return a {@code Future}: the job would not be over
 * when they return. There must be exactly one handler for a type in an application.
 * <p>
 * A handler can run again after it has done its work, when its process dies before the
 * success is recorded. Where its effects are rows in the queue's database,
 * {@link #transactional} rules that out.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface JobHandler {

	/** What a number is that is left to others. */
	int UNSET = -1;

	/**
	 * The type of the jobs to run; the string that was given to
	 * {@link JobQueue#enqueue(String, Object)}. Placeholders such as
	 * <code>${mail.job-type}</code> are resolved.
	 */
	String value();

	/**
	 * The queue of jobs of the type whose request names none. Like all defaults of
	 * requests here ({@link #priority}, {@link #tolerance}, {@link #uniqueKey},
	 * {@link #uniqueFor}, {@link #duplicates}, {@link #limitKey}), it applies to requests
	 * of the application that has the handler; the request itself takes precedence. An
	 * application that only enqueues declares a {@link JobType} bean. Placeholders are
	 * resolved. By default it is {@value JobRequest#DEFAULT_QUEUE}.
	 */
	String queue() default "";

	/** The priority of jobs of the type whose request names none; a bigger goes first. */
	int priority() default 0;

	/**
	 * How long a job of the type may wait once it is due, such as {@code 5m}, see
	 * {@link JobRequest#tolerance}. Placeholders are resolved.
	 */
	String tolerance() default "";

	/**
	 * The unique key of jobs of the type, derived from properties of the payload that it
	 * names in braces: <code>invoice:{invoiceId}</code>. A name with dots leads into
	 * nested objects. See {@link JobRequest#uniqueKey(String)}.
	 */
	String uniqueKey() default "";

	/**
	 * How long the unique key stays taken after a success, such as {@code 1h}, see
	 * {@link JobRequest#uniqueFor}. Placeholders are resolved.
	 */
	String uniqueFor() default "";

	/** What happens when another job has the unique key. */
	Duplicates duplicates() default Duplicates.KEEP;

	/**
	 * The limit key of jobs of the type, derived from the payload as {@link #uniqueKey}
	 * is: <code>customer:{customerId}</code>. See {@link JobRequest#limitKey(String)}.
	 */
	String limitKey() default "";

	/**
	 * How often a job is tried that does not say so itself. Like all options here, it is
	 * outweighed by {@code pgqueue.types.<type>.…}, and left to the worker unless it is
	 * said.
	 */
	int maxAttempts() default UNSET;

	/**
	 * How long an attempt may take, such as {@code 30s}; a number alone means seconds. A
	 * handler that runs longer is interrupted, and its attempt fails however it ends; if
	 * it does not end within ten seconds more, its slot goes on without it. Placeholders
	 * are resolved.
	 */
	String timeout() default "";

	/**
	 * When a failed job is tried again: {@code fixed(30s)}, {@code linear(10s, 5m)},
	 * {@code exponential(2s, 3, 1h)}, {@code delays(1s, 10s, 1m)}, or the name of a
	 * {@link RetryPolicy} bean. Placeholders are resolved.
	 */
	String retry() default "";

	/**
	 * Exceptions, subclasses included, after which a job is failed for good; their causes
	 * do not matter. Payloads that do not fit the handler are never retried.
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/** How many jobs of the type run at once in this process. */
	int concurrency() default UNSET;

	/**
	 * Whether the handler's writes and the success of its job are committed together, in
	 * one transaction of the application's transaction manager: then what the handler
	 * does in the queue's database, enqueueing included, happens exactly once. What it
	 * does elsewhere, or in a transaction of its own ({@code REQUIRES_NEW}), may still
	 * happen more than once.
	 * <p>
	 * The transaction is {@code READ COMMITTED} and begins before the handler runs. If
	 * the handler throws, the lease is lost, or the transaction cannot be committed, it
	 * is rolled back, and the failure is recorded afterwards. It holds a connection for
	 * as long as the handler runs, so keep such handlers short. The application does not
	 * start unless its only or primary transaction manager, for JDBC or JPA, manages the
	 * {@code DataSource} that jobs are enqueued over.
	 */
	boolean transactional() default false;

	/**
	 * Whether what the method returns is kept with the job, as JSON:
	 * {@link Job#result()}. Otherwise it is ignored. The result is stored together with
	 * the success of the job, for as long as finished jobs are kept, and {@code null} is
	 * no result. A method that returns {@code void} is refused.
	 * <p>
	 * A result that cannot be written as JSON, or takes more than 1 MB (1,048,576 bytes)
	 * of it, fails the job for good with a {@link PayloadConversionException}: the
	 * handler has run, and to run it again would not help.
	 */
	boolean keepResult() default false;

	/**
	 * How many due jobs of the type are run in one call at most, from 2 to
	 * {@value Coalescing#MAX_JOBS}. The method then takes a {@code List} of what a
	 * payload is mapped to, or of {@link CoalescedJob} of it, and nothing else. What it
	 * throws fails each of the attempts; {@link CoalescedJob#fail} fails one of them
	 * alone. Each job is completed, retried and fenced on its own. Such a handler is not
	 * {@link #transactional} and keeps no result.
	 */
	int coalesce() default UNSET;

	/**
	 * How long the first job of a call waits for others once it is due, such as
	 * {@code 5s}, and never longer than its tolerance allows. Placeholders are resolved.
	 * By default only those go together that are due already.
	 */
	String coalesceWait() default "";

	/**
	 * The {@link Window} that jobs of the type are run in: outside of it no worker of the
	 * cluster claims them. It is one of {@code pgqueue.windows}, or one that is in the
	 * database before the application starts; with any other name it does not start.
	 * Placeholders are resolved. By default they are run at any time.
	 */
	String window() default "";

	/** What happens when another job has the unique key: a {@link DuplicatePolicy}. */
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
