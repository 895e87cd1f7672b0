package io.pgqueue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Takes the handlers that an application registers in code instead of by
 * {@link JobHandler}. Declare a bean of {@link Registrar}:
 *
 * <pre class="code">
 * &#64;Bean
 * JobHandlers.Registrar reports(ReportService service) {
 *     return (handlers) -&gt; handlers.add("report", Report.class, (report, context) -&gt; service.write(report));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public interface JobHandlers {

	/**
	 * Registers the handler of a type.
	 * @param <P> what the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payload is mapped to
	 * @param handler runs a job
	 * @return this
	 * @throws JobQueueException if the type has a handler already
	 */
	default <P> JobHandlers add(String type, Class<P> payloadType, Handler<P> handler) {
		return add(type, payloadType, HandlerOptions.NONE, handler);
	}

	/**
	 * Registers the handler of a declared type.
	 * @param <P> what the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param handler runs a job
	 * @return this
	 * @throws JobQueueException if the type has a handler already
	 */
	default <P> JobHandlers add(JobType<P> type, Handler<P> handler) {
		return add(type, HandlerOptions.NONE, handler);
	}

	/**
	 * Registers the handler of a declared type.
	 * @param <P> what the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param options how the handler is run
	 * @param handler runs a job
	 * @return this
	 * @throws JobQueueException if the type has a handler already, or the options ask for
	 * a result: use {@link #addReturning}
	 */
	default <P> JobHandlers add(JobType<P> type, HandlerOptions options, Handler<P> handler) {
		return add(type.name(), type.payloadType(), options, handler);
	}

	/**
	 * Registers the handler of a type.
	 * @param <P> what the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payload is mapped to
	 * @param options how the handler is run
	 * @param handler runs a job
	 * @return this
	 * @throws JobQueueException if the type has a handler already, or the options ask for
	 * a result: use {@link #addReturning}
	 */
	<P> JobHandlers add(String type, Class<P> payloadType, HandlerOptions options, Handler<P> handler);

	/**
	 * Registers the handler of a type whose result is kept:
	 * {@link HandlerOptions#keepResult()} holds whatever the options say.
	 * @param <P> what the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payload is mapped to
	 * @param options how the handler is run
	 * @param handler runs a job
	 * @return this
	 * @throws JobQueueException if the type has a handler already
	 */
	<P> JobHandlers addReturning(String type, Class<P> payloadType, HandlerOptions options,
			ReturningHandler<P> handler);

	/**
	 * Registers the handler of a type whose due jobs run together in one call.
	 * @param <P> what each payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payloads are mapped to
	 * @param options how the handler is run; {@link HandlerOptions#coalesce} has been
	 * called on them
	 * @param handler runs the jobs
	 * @return this
	 * @throws JobQueueException if the type has a handler already, or the options do not
	 * say how many jobs run together
	 */
	<P> JobHandlers addCoalescing(String type, Class<P> payloadType, HandlerOptions options,
			CoalescingHandler<P> handler);

	/**
	 * Runs jobs together. Returning means success of all that were not failed alone; an
	 * exception fails the attempts of all.
	 *
	 * @param <P> what each payload is mapped to
	 */
	@FunctionalInterface
	interface CoalescingHandler<P> {

		/**
		 * Runs the jobs.
		 * @param jobs one or more, the most urgent first
		 * @throws Exception to fail the attempts
		 */
		void run(List<CoalescedJob<P>> jobs) throws Exception;

	}

	/**
	 * Runs one job. Returning means success; an exception fails the attempt.
	 *
	 * @param <P> what the payload is mapped to
	 */
	@FunctionalInterface
	interface Handler<P> {

		/**
		 * Runs the job.
		 * @param payload the payload, {@code null} if the job has none
		 * @param context what is known about the attempt
		 * @throws Exception to fail the attempt
		 */
		void run(@Nullable P payload, JobContext context) throws Exception;

	}

	/**
	 * Runs one job and returns its result.
	 *
	 * @param <P> what the payload is mapped to
	 */
	@FunctionalInterface
	interface ReturningHandler<P> {

		/**
		 * Runs the job.
		 * @param payload the payload, {@code null} if the job has none
		 * @param context what is known about the attempt
		 * @return what to keep with the job, written as JSON; {@code null}: nothing
		 * @throws Exception to fail the attempt
		 */
		@Nullable Object run(@Nullable P payload, JobContext context) throws Exception;

	}

	/** A bean that registers handlers when the application starts. */
	@FunctionalInterface
	interface Registrar {

		/**
		 * Registers handlers.
		 * @param handlers takes them
		 */
		void register(JobHandlers handlers);

	}

}
