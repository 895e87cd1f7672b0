package io.rowqueue.autoconfigure.endpoint;

import java.util.List;

import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.autoconfigure.admin.AdminCommands;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import io.rowqueue.window.Windows;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessResourceFailureException;

/** What the endpoint reads and changes: one shard, by default the home shard. */
final class EndpointShards {

	private final ApplicationContext home;

	/** {@code null}: the queue has one database. */
	private final @Nullable ShardBeans shards;

	/**
	 * Creates it.
	 * @param home the beans of the only database, or of the home shard
	 * @param shards the beans of each shard; {@code null}: the queue has one database
	 */
	EndpointShards(ApplicationContext home, @Nullable ShardBeans shards) {
		this.home = home;
		this.shards = shards;
	}

	/** Returns all shards; {@code null}: the queue has one database. */
	@Nullable List<Shard> list() {
		return (this.shards != null) ? this.home.getBean(Shards.class).list() : null;
	}

	/**
	 * Returns what reads a shard.
	 * @param shard its name; {@code null}: the home shard
	 */
	QueueReader reader(@Nullable String shard) {
		ApplicationContext beans = beans(shard);
		return new QueueReader(beans.getBean(JobAdmin.class), beans.getBean(FlowAdmin.class),
				beans.getBean(QueueOverview.class), beans.getBean(JobSearch.class), beans.getBean(JobStore.class),
				beans.getBean(JobLimits.class), beans.getBean(BatchStore.class), beans.getBean(Schedules.class),
				beans.getBean(Windows.class), beans.getBean(Operations.class));
	}

	/**
	 * Returns what changes a shard.
	 * @param shard its name; {@code null}: the home shard
	 */
	AdminCommands commands(@Nullable String shard) {
		return AdminCommands.of(beans(shard), "endpoint", this.home);
	}

	private ApplicationContext beans(@Nullable String shard) {
		if (shard == null) {
			return this.home;
		}
		if (this.shards == null) {
			throw InvalidRequest.because("this queue has one database and no shards");
		}
		if (!this.shards.names().contains(shard)) {
			throw InvalidRequest.because("there is no shard '" + shard + "'");
		}
		return this.shards.context(shard)
			.orElseThrow(() -> new DataAccessResourceFailureException(
					"The shard '" + shard + "' has not been available to this process yet"));
	}

}
