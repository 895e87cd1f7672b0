package io.pgqueue.engine.handler;

import java.util.List;

import io.pgqueue.HandlerOptions;
import io.pgqueue.JobContext;
import io.pgqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;

/**
 * A handler that is ready to run jobs, be it a method or a lambda.
 *
 * @since 0.1.0
 */
public interface RegisteredHandler {

	/**
	 * The type of the jobs that it runs.
	 * @return the type, with placeholders resolved
	 */
	String type();

	/**
	 * Where the handler is found in the application's code, for logs and errors.
	 * @return for example {@code com.acme.Mails.send(WelcomeMail) of bean 'mails'}
	 */
	String description();

	/**
	 * How the jobs are run, as far as the handler itself says so.
	 * @return the options
	 */
	HandlerOptions options();

	/**
	 * Runs one job in the calling thread.
	 * @param payload the payload as JSON, {@code null} if the job has none
	 * @param context what is known about the attempt
	 * @return the result as JSON; {@code null} if there is none or it is not kept
	 * @throws PayloadConversionException if the payload does not map to the parameter;
	 * the application's code has not been called then; or if it has, and its result
	 * cannot be kept
	 * @throws InvalidJobHandlerException if the bean turns out to be one whose method
	 * cannot be called; only of a bean that was not created before
	 * @throws Exception what the application's code threw, as it threw it
	 */
	@Nullable String run(@Nullable String payload, JobContext context) throws Exception;

	/**
	 * Runs jobs together in the calling thread, if its options have it coalesce them.
	 * @param jobs the jobs, the most urgent first; one or more
	 * @throws InvalidJobHandlerException as {@link #run} does
	 * @throws Exception what the application's code threw; it is the end of each of the
	 * jobs that was not failed alone
	 */
	default void runTogether(List<PendingJob> jobs) throws Exception {
		throw new UnsupportedOperationException(description() + " runs one job at a time");
	}

}
