package io.rowqueue.monitoring.autoconfigure.measurement;

import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.measure.HorizonStore;
import io.rowqueue.engine.measure.HorizonTask;
import io.rowqueue.engine.measure.IndexStore;
import io.rowqueue.engine.measure.IndexTask;
import io.rowqueue.engine.measure.OpenBatchesTask;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the tasks that watch what prevents the removal of dead rows,
 * rebuild indexes, and name batches that are never closed.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "io.rowqueue.autoconfigure.worker.QueueMaintenanceAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
public final class QueueHorizonAutoConfiguration {

	@Bean
	HorizonTask rowqueueHorizonTask(QueueDatabases databases) {
		return new HorizonTask(new HorizonStore(databases.worker()));
	}

	@Bean
	@ConditionalOnBooleanProperty("rowqueue.indexes.rebuild")
	IndexTask rowqueueIndexTask(QueueDatabases databases) {
		return new IndexTask(new IndexStore(databases.worker()));
	}

	@Bean
	OpenBatchesTask rowqueueOpenBatchesTask(QueueDatabases databases) {
		return new OpenBatchesTask(databases.worker());
	}

}
