package io.rowqueue.engine.operation;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rowqueue.admin.operation.BulkOperation;
import io.rowqueue.admin.operation.Operation;
import io.rowqueue.admin.operation.OperationOutcome;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.engine.support.ErrorText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;

/** The default implementation of {@link Operations}. */
public final class DefaultOperations implements Operations {

	private static final Logger logger = LoggerFactory.getLogger(DefaultOperations.class);

	private final OperationStore store;

	private final BulkStore bulk;

	/**
	 * Creates the operations.
	 * @param store keeps the records
	 * @param bulk keeps the progress of operations on many jobs
	 */
	public DefaultOperations(OperationStore store, BulkStore bulk) {
		this.store = store;
		this.bulk = bulk;
	}

	@Override
	public <T> Recorded<T> perform(Operation request, Supplier<T> work, Function<T, OperationOutcome> outcome) {
		long id = this.store.begin(request);
		T result;
		try {
			result = work.get();
		}
		catch (RuntimeException | Error ex) {
			end(id, OperationOutcome.failed("failed: " + ex.getClass().getName()));
			throw ex;
		}
		end(id, outcome.apply(result));
		return new Recorded<>(result, id);
	}

	/**
	 * The operation has been performed: it does not fail if its outcome cannot be
	 * recorded.
	 */
	private void end(long id, OperationOutcome outcome) {
		try {
			this.store.end(id, outcome);
		}
		catch (DataAccessException ex) {
			logger.warn("The outcome of operation {} ({}) could not be recorded: {}", id, outcome.state().label(),
					ErrorText.summary(ex.getMostSpecificCause()));
		}
	}

	@Override
	public long start(BulkOperation request) {
		return this.bulk.start(request);
	}

	@Override
	public boolean stop(long id) {
		return this.bulk.stop(id);
	}

	@Override
	public List<RecordedOperation> list(Filter filter, long before, int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_RESULTS, () -> "a page has 1 to " + MAX_RESULTS + " operations");
		return this.store.list(filter, before, limit);
	}

	@Override
	public Optional<RecordedOperation> find(long id) {
		return this.store.find(id);
	}

}
