package io.rowqueue.engine.enqueue;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.listen.EnqueueInterceptor;
import io.rowqueue.listen.JobListener;
import org.jspecify.annotations.Nullable;

/**
 * The participants in an enqueue. They may depend on the queue themselves, so they are
 * not looked up before the first job is enqueued; the suppliers should cache them.
 *
 * @param interceptors the interceptors, the first one outermost
 * @param listener is notified of stored jobs
 * @param types the declared types, whose defaults apply to requests
 * @param directStart the idle slots of this process
 * @param windows postpones jobs to the openings of their windows
 */
public record EnqueueHooks(Supplier<List<EnqueueInterceptor>> interceptors, Supplier<JobListener> listener,
		DeclaredTypes types, DirectStart directStart, JobWindows windows) {

	/** Applies the defaults of the request's type. */
	JobRequest complete(JobRequest request) {
		JobType<?> type = this.types.find(request.type());
		return (type != null) ? type.applyTo(request) : request;
	}

	/** Enqueues with the headers of the interceptors, as JSON. */
	<T> T around(Collection<JobRequest> requests, Function<@Nullable String, T> enqueue) {
		List<EnqueueInterceptor> all = this.interceptors.get();
		return all.isEmpty() ? enqueue.apply(null) : around(all, List.copyOf(requests), new LinkedHashMap<>(), enqueue);
	}

	private static <T> T around(List<EnqueueInterceptor> rest, List<JobRequest> requests, Map<String, String> headers,
			Function<@Nullable String, T> enqueue) {
		if (rest.isEmpty()) {
			return enqueue.apply(JsonTexts.write(headers));
		}
		return rest.get(0)
			.enqueue(requests, headers, () -> around(rest.subList(1, rest.size()), requests, headers, enqueue));
	}

	void enqueued(NewJob job, EnqueueResult result) {
		this.listener.get().enqueued(job.request(), result);
	}

	void enqueued(List<NewJob> jobs, List<EnqueueResult> results) {
		JobListener notified = this.listener.get();
		if (notified != JobListener.NONE) {
			for (int i = 0; i < jobs.size(); i++) {
				notified.enqueued(jobs.get(i).request(), results.get(i));
			}
		}
	}

}
