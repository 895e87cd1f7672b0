package io.rowqueue.engine.attempt;

import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A step in a transaction of another database, which is recorded when that has been
 * committed.
 */
final class UncommittedStep implements TransactionSynchronization {

	private final ActiveJob job;

	private final String name;

	private final @Nullable String result;

	private final Runnable committed;

	/**
	 * Creates the step.
	 * @param result the result as JSON, or {@code null}
	 * @param committed called when the transaction has been committed
	 */
	UncommittedStep(ActiveJob job, String name, @Nullable String result, Runnable committed) {
		this.job = job;
		this.name = name;
		this.result = result;
		this.committed = committed;
	}

	/** Finds a step in the transaction of the calling thread. */
	static Optional<UncommittedStep> find(ActiveJob job, String name) {
		return TransactionSynchronizationManager.isSynchronizationActive()
				? TransactionSynchronizationManager.getSynchronizations()
					.stream()
					.filter(UncommittedStep.class::isInstance)
					.map(UncommittedStep.class::cast)
					.filter((step) -> step.job == job && step.name.equals(name))
					.findFirst()
				: Optional.empty();
	}

	@Nullable String result() {
		return this.result;
	}

	@Override
	public void afterCommit() {
		this.committed.run();
	}

}
