package io.rowqueue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Registers handlers in code, as an alternative to {@link JobHandler}. Declare a bean of
 * type {@link Registrar}:
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
	 * @param <P> the type that the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payload is mapped to
	 * @param handler runs the jobs
	 * @return this instance
	 * @throws JobQueueException if the type already has a handler
	 */
	default <P> JobHandlers add(String type, Class<P> payloadType, Handler<P> handler) {
		return add(type, payloadType, HandlerOptions.NONE, handler);
	}

	/**
	 * Registers the handler of a declared type.
	 * @param <P> the type that the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param handler runs the jobs
	 * @return this instance
	 * @throws JobQueueException if the type already has a handler
	 */
	default <P> JobHandlers add(JobType<P> type, Handler<P> handler) {
		return add(type, HandlerOptions.NONE, handler);
	}

	/**
	 * Registers the handler of a declared type.
	 * @param <P> the type that the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param options the options of the handler
	 * @param handler runs the jobs
	 * @return this instance
	 * @throws JobQueueException if the type already has a handler, or the options keep
	 * results: use {@link #addReturning} for those
	 */
	default <P> JobHandlers add(JobType<P> type, HandlerOptions options, Handler<P> handler) {
		return add(type.name(), type.payloadType(), options, handler);
	}

	/**
	 * Registers the handler of a type.
	 * @param <P> the type that the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payload is mapped to
	 * @param options the options of the handler
	 * @param handler runs the jobs
	 * @return this instance
	 * @throws JobQueueException if the type already has a handler, or the options keep
	 * results: use {@link #addReturning} for those
	 */
	<P> JobHandlers add(String type, Class<P> payloadType, HandlerOptions options, Handler<P> handler);

	/**
	 * Registers the handler of a type that keeps its results, whether or not
	 * {@link HandlerOptions#keepResult()} is set.
	 * @param <P> the type that the payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payload is mapped to
	 * @param options the options of the handler
	 * @param handler runs the jobs
	 * @return this instance
	 * @throws JobQueueException if the type already has a handler
	 */
	<P> JobHandlers addReturning(String type, Class<P> payloadType, HandlerOptions options,
			ReturningHandler<P> handler);

	/**
	 * Registers the handler of a type whose due jobs run together in one call.
	 * @param <P> the type that each payload is mapped to
	 * @param type the type of the jobs to run
	 * @param payloadType the class that the JSON payloads are mapped to
	 * @param options the options of the handler, including
	 * {@link HandlerOptions#coalesce}
	 * @param handler runs the jobs
	 * @return this instance
	 * @throws JobQueueException if the type already has a handler, or {@code coalesce} is
	 * not set
	 */
	<P> JobHandlers addCoalescing(String type, Class<P> payloadType, HandlerOptions options,
			CoalescingHandler<P> handler);

	/**
	 * Runs several jobs in one call. If the call returns, all jobs have succeeded except
	 * those that were failed separately. An exception fails the attempts of all.
	 *
	 * @param <P> the type that each payload is mapped to
	 */
	@FunctionalInterface
	interface CoalescingHandler<P> {

		/**
		 * Runs the jobs.
		 * @param jobs one or more jobs, the most urgent first
		 * @throws Exception to fail the attempts
		 */
		void run(List<CoalescedJob<P>> jobs) throws Exception;

	}

	/**
	 * Runs one job. The attempt succeeds if the call returns, and fails if it throws an
	 * exception.
	 *
	 * @param <P> the type that the payload is mapped to
	 */
	@FunctionalInterface
	interface Handler<P> {

		/**
		 * Runs the job.
		 * @param payload the payload, or {@code null} if the job has none
		 * @param context the context of the attempt
		 * @throws Exception to fail the attempt
		 */
		void run(@Nullable P payload, JobContext context) throws Exception;

	}

	/**
	 * Runs one job and returns its result.
	 *
	 * @param <P> the type that the payload is mapped to
	 */
	@FunctionalInterface
	interface ReturningHandler<P> {

		/**
		 * Runs the job.
		 * @param payload the payload, or {@code null} if the job has none
		 * @param context the context of the attempt
		 * @return the result, which is stored as JSON with the job, or {@code null} for
		 * none
		 * @throws Exception to fail the attempt
		 */
		@Nullable Object run(@Nullable P payload, JobContext context) throws Exception;

	}

	/** A bean that registers handlers when the application starts. */
	@FunctionalInterface
	interface Registrar {

		/**
		 * Registers handlers.
		 * @param handlers the registry
		 */
		void register(JobHandlers handlers);

	}

}
