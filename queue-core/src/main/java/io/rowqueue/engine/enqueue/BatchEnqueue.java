package io.rowqueue.engine.enqueue;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.flow.Batch;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** Stores batches and adds jobs to them, in the transaction of its caller. */
final class BatchEnqueue {

	private final BatchStore store;

	private final RequestConverter converter;

	private final EnqueueHooks hooks;

	/**
	 * Creates the enqueue of batches.
	 * @param store stores the batches
	 * @param converter converts requests
	 * @param hooks notified of stored jobs
	 */
	BatchEnqueue(BatchStore store, RequestConverter converter, EnqueueHooks hooks) {
		this.store = store;
		this.converter = converter;
		this.hooks = hooks;
	}

	/**
	 * Stores a batch with its first jobs; returns its id.
	 * @param headers the headers of the interceptors, as JSON
	 */
	long create(Batch batch, Stream<JobRequest> jobs, @Nullable String headers, Arrivals.Builder arrivals) {
		long id = this.store.create(batch.name(), batch.open(),
				batch.callbacks().stream().map(Batch.Callback::event).toList(),
				batch.callbacks()
					.stream()
					.map((each) -> this.converter.convertDependent(callback(each), headers))
					.toList());
		store(id, jobs, headers, arrivals);
		return id;
	}

	private JobRequest callback(Batch.Callback callback) {
		JobRequest request = this.converter.complete(callback.request());
		Assert.isTrue(request.unique() == null, () -> "a callback of a batch cannot have a unique key, which the type '"
				+ request.type() + "' gives it by default");
		return request;
	}

	/**
	 * Adds jobs to a batch that has not finished; returns how many of them are new.
	 * @param headers the headers of the interceptors, as JSON
	 */
	long add(long batchId, Stream<JobRequest> jobs, @Nullable String headers, Arrivals.Builder arrivals) {
		this.store.hold(batchId);
		return store(batchId, jobs, headers, arrivals);
	}

	private long store(long batchId, Stream<JobRequest> jobs, @Nullable String headers, Arrivals.Builder arrivals) {
		Iterator<NewJob> converted = jobs.map(this.converter::complete)
			.peek((request) -> check(request.unique()))
			.map(this.converter.conversion(headers))
			.iterator();
		AtomicLong added = new AtomicLong();
		ChunkedEnqueue.of((chunk) -> this.store.add(batchId, chunk), this.hooks)
			.store(converted, (result) -> added.addAndGet((result.outcome() == Outcome.CREATED) ? 1 : 0), arrivals);
		return added.get();
	}

	private static void check(@Nullable UniqueKey key) {
		Assert.isTrue(
				key == null || key.duplicates() instanceof DuplicatePolicy.Keep
						|| key.duplicates() instanceof DuplicatePolicy.Reject,
				"a job of a batch can only keep or reject duplicates of its unique key");
	}

}
