package io.rowqueue.shard.autoconfigure;

import java.util.Map;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.admin.DefaultFlowAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.codec.PayloadKey;
import io.rowqueue.engine.control.DeclaredLimits;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.PendingTables;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.TransactionalJobQueue;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.shard.DefaultShards;
import io.rowqueue.engine.shard.ShardGroup;
import io.rowqueue.engine.shard.ShardedJobQueue;
import io.rowqueue.engine.shard.SharedSlots;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.shard.ShardScope;
import io.rowqueue.shard.ShardSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Primary;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration of a queue that has several databases. The application's context has
 * the beans of the home shard, as if it were the only one, and each further shard has a
 * context of its own. The primary {@code JobQueue} here knows all shards.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "io.rowqueue.autoconfigure.QueueAutoConfiguration",
		"io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@Conditional(QueueShardAutoConfiguration.OnShards.class)
@ConditionalOnBean({ TransactionalJobQueue.class, DefaultJobAdmin.class, DefaultJobEditor.class,
		DefaultQueueOverview.class, DefaultFlowAdmin.class, ClusterWindows.class, DefaultJobLimits.class })
@EnableConfigurationProperties(ShardsProperties.class)
public final class QueueShardAutoConfiguration {

	@Bean
	ShardDataSources rowqueueShardDataSources(ShardsProperties properties, ApplicationDataSource home,
			BeanFactory beans, ObjectProvider<ShardSource> sources) {
		return new ShardDataSources(properties.shards(), home, beans, sources);
	}

	@Bean
	ShardName rowqueueShardName(ShardDataSources dataSources) {
		return new ShardName(dataSources.home(), true);
	}

	@Bean
	SharedSlots rowqueueSharedSlots() {
		return new SharedSlots();
	}

	@Bean
	ShardGroup rowqueueShardGroup(ShardName home, ApplicationContext context) {
		return new ShardGroup(ShardHost.shard(home.value(), context));
	}

	@Bean
	@Primary
	ShardedJobQueue rowqueueShardedJobQueue(ShardGroup group, DeclaredTypes types, KeptJobs kept, PayloadCodec codec,
			TransactionCheck transactions) {
		return new ShardedJobQueue(group,
				(request) -> PayloadKey.derive(withDefaults(request, types.find(request.type())), codec),
				types::isTransactional, kept.all(), transactions);
	}

	private static JobRequest withDefaults(JobRequest request, @Nullable JobType<?> type) {
		return (type != null) ? type.applyTo(request) : request;
	}

	@Bean
	DefaultShards rowqueueShards(ShardGroup group, ShardsLifecycle lifecycle) {
		return new DefaultShards(group, lifecycle::refresh);
	}

	@Bean
	ShardBeans rowqueueShardBeans(ShardName home, ApplicationContext context, ShardsLifecycle lifecycle) {
		return new ShardBeans(home.value(), context, lifecycle);
	}

	@Bean
	ShardsLifecycle rowqueueShardsLifecycle(ShardDataSources dataSources, ShardGroup group, ApplicationContext context,
			PendingTables tables, DeclaredLimits limits, ObjectProvider<RunningWorkers> workers, Outage outage) {
		return new ShardsLifecycle(dataSources, group, context, tables, limits, workers, outage);
	}

	@Bean
	ShardAttemptScope rowqueueShardAttemptScope(ShardName shard, ObjectProvider<ShardScope> scopes) {
		return new ShardAttemptScope(shard.value(), scopes);
	}

	/** No bean depends on it: lazy initialization would omit it. */
	@Bean
	static LazyInitializationExcludeFilter rowqueueShardsLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(ShardsLifecycle.class);
	}

	/** There are shards in the properties, or a bean knows some. */
	static final class OnShards extends AnyNestedCondition {

		OnShards() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(ShardSource.class)
		static final class Source {

		}

		@Conditional(OnShardProperties.class)
		static final class InProperties {

		}

	}

	private static final class OnShardProperties extends SpringBootCondition {

		private static final String NAME = "rowqueue.shards";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean none = Binder.get(context.getEnvironment())
				.bind(NAME, Bindable.mapOf(String.class, Object.class))
				.orElse(Map.of())
				.isEmpty();
			ConditionMessage.Builder message = ConditionMessage.forCondition("Shards");
			return none ? ConditionOutcome.noMatch(message.because("there are none in " + NAME))
					: ConditionOutcome.match(message.because("there are some in " + NAME));
		}

	}

}
