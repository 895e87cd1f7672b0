package io.rowqueue.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import org.awaitility.Awaitility;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/** Applications that have the starter on their class path, and little else. */
public final class Applications {

	private static final Class<?>[] JDBC = { DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			JdbcClientAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			TransactionAutoConfiguration.class };

	/**
	 * Sorted once, for which the annotations of all of them are read from their files.
	 */
	private static final AutoConfigurations STARTER = AutoConfigurations
		.of(Stream.of(JDBC, queue()).flatMap(Arrays::stream).toArray(Class<?>[]::new));

	private Applications() {
	}

	/** What the starter brings: Boot's JDBC and the queue. */
	public static ApplicationContextRunner withStarter() {
		return new ApplicationContextRunner().withConfiguration(STARTER);
	}

	/** Starter and database. */
	public static ApplicationContextRunner on(TestDatabase database) {
		return withStarter().withPropertyValues(database.properties());
	}

	/**
	 * Has an application start only when its queue uses further databases: it waits ten
	 * seconds for them itself, and goes on without them.
	 */
	public static ApplicationContextInitializer<ConfigurableApplicationContext> awaitingShards(String... names) {
		return (application) -> application.addApplicationListener(new ApplicationListener<ContextRefreshedEvent>() {

			@Override
			public void onApplicationEvent(ContextRefreshedEvent event) {
				if (event.getApplicationContext() == application) {
					Shards shards = application.getBean(Shards.class);
					Awaitility.await()
						.until(() -> shards.list().stream().map(Shard::name).toList().containsAll(List.of(names)));
				}
			}

		});
	}

	/** The queue's auto-configurations. */
	public static Class<?>[] queue() {
		ClassLoader classLoader = Applications.class.getClassLoader();
		return ImportCandidates.load(AutoConfiguration.class, classLoader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.rowqueue."))
			.map((name) -> ClassUtils.resolveClassName(name, classLoader))
			.toArray(Class<?>[]::new);
	}

}
