package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.SharedConnection;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a shard. The data source of the home shard returns the connection of
 * another shard while a transactional handler runs there: what the handler asks of the
 * home shard is then done outside of that transaction, in the home shard's own database.
 */
final class OwnDatabaseQueue implements JobQueue {

	private final JobQueue queue;

	private final DataSource dataSource;

	OwnDatabaseQueue(JobQueue queue, DataSource dataSource) {
		this.queue = queue;
		this.dataSource = JobTransactions.withoutProxy(dataSource);
	}

	private <T, E extends Exception> T ask(Question<T, E> question) throws E {
		return SharedConnection.outside(this.dataSource, () -> question.ask(this.queue));
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		return ask((own) -> own.enqueue(request));
	}

	@Override
	public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
		return ask((own) -> own.enqueueAll(requests));
	}

	@Override
	public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
		return ask((own) -> own.enqueueAll(requests, results));
	}

	@Override
	public FlowResult enqueue(Flow flow) {
		return ask((own) -> own.enqueue(flow));
	}

	@Override
	public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
		return ask((own) -> own.enqueueBatch(batch, jobs));
	}

	@Override
	public long addToBatch(long batchId, Stream<JobRequest> jobs) {
		return ask((own) -> own.addToBatch(batchId, jobs));
	}

	@Override
	public boolean closeBatch(long batchId) {
		return ask((own) -> own.closeBatch(batchId));
	}

	@Override
	public Optional<BatchProgress> findBatch(long batchId) {
		return ask((own) -> own.findBatch(batchId));
	}

	@Override
	public SignalResult signal(long jobId, String name, @Nullable Object payload) {
		return ask((own) -> own.signal(jobId, name, payload));
	}

	@Override
	public SignalResult signal(String uniqueKey, String name, @Nullable Object payload) {
		return ask((own) -> own.signal(uniqueKey, name, payload));
	}

	@Override
	public Optional<Job> find(long id) {
		return ask((own) -> own.find(id));
	}

	@Override
	public Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		return this.<Optional<Job>, InterruptedException>ask((own) -> own.await(id, timeout));
	}

	/**
	 * Something that is asked of a queue.
	 *
	 * @param <T> the type of the answer
	 * @param <E> what it may throw
	 */
	@FunctionalInterface
	private interface Question<T, E extends Exception> {

		T ask(JobQueue queue) throws E;

	}

}
