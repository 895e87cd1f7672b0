package io.rowqueue.dashboard.autoconfigure;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rowqueue.admin.JobEditor;
import io.rowqueue.autoconfigure.admin.AdminCommands;
import io.rowqueue.autoconfigure.admin.PayloadCommands;
import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.http.Api;
import io.rowqueue.dashboard.http.Json;
import io.rowqueue.dashboard.http.Shards;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Creates the resources of a database. Those of a shard read and change that shard only.
 *
 * @param about what the pages say about the application
 * @param maskers decides what is shown
 * @param thresholds when something is wrong
 * @param staleAfter how old the measurement may be
 * @param handlers the handlers of this process
 * @param events publishes an audit event for each operation
 * @param shards the beans of each shard; {@code null}: the queue has one database
 */
record DashboardFactory(AboutDashboard about, Maskers maskers, HealthThresholds thresholds, Duration staleAfter,
		Supplier<HandlerRegistry> handlers, ApplicationEventPublisher events, @Nullable ShardBeans shards) {

	/** The resources of the only database, or of the home shard. */
	DashboardRoutes home(ApplicationContext context, ReadPool pool) {
		return routes(context, pool, (this.shards != null) ? this.shards.home() : Shard.HOME);
	}

	/** The resources of the other shards. */
	Shards others(Function<ReadPools, ReadPool> connections, Json json) {
		ShardBeans beans = this.shards;
		if (beans == null) {
			return Shards.NONE;
		}
		return new ShardApis(beans, (name, context) -> {
			ReadPool pool = connections.apply(context.getBean(ReadPools.class));
			((DefaultSingletonBeanRegistry) context.getAutowireCapableBeanFactory())
				.registerDisposableBean("rowqueueDashboardPool", pool::close);
			return new Api(routes(context, pool, name).routes(), json);
		});
	}

	private DashboardRoutes routes(ApplicationContext context, ReadPool pool, String shard) {
		return DashboardRoutes.of(pool,
				new DashboardRoutes.Setup(this.about, actions(context), this.maskers, this.thresholds,
						context.getBean(Measurements.class), this.staleAfter, this.handlers,
						new KnownShards(this.shards, shard)));
	}

	private CommandActions actions(ApplicationContext context) {
		AdminCommands commands = AdminCommands.of(context, "dashboard", this.events);
		return new CommandActions(commands, new PayloadCommands(context.getBean(JobEditor.class), commands),
				this.about);
	}

}
