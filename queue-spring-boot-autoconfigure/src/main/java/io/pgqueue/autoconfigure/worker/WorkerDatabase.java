package io.pgqueue.autoconfigure.worker;

import javax.sql.DataSource;

import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueProperties.Notifications;
import io.pgqueue.autoconfigure.connection.QueueAddress;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.ListenerSettings;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.engine.worker.WorkerStores;
import org.springframework.util.StringUtils;

/**
 * What a worker has of the database.
 *
 * @param stores claims, ends and whatever else touches jobs
 * @param workers the registrations and heartbeats
 * @param dataSource the worker's own connections
 * @param application the connections of the application
 * @param wakeUps tells of jobs that this process enqueues
 * @param endings notified of the ends of jobs that it runs
 */
record WorkerDatabase(WorkerStores stores, WorkerStore workers, DataSource dataSource,
		ApplicationDataSource application, WakeUps wakeUps, JobEndings endings) {

	/** How the worker listens for notifications. */
	ListenerSettings listener(Notifications notifications) {
		String url = notifications.url();
		return ListenerSettings.of(notifications.enabled(), StringUtils.hasText(url)
				? new QueueAddress(this.application.dataSource()).direct(url, notifications) : null);
	}

}
