package io.rowqueue.autoconfigure.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.migration.JavaMigration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationInitializer;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.io.support.ResourcePatternUtils;

/**
 * Removes the Flyway beans of Spring Boot's auto-configuration from an application that
 * has no migrations, no property and no bean for them. There, only the queue's
 * {@code flyway-core} switched them on, and they would refuse a database that holds
 * tables, or create a history table that the application does not use.
 */
public class UnusedFlywayRemover implements BeanDefinitionRegistryPostProcessor, EnvironmentAware, ResourceLoaderAware {

	private static final Logger logger = LoggerFactory.getLogger(UnusedFlywayRemover.class);

	private static final ConfigurationPropertyName PROPERTIES = ConfigurationPropertyName.of("spring.flyway");

	/** The default of {@code spring.flyway.locations}, with scripts and classes. */
	private static final String MIGRATIONS = "classpath*:db/migration/**/*.*";

	private static final List<Class<?>> BEANS = List.of(FlywayMigrationInitializer.class, Flyway.class);

	/** What an application has beans of that adapts its Flyway. */
	private static final List<Class<?>> ADAPTATIONS = List.of(FlywayMigrationStrategy.class,
			FlywayConfigurationCustomizer.class, JavaMigration.class, Callback.class);

	private Environment environment = new StandardEnvironment();

	private ResourceLoader resources = new DefaultResourceLoader();

	UnusedFlywayRemover() {
	}

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void setResourceLoader(ResourceLoader resources) {
		this.resources = resources;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (!(registry instanceof ConfigurableListableBeanFactory beans)) {
			return;
		}
		List<String> unused = names(beans, BEANS);
		if (unused.isEmpty() || !unused.stream().allMatch((name) -> isOfSpringBoot(registry, name))) {
			return;
		}
		if (hasBeansForFlyway(beans, registry) || hasProperties() || hasMigrations()) {
			return;
		}
		unused.forEach(registry::removeBeanDefinition);
		logger.info("Spring Boot does not run Flyway for the application, which has neither migrations in db/migration"
				+ " nor a spring.flyway property. The queue brings flyway-core for its own tables;"
				+ " spring.flyway.enabled=true runs it for the application as well");
	}

	private static boolean hasBeansForFlyway(ListableBeanFactory beans, BeanDefinitionRegistry registry) {
		return Arrays.stream(beans.getBeanDefinitionNames()).anyMatch((name) -> isForFlyway(beans, name))
				|| !names(beans, ADAPTATIONS).stream().allMatch((name) -> isOfSpringBoot(registry, name));
	}

	/** Creates no factory of the application to find out what it makes. */
	private static boolean isForFlyway(ListableBeanFactory beans, String name) {
		return beans.findAnnotationOnBean(name, FlywayDataSource.class, false) != null;
	}

	private static List<String> names(ListableBeanFactory beans, List<Class<?>> types) {
		return types.stream()
			.flatMap((type) -> Arrays.stream(beans.getBeanNamesForType(type, true, false)))
			.distinct()
			.toList();
	}

	private static boolean isOfSpringBoot(BeanDefinitionRegistry registry, String name) {
		if (!registry.containsBeanDefinition(name)) {
			return false;
		}
		BeanDefinition definition = registry.getBeanDefinition(name);
		return Stream.of(definition.getFactoryBeanName(), definition.getBeanClassName())
			.filter(Objects::nonNull)
			.anyMatch((declaring) -> declaring.startsWith(FlywayAutoConfiguration.class.getName()));
	}

	private boolean hasProperties() {
		for (var source : ConfigurationPropertySources.get(this.environment)) {
			if (source.containsDescendantOf(PROPERTIES) == ConfigurationPropertyState.PRESENT) {
				return true;
			}
		}
		return false;
	}

	private boolean hasMigrations() {
		try {
			return ResourcePatternUtils.getResourcePatternResolver(this.resources).getResources(MIGRATIONS).length > 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The migrations of the application cannot be listed", ex);
		}
	}

}
