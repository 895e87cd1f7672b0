package io.pgqueue.autoconfigure.shard;

import java.util.Map;

import io.pgqueue.JobRequest;
import io.pgqueue.JobType;
import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.ShardName;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.autoconfigure.schema.QueueSchemaInitializer;
import io.pgqueue.autoconfigure.worker.QueueLifecycle;
import io.pgqueue.engine.admin.DefaultJobAdmin;
import io.pgqueue.engine.admin.DefaultJobEditor;
import io.pgqueue.engine.admin.DefaultJobLimits;
import io.pgqueue.engine.admin.DefaultQueueOverview;
import io.pgqueue.engine.enqueue.TransactionalJobQueue;
import io.pgqueue.engine.flow.DefaultFlowAdmin;
import io.pgqueue.engine.shard.DefaultShards;
import io.pgqueue.engine.shard.ShardGroup;
import io.pgqueue.engine.shard.ShardedFlowAdmin;
import io.pgqueue.engine.shard.ShardedJobAdmin;
import io.pgqueue.engine.shard.ShardedJobEditor;
import io.pgqueue.engine.shard.ShardedJobLimits;
import io.pgqueue.engine.shard.ShardedJobQueue;
import io.pgqueue.engine.shard.ShardedJobs;
import io.pgqueue.engine.shard.ShardedOverview;
import io.pgqueue.engine.shard.ShardedWindows;
import io.pgqueue.engine.slot.SharedSlots;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.window.ClusterWindows;
import io.pgqueue.shard.ShardRole;
import io.pgqueue.shard.ShardScope;
import io.pgqueue.shard.ShardSource;
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
 * context of its own. The beans of the types that applications inject are primary here
 * and know all shards.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, QueueLimitsAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@Conditional(QueueShardAutoConfiguration.OnShards.class)
@ConditionalOnBean({ TransactionalJobQueue.class, DefaultJobAdmin.class, DefaultJobEditor.class,
		DefaultQueueOverview.class, DefaultFlowAdmin.class, ClusterWindows.class, DefaultJobLimits.class })
@EnableConfigurationProperties(QueueProperties.class)
public final class QueueShardAutoConfiguration {

	@Bean
	ShardDataSources pgqueueShardDataSources(QueueProperties properties, ApplicationDataSource home, BeanFactory beans,
			ObjectProvider<ShardSource> sources) {
		return new ShardDataSources(properties.shards(), home, beans, sources);
	}

	@Bean
	ShardName pgqueueShardName(ShardDataSources dataSources) {
		return new ShardName(dataSources.home(), true);
	}

	@Bean
	SharedSlots pgqueueSharedSlots() {
		return new SharedSlots();
	}

	@Bean
	ShardGroup pgqueueShardGroup(ShardName home, ApplicationContext context) {
		return new ShardGroup(ShardHost.shard(home.value(), context, ShardRole.QUEUE));
	}

	@Bean
	@Primary
	ShardedJobQueue pgqueueShardedJobQueue(ShardGroup group, HandlerRegistryFactory handlers,
			QueueProperties properties) {
		return new ShardedJobQueue(group, (request) -> withDefaults(request, handlers.find(request.type())),
				handlers::isTransactional, properties.retention().retention().keptJobs().all());
	}

	private static JobRequest withDefaults(JobRequest request, @Nullable JobType<?> type) {
		return (type != null) ? type.applyTo(request) : request;
	}

	@Bean
	@Primary
	ShardedJobAdmin pgqueueShardedJobAdmin(ShardGroup group) {
		return new ShardedJobAdmin(group);
	}

	@Bean
	@Primary
	ShardedJobEditor pgqueueShardedJobEditor(ShardGroup group) {
		return new ShardedJobEditor(group);
	}

	@Bean
	@Primary
	ShardedOverview pgqueueShardedOverview(ShardGroup group) {
		return new ShardedOverview(group);
	}

	@Bean
	@Primary
	ShardedFlowAdmin pgqueueShardedFlowAdmin(ShardGroup group) {
		return new ShardedFlowAdmin(group);
	}

	@Bean
	@Primary
	ShardedWindows pgqueueShardedWindows(ShardGroup group) {
		return new ShardedWindows(group);
	}

	@Bean
	@Primary
	ShardedJobLimits pgqueueShardedJobLimits(ShardGroup group) {
		return new ShardedJobLimits(group);
	}

	@Bean
	ShardedJobs pgqueueShardedJobs(ShardGroup group) {
		return new ShardedJobs(group);
	}

	@Bean
	DefaultShards pgqueueShards(ShardGroup group, ShardsLifecycle lifecycle) {
		return new DefaultShards(group, lifecycle::refresh);
	}

	@Bean
	ShardBeans pgqueueShardBeans(ShardName home, ApplicationContext context, ShardsLifecycle lifecycle) {
		return new ShardBeans(home.value(), context, lifecycle);
	}

	@Bean
	ShardsLifecycle pgqueueShardsLifecycle(ShardDataSources dataSources, ShardGroup group, ApplicationContext context,
			QueueSchemaInitializer schema, ObjectProvider<QueueLifecycle> worker, Outage outage) {
		return new ShardsLifecycle(dataSources, group, context, schema, worker, outage);
	}

	@Bean
	ShardAttemptScope pgqueueShardAttemptScope(ShardName shard, ObjectProvider<ShardScope> scopes) {
		return new ShardAttemptScope(shard.value(), scopes);
	}

	/** No bean depends on it: lazy initialization would omit it. */
	@Bean
	static LazyInitializationExcludeFilter pgqueueShardsLazyInitializationExcludeFilter() {
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

		private static final String NAME = "pgqueue.shards";

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
