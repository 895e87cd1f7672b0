package io.pgqueue.listen;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.pgqueue.JobRequest;

/**
 * Surrounds each enqueue, be it of one job or many. Declare it as a bean; the order of
 * several is that of {@code @Order}, the first one outermost.
 *
 * @since 0.1.0
 */
public interface EnqueueInterceptor {

	/**
	 * Enqueues: calls {@code enqueue} once, and throws what that throws.
	 * @param requests what is enqueued; empty: they come from a stream and are not known
	 * yet
	 * @param headers kept on each of the jobs and given to whoever runs it; to be added
	 * to before {@code enqueue} is called
	 * @param enqueue stores the jobs
	 * @param <T> what comes of it
	 * @return what came of it
	 */
	<T> T enqueue(List<JobRequest> requests, Map<String, String> headers, Supplier<T> enqueue);

}
