package io.rowqueue.engine.database;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What this process does at the end of the calling thread's transaction. It comes before
 * the synchronizations of others, which may block or fail, and a participant that fails
 * keeps no other one from its work: nobody would learn of its exception.
 */
public final class TransactionEnd implements TransactionSynchronization, PriorityOrdered {

	private static final Logger logger = LoggerFactory.getLogger(TransactionEnd.class);

	private final TransactionExecution transaction;

	private final Map<Object, Participant> participants = new LinkedHashMap<>();

	private boolean come;

	TransactionEnd(TransactionExecution transaction) {
		this.transaction = transaction;
	}

	/**
	 * Returns the end of a transaction.
	 * @param connection its connection, which is bound to the calling thread
	 * @return {@code null} if this process is not notified of it
	 */
	static @Nullable TransactionEnd of(ConnectionHolder connection) {
		return (TransactionEnd) TransactionSynchronizationManager.getResource(connection);
	}

	boolean isOf(TransactionExecution transaction) {
		return this.transaction == transaction;
	}

	/** Nothing that is written from now on is committed with the transaction. */
	void hasCome() {
		this.come = true;
	}

	/** Whether it {@linkplain #hasCome() has come}. */
	boolean isOver() {
		return this.come;
	}

	/**
	 * Returns a participant, which is added if there is none with that key.
	 */
	@SuppressWarnings("unchecked")
	public <P extends Participant> P participant(Object key, Supplier<P> added) {
		return (P) this.participants.computeIfAbsent(key, (absent) -> added.get());
	}

	/** Adds a participant. */
	void add(Participant participant) {
		this.participants.put(new Object(), participant);
	}

	/** The transaction is about to change jobs, maybe some that it has enqueued. */
	void beforeChange() {
		List.copyOf(this.participants.values()).forEach(Participant::beforeChange);
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void afterCommit() {
		end(Participant::committed);
	}

	/**
	 * Also if another synchronization has kept {@link #afterCommit} from being called.
	 */
	@Override
	public void afterCompletion(int status) {
		hasCome();
		end((status == STATUS_COMMITTED) ? Participant::committed : Participant::notCommitted);
	}

	private void end(Consumer<Participant> how) {
		List<Participant> all = List.copyOf(this.participants.values());
		this.participants.clear();
		for (Participant each : all) {
			try {
				how.accept(each);
			}
			catch (Throwable ex) { // the transaction has ended, whatever is thrown
				logger.error("After the end of a transaction: {}", each, ex);
			}
		}
	}

	/**
	 * Someone with work to do at the end of a transaction; one of the methods is called.
	 */
	@FunctionalInterface
	public interface Participant {

		/** The transaction was committed. */
		void committed();

		/** The transaction was rolled back, or it is not known how it has ended. */
		default void notCommitted() {
		}

		/** The transaction is about to change jobs, maybe some that it has enqueued. */
		default void beforeChange() {
		}

	}

}
