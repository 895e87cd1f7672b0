package io.rowqueue.engine.enqueue;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;

/**
 * Converts requests to jobs to store. Before interceptors see a request, the defaults of
 * its type are applied, and the time at which its job expires and a key of its payload
 * are determined; after them, its payload is written.
 */
final class RequestConverter {

	private final EnqueueHooks hooks;

	private final ExpiringRequests expiring;

	private final PayloadWriter payloads;

	/**
	 * Creates the converter.
	 * @param hooks knows the defaults of the types and the windows
	 * @param database knows the time
	 * @param payloads writes payloads
	 */
	RequestConverter(EnqueueHooks hooks, QueueDatabase database, PayloadWriter payloads) {
		this.hooks = hooks;
		this.expiring = new ExpiringRequests(database::now);
		this.payloads = payloads;
	}

	/** Returns the request as interceptors see it. */
	JobRequest complete(JobRequest request) {
		RequestChecks.present("a request", request);
		JobRequest completed = this.expiring.date(this.payloads.keyed(this.hooks.complete(request)));
		JobRequest onFailure = completed.onFailure();
		return (onFailure != null) ? completed.onFailure(new Spread().apply(this.hooks.complete(onFailure)))
				: completed;
	}

	/**
	 * Returns what makes jobs of the complete requests of one call, postponed to the
	 * openings of their windows and spread.
	 * @param headers the headers of the interceptors, as JSON
	 */
	Function<JobRequest, NewJob> conversion(@Nullable String headers) {
		UnaryOperator<JobRequest> postponement = this.hooks.windows().postponement(this.expiring::now);
		Spread spread = new Spread();
		return (completed) -> write(spread.apply(postponement.apply(completed)), headers);
	}

	/**
	 * Returns the job of a complete request that is stored before it is known when the
	 * job can begin, as those of flows are. The worker checks its window.
	 * @param headers the headers of the interceptors, as JSON
	 */
	NewJob convertDependent(JobRequest completed, @Nullable String headers) {
		return write(new Spread().apply(completed), headers);
	}

	private NewJob write(JobRequest request, @Nullable String headers) {
		NewJob job = this.payloads.write(request, headers);
		for (NewJob each = job; each != null; each = each.onFailure()) {
			this.hooks.types().check(each.request(), each.payload());
		}
		return job;
	}

}
