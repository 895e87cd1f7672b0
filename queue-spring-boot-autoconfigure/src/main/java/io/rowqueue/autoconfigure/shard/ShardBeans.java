package io.rowqueue.autoconfigure.shard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.window.Windows;
import org.springframework.context.ApplicationContext;

/**
 * The beans of each shard, for what shows or changes one shard at a time, such as the
 * dashboard.
 *
 * @since 0.1.0
 */
public final class ShardBeans {

	/** The application's context has others of these types, which know all shards. */
	private static final Map<Class<?>, String> OF_ONE_SHARD = Map.of(JobQueue.class, ShardContext.JOB_QUEUE,
			JobAdmin.class, ShardContext.JOB_ADMIN, JobEditor.class, ShardContext.JOB_EDITOR, QueueOverview.class,
			ShardContext.OVERVIEW, FlowAdmin.class, ShardContext.FLOW_ADMIN, Windows.class, ShardContext.WINDOWS,
			JobLimits.class, ShardContext.JOB_LIMITS);

	private final String home;

	private final ApplicationContext application;

	private final ShardsLifecycle shards;

	ShardBeans(String home, ApplicationContext application, ShardsLifecycle shards) {
		this.home = home;
		this.application = application;
		this.shards = shards;
	}

	/** Returns the name of the home shard. */
	public String home() {
		return this.home;
	}

	/** Returns the names of all shards, also of those that are not available. */
	public List<String> names() {
		return Stream.concat(Stream.of(this.home), this.shards.hosts().stream().map(ShardHost::name).sorted()).toList();
	}

	/**
	 * Returns the context with the beans of a shard.
	 * @param shard the name of the shard
	 * @return the context, which is closed when this process uses the shard no more;
	 * empty if there is no such shard, or it has not been available to this process yet
	 */
	public Optional<ApplicationContext> context(String shard) {
		return shard.equals(this.home) ? Optional.of(this.application)
				: this.shards.hosts()
					.stream()
					.filter((host) -> host.name().equals(shard))
					.findFirst()
					.flatMap(ShardHost::context);
	}

	/**
	 * Returns the bean that knows one shard only.
	 * @param context the context with the beans of the shard
	 * @param type the type of the bean
	 */
	public static <T> T bean(ApplicationContext context, Class<T> type) {
		String name = OF_ONE_SHARD.get(type);
		return (name != null) ? context.getBean(name, type) : context.getBean(type);
	}

}
