package io.rowqueue.listen;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.rowqueue.JobRequest;

/**
 * Surrounds each enqueue of one job or several. Declare it as a bean; several
 * interceptors are ordered by {@code @Order}, the first one outermost.
 *
 * @since 0.1.0
 */
public interface EnqueueInterceptor {

	/**
	 * Intercepts an enqueue. Implementations must call {@code enqueue} once, and rethrow
	 * its exceptions.
	 * @param requests the jobs to enqueue; empty if they come from a stream that has not
	 * been read yet
	 * @param headers the headers that are stored with each of the jobs; entries must be
	 * added before {@code enqueue} is called
	 * @param enqueue stores the jobs
	 * @param <T> the result type
	 * @return the result of {@code enqueue}
	 */
	<T> T enqueue(List<JobRequest> requests, Map<String, String> headers, Supplier<T> enqueue);

}
