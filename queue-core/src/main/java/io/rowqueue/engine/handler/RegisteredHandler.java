package io.rowqueue.engine.handler;

import java.lang.reflect.Type;
import java.util.List;

import io.rowqueue.FailJobException;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;

/**
 * A registered handler: a method or a function.
 *
 * @since 0.1.0
 */
public interface RegisteredHandler {

	/**
	 * Returns the type of the jobs that it runs.
	 * @return the type, with resolved placeholders
	 */
	String type();

	/**
	 * Returns the location of the handler in the application's code, for logs and errors.
	 * @return for example {@code com.acme.Mails.send(WelcomeMail) of bean 'mails'}
	 */
	String description();

	/**
	 * Returns the options that the handler itself sets.
	 * @return the options
	 */
	HandlerOptions options();

	/**
	 * Returns the type that the payload of each job is mapped to.
	 * @return the type, or {@code null} if the handler takes no payload
	 */
	@Nullable Type payloadType();

	/**
	 * Runs one job in the calling thread.
	 * @param payload the payload as JSON, or {@code null} if the job has none
	 * @param context the context of the attempt
	 * @return the result as JSON; {@code null} if there is none or results are not kept
	 * @throws PayloadConversionException if the payload cannot be mapped to the
	 * parameter, in which case the application's code was not called
	 * @throws FailJobException if the result cannot be kept
	 * @throws InvalidJobHandlerException if the method of the bean cannot be called,
	 * which is only possible for a bean that did not exist before
	 * @throws Exception the exception of the application's code, not wrapped
	 */
	@Nullable String run(@Nullable String payload, JobContext context) throws Exception;

	/**
	 * Checks that a payload can be mapped to the parameter, without calling the
	 * application's handler.
	 * @param payload the payload as JSON, or {@code null} if the job has none
	 * @throws PayloadConversionException if it cannot be mapped
	 */
	void checkPayload(@Nullable String payload);

	/**
	 * Runs several jobs in the calling thread, if the options have {@code coalesce} set.
	 * @param jobs one or more jobs, the most urgent first
	 * @throws InvalidJobHandlerException as for {@link #run}
	 * @throws Exception the exception of the application's code, which fails all jobs
	 * that were not failed separately
	 */
	default void runTogether(List<PendingJob> jobs) throws Exception {
		throw new UnsupportedOperationException(description() + " does not coalesce jobs");
	}

}
