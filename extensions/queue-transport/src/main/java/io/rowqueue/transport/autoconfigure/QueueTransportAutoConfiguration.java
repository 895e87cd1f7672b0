package io.rowqueue.transport.autoconfigure;

import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.database.WorkerPool;
import io.rowqueue.engine.outbox.CarriedJobs;
import io.rowqueue.engine.transport.DeleteAcknowledgedTask;
import io.rowqueue.engine.transport.TransportParts;
import io.rowqueue.transport.JobTransport;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the jobs that a {@link JobTransport} carries, if there is one.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "io.rowqueue.autoconfigure.QueueAutoConfiguration")
@ConditionalOnBean(JobTransport.class)
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
public final class QueueTransportAutoConfiguration {

	@Bean
	CarriedJobs rowqueueCarriedJobs(QueueDatabases databases, JobTransport transport) {
		return new CarriedJobs(databases, transport);
	}

	/** What the worker has. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
	static class WorkerConfiguration {

		@Bean
		TransportParts rowqueueTransportParts(JobTransport transport, QueueDatabases databases, WorkerPool pool,
				ObjectProvider<ShardName> shard) {
			ShardName name = shard.getIfAvailable();
			return new TransportParts(transport, databases.worker(), pool.dataSource(), name == null || name.home());
		}

		@Bean
		DeleteAcknowledgedTask rowqueueDeleteAcknowledgedTask(JobTransport transport) {
			return new DeleteAcknowledgedTask(transport);
		}

	}

}
