package io.rowqueue.autoconfigure.worker;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import io.rowqueue.RetryPolicy;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.worker.ListenerSettings;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.engine.worker.WorkerParts;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Creates the parts of a worker: new ones for each start of the context.
 *
 * @param properties the properties
 * @param environment decides whether jobs run in virtual threads
 * @param database the parts that use the database
 * @param transactions finds the transactions of transactional handlers
 * @param retries decides when to retry a failed job
 * @param hooks interceptors and listeners; called when the application is ready
 * @param declarations schedules, windows and types that the application declares
 * @param directStart where the worker offers its idle slots
 * @param shards whether the queue has several databases: a job in one of them may be
 * announced in another one, so that workers must look for themselves
 */
record WorkerFactory(QueueProperties properties, Environment environment, WorkerDatabase database,
		HandlerTransactions transactions, RetryPolicy retries, Supplier<WorkerHooks> hooks,
		Supplier<Set<String>> declarations, DirectStart directStart, boolean shards) {

	private static final String THREADS = "rowqueue-job-";

	/** Divides the types between the workers of this process. */
	List<WorkerShare> shares(HandlerRegistry handlers) {
		return WorkerShare.of(handlers, this.properties, this.database.carriage());
	}

	WorkerParts parts(WorkerShare share) {
		HandlerRegistry handlers = share.handlers();
		return new WorkerParts(this.database.databases(), this.database.caller(),
				this.properties.retention().retention().keptJobs(), this.database.connections().dataSource(),
				listener(), this.database.wakeUps(), this.database.endings(), handlers, this.retries,
				this.transactions.of(handlers), threads(),
				this.shards ? share.settings().neverIdle() : share.settings(), this.hooks.get(),
				this.declarations.get(), share.isMain() ? this.directStart : DirectStart.NONE,
				share.isMain() ? this.database.part() : WorkerPart.Factory.NONE);
	}

	private ListenerSettings listener() {
		return ListenerSettings.of(this.properties.notifications().enabled(), this.database.connections().direct());
	}

	private ThreadFactory threads() {
		if (Threading.VIRTUAL.isActive(this.environment)) {
			return new VirtualThreadTaskExecutor(THREADS).getVirtualThreadFactory();
		}
		CustomizableThreadFactory threads = new CustomizableThreadFactory(THREADS);
		threads.setDaemon(true);
		return threads;
	}

}
