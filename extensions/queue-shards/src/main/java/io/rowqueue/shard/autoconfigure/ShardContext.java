package io.rowqueue.shard.autoconfigure;

import javax.sql.DataSource;

import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.database.ShardTransactions;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.shard.ShardScope;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The context of one shard besides the home shard. The queue's auto-configurations run in
 * it as they do in the application's context, over the shard's {@code DataSource}: a
 * shard is a complete queue. Its beans hide those of the same name in the application's
 * context, which is the parent; handlers, listeners and everything else of the
 * application are found there.
 * <p>
 * Its worker does not start with the context, but when {@link #start()} is called.
 */
final class ShardContext extends AnnotationConfigApplicationContext {

	/** The application's context has another one, which is primary there. */
	static final String JOB_QUEUE = "rowqueueJobQueue";

	/** Recurring jobs belong to the home shard. */
	private static final String SCHEDULE_TASK = "rowqueueScheduleTask";

	/**
	 * Creates the context.
	 * @param outage notified of failures and successes of the shard
	 */
	ShardContext(String name, DataSource dataSource, ApplicationContext application, Outage outage) {
		setDisplayName("rowqueue shard " + name);
		setEnvironment((ConfigurableEnvironment) application.getEnvironment());
		setParent(application);
		registerBean("rowqueueShardName", ShardName.class, () -> new ShardName(name, false));
		registerBean("rowqueueApplicationDataSource", ApplicationDataSource.class,
				() -> new ApplicationDataSource(dataSource, true));
		registerBean("rowqueueShardTransactions", ShardTransactions.class,
				() -> new ShardTransactions(dataSource, application.getBean(ApplicationDataSource.class).dataSource()));
		registerBean("rowqueueOutage", Outage.class, () -> outage);
		registerBean(LIFECYCLE_PROCESSOR_BEAN_NAME, StartedManually.class, StartedManually::new);
		registerBean(SCHEDULE_TASK, None.class, None::new);
		registerBean("rowqueueShardAttemptScope", ShardAttemptScope.class,
				() -> new ShardAttemptScope(name, application.getBeanProvider(ShardScope.class)));
		register(Parts.class);
		addBeanFactoryPostProcessor((beans) -> beans.getBeanDefinition(JOB_QUEUE).setPrimary(true));
	}

	/** The application has a refresh and a close of its own. */
	@Override
	protected void publishEvent(Object event, @Nullable ResolvableType type) {
		if (!(event instanceof ApplicationContextEvent)) {
			super.publishEvent(event, type);
		}
	}

	/** What a shard has of its own. */
	@Configuration(proxyBeanMethods = false)
	@EachShard
	static class Parts {

	}

	/** Does not start the worker while the application still starts. */
	private static final class StartedManually extends DefaultLifecycleProcessor {

		@Override
		public void onRefresh() {
			// start() is called later
		}

	}

	/** Takes the place of a bean that only the home shard has. */
	private static final class None {

	}

}
