package io.rowqueue.engine.attempt;

import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.SuccessStore;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.engine.window.WindowStore;

/**
 * What handlers use while they run, and what ends their transactions.
 *
 * @param jobs reads what other jobs returned
 * @param batches finds the batch of a job
 * @param steps records steps at once
 * @param stepsInTransaction records steps in the transaction of their caller
 * @param caller the transaction that a step is called in
 * @param waits lets handlers wait
 * @param successesInTransaction ends the jobs of transactional handlers
 * @param windows reads when queues and types are run
 */
public record RunDatabase(JobStore jobs, BatchStore batches, StepStore steps, StepStore stepsInTransaction,
		JoinedTransaction caller, WaitStore waits, SuccessStore successesInTransaction, WindowStore windows) {

	/** In a database as the application and workers see it. */
	public RunDatabase(QueueDatabase application, QueueDatabase worker, KeptJobs kept, JoinedTransaction caller) {
		this(new JobStore(application, worker), new BatchStore(application, worker, kept), new StepStore(worker),
				new StepStore(application), caller, new WaitStore(worker),
				SuccessStore.inTransaction(application, kept), new WindowStore(worker));
	}

}
