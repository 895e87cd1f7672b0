package io.rowqueue.modulith;

import io.rowqueue.JobQueue;
import io.rowqueue.PayloadCodec;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.rowqueue.engine.database.ApplicationDataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.context.annotation.Role;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.io.ResourceLoader;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.ExternalizationMode;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.config.EventPublicationAutoConfiguration;
import org.springframework.modulith.events.core.EventPublicationRegistry;

/**
 * Auto-configuration of Spring Modulith's events as jobs. The limit that orders them is a
 * property, so that each shard stores it, whenever it comes.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, QueueLimitsAutoConfiguration.class,
		EventPublicationAutoConfiguration.class, EventExternalizationAutoConfiguration.class })
@PropertySource("classpath:io/rowqueue/modulith/limits.properties")
public final class QueueModulithAutoConfiguration {

	/** Also where the queue is disabled; after a registry that the application has. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(EventPublicationRegistry.class)
	static NoPublications rowqueueEventPublicationRegistry() {
		return new NoPublications();
	}

	/** Static and without direct dependencies: Spring creates it before other beans. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
	static ListenerJobs rowqueueListenerJobs(ObjectProvider<JobQueue> queue, ObjectProvider<PayloadCodec> codec,
			ResourceLoader resources, ObjectProvider<ApplicationDataSource> dataSource) {
		return new ListenerJobs(queue, () -> new EventCodec(codec.getObject(), resources.getClassLoader()), dataSource);
	}

	/** A class of its own, because Spring Modulith 2.0 does not have the mode. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ExternalizationMode.class)
	@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
	@ConditionalOnBean(EventExternalizationConfiguration.class)
	@ConditionalOnProperty(name = "spring.modulith.events.externalization.mode", havingValue = "outbox")
	static class ExternalizationConfiguration {

		@Bean
		ExternalizedEvents rowqueueExternalizedEvents(JobQueue queue, EventExternalizationConfiguration configuration,
				BeanFactory beans) {
			StandardEvaluationContext context = new StandardEvaluationContext();
			context.setBeanResolver(new BeanFactoryResolver(beans));
			return new ExternalizedEvents(queue, configuration, context);
		}

	}

}
