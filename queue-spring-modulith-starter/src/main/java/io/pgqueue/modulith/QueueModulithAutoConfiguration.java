package io.pgqueue.modulith;

import io.pgqueue.JobQueue;
import io.pgqueue.PayloadCodec;
import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.pgqueue.limit.JobLimits;
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
 * Auto-configuration of Spring Modulith's events as jobs.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueAutoConfiguration.class, QueueLimitsAutoConfiguration.class,
		EventPublicationAutoConfiguration.class, EventExternalizationAutoConfiguration.class })
public final class QueueModulithAutoConfiguration {

	/** Also where the queue is disabled; after a registry that the application has. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(EventPublicationRegistry.class)
	static NoPublications pgqueueEventPublicationRegistry() {
		return new NoPublications();
	}

	/** Static and without direct dependencies: Spring creates it before other beans. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
	static ListenerJobs pgqueueListenerJobs(ObjectProvider<JobQueue> queue, ObjectProvider<PayloadCodec> codec,
			ResourceLoader resources, ObjectProvider<ApplicationDataSource> dataSource,
			ObjectProvider<JobLimits> limits) {
		return new ListenerJobs(queue, () -> new EventCodec(codec.getObject(), resources.getClassLoader()), dataSource,
				limits);
	}

	/** A class of its own, because Spring Modulith 2.0 does not have the mode. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ExternalizationMode.class)
	@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
	@ConditionalOnBean(EventExternalizationConfiguration.class)
	@ConditionalOnProperty(name = "spring.modulith.events.externalization.mode", havingValue = "outbox")
	static class ExternalizationConfiguration {

		@Bean
		ExternalizedEvents pgqueueExternalizedEvents(JobQueue queue, EventExternalizationConfiguration configuration,
				JobLimits limits, ApplicationDataSource dataSource, BeanFactory beans) {
			if (dataSource.enabled()) {
				EventOrder.configure(limits);
			}
			StandardEvaluationContext context = new StandardEvaluationContext();
			context.setBeanResolver(new BeanFactoryResolver(beans));
			return new ExternalizedEvents(queue, configuration, context);
		}

	}

}
