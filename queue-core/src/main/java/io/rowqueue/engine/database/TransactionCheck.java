package io.rowqueue.engine.database;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.JobQueueException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What becomes of calls that enqueue outside of a transaction of the queue's database,
 * and are committed on their own. A transaction of another resource does not commit them.
 */
public final class TransactionCheck {

	private static final Logger logger = LoggerFactory.getLogger(TransactionCheck.class);

	private static final String PROPERTY = "rowqueue.enqueue.transaction";

	/** An application may invent names of transactions. */
	private static final int MAX_WARNINGS = 100;

	private final Mode mode;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/** Creates the check. */
	public TransactionCheck(Mode mode) {
		this.mode = mode;
	}

	/**
	 * Something is about to be enqueued outside of a transaction of the queue's database.
	 * @throws JobQueueException if a transaction is required
	 */
	public void outside() {
		if (this.mode == Mode.REQUIRED) {
			throw new JobQueueException("%s is 'required', and %s. Call it in a transaction of the queue's DataSource"
				.formatted(PROPERTY, reason()));
		}
		if (this.mode == Mode.WARN && isInAnother() && !TransactionEndListener.isCommitting()) {
			warn(name());
		}
	}

	private static String reason() {
		if (TransactionEndListener.isCommitting()) {
			return "the transaction of this call has ended (as in afterCommit): begin another one";
		}
		return isInAnother() ? "the " + name() + " is one of another resource"
				: "this call is in no transaction: @Transactional may be missing, or its method be called within its"
						+ " own bean";
	}

	private static boolean isInAnother() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive();
	}

	private static String name() {
		@Nullable String name = TransactionSynchronizationManager.getCurrentTransactionName();
		return (name != null) ? "transaction '" + name + "'" : "transaction";
	}

	private void warn(String transaction) {
		if (this.warned.size() < MAX_WARNINGS && this.warned.add(transaction)) {
			logger
				.warn("A call in the {} has enqueued something that is committed at once: that is a transaction of another"
						+ " resource than the queue's DataSource, and jobs run even if it is rolled back. Begin the"
						+ " transaction with the manager of that DataSource, or enqueue after its commit. {}=required"
						+ " refuses such calls, and 'any' allows them without this warning", transaction, PROPERTY);
		}
	}

	/** Which calls are accepted. */
	public enum Mode {

		/** All of them. */
		ANY,

		/** All of them, and those in transactions of another resource are logged. */
		WARN,

		/** Only those in transactions of the queue's database. */
		REQUIRED

	}

}
