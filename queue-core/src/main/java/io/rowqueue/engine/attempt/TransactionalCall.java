package io.rowqueue.engine.attempt;

import java.util.Optional;

import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.JobTransactions.End;
import io.rowqueue.engine.database.OwnTransaction.Work;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Outage;
import org.slf4j.Logger;
import org.springframework.transaction.TransactionException;

/**
 * A handler and the end of its job in one transaction. What goes wrong before the handler
 * and after it is not the handler's fault, and is marked as such.
 */
final class TransactionalCall {

	private static final Logger logger = JobLog.logger();

	private final ActiveJob job;

	private final Work<Optional<String>, Exception> handler;

	private final End<Optional<String>> end;

	private boolean begun;

	private boolean returned;

	TransactionalCall(ActiveJob job, Work<Optional<String>, Exception> handler, End<Optional<String>> end) {
		this.job = job;
		this.handler = handler;
		this.end = end;
	}

	void run(JobTransactions transactions) throws Exception {
		try {
			transactions.execute(this::handle, this.end, this::hasSucceededAnyway);
		}
		catch (Exception ex) {
			if (!this.begun && (ex instanceof TransactionException || Outage.isAway(ex))) {
				this.job.lostTransaction(ConnectionLoss.BEFORE_THE_HANDLER);
			}
			else if (this.returned && Outage.isAway(ex)) {
				this.job.lostTransaction(ConnectionLoss.AFTER_THE_HANDLER);
			}
			throw ex;
		}
	}

	private Optional<String> handle() throws Exception {
		this.begun = true;
		Optional<String> result = this.handler.run();
		this.returned = true;
		return result;
	}

	private void hasSucceededAnyway(Throwable failure) {
		logger.error("{} has succeeded, and its transaction was committed, but afterwards a synchronization of"
				+ " the transaction has thrown an exception", this.job, failure);
	}

}
