package io.pgqueue.engine.enqueue;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.pgqueue.EnqueueResult;
import io.pgqueue.JobRequest;
import io.pgqueue.JobType;
import io.pgqueue.engine.codec.JobHeaders;
import io.pgqueue.engine.job.NewJob;
import io.pgqueue.listen.EnqueueInterceptor;
import io.pgqueue.listen.JobListener;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part in enqueueing besides the queue. They may need the queue themselves, so
 * they are asked for when the first job is enqueued, and should be remembered by whoever
 * supplies them.
 *
 * @param interceptors surround it, the first one outermost
 * @param listener told of stored jobs
 * @param types have defaults for what requests leave open
 */
public record EnqueueHooks(Supplier<List<EnqueueInterceptor>> interceptors, Supplier<JobListener> listener,
		DeclaredTypes types) {

	/** Nobody. */
	public static final EnqueueHooks NONE = new EnqueueHooks(List::of, () -> JobListener.NONE);

	/** For requests that leave nothing open. */
	public EnqueueHooks(Supplier<List<EnqueueInterceptor>> interceptors, Supplier<JobListener> listener) {
		this(interceptors, listener, DeclaredTypes.NONE);
	}

	/** With the defaults of its type. */
	JobRequest complete(JobRequest request) {
		JobType<?> type = this.types.find(request.type());
		return (type != null) ? type.applyTo(request) : request;
	}

	/** Enqueues with the headers that the interceptors gave, as JSON. */
	<T> T around(Collection<JobRequest> requests, Function<@Nullable String, T> enqueue) {
		List<EnqueueInterceptor> all = this.interceptors.get();
		return all.isEmpty() ? enqueue.apply(null) : around(all, List.copyOf(requests), new LinkedHashMap<>(), enqueue);
	}

	private static <T> T around(List<EnqueueInterceptor> rest, List<JobRequest> requests, Map<String, String> headers,
			Function<@Nullable String, T> enqueue) {
		if (rest.isEmpty()) {
			return enqueue.apply(JobHeaders.write(headers));
		}
		return rest.get(0)
			.enqueue(requests, headers, () -> around(rest.subList(1, rest.size()), requests, headers, enqueue));
	}

	void enqueued(List<NewJob> jobs, List<EnqueueResult> results) {
		JobListener told = this.listener.get();
		if (told != JobListener.NONE) {
			for (int i = 0; i < jobs.size(); i++) {
				told.enqueued(jobs.get(i).request(), results.get(i));
			}
		}
	}

}
