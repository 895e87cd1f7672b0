package io.rowqueue.autoconfigure;

import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
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
