package io.rowqueue.autoconfigure.connection;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.schema.QueueSchemaAutoConfiguration;
import io.rowqueue.engine.database.ApplicationDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/** Which of an application's databases holds the queue. */
public class QueueDataSourceTests {

	private static final TestDatabase SHOP = TestDatabase.withoutTables();

	private static final TestDatabase QUEUE = TestDatabase.withoutTables();

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class))
		.withPropertyValues(SHOP.properties());

	@Test
	void theMarkedOneWinsOverTheApplicationsOwn() {
		this.application.withUserConfiguration(Marked.class).run((context) -> {
			assertThat(context).hasBean("dataSource");
			assertThat(enqueueing(context.getBean(ApplicationDataSource.class))).isEqualTo("rowqueueDataSource");
			assertThat(QUEUE.hasTable("rowqueue.job")).isTrue();
			assertThat(SHOP.hasTable("rowqueue.job")).isFalse();
		});
	}

	@Test
	void theMarkedOneWinsOverThePrimaryOne() {
		this.application.withUserConfiguration(Shop.class, MarkedAmongOthers.class)
			.withPropertyValues("rowqueue.schema.name=other")
			.run((context) -> {
				assertThat(QUEUE.hasTable("other.job")).isTrue();
				assertThat(SHOP.hasTable("other.job")).isFalse();
			});
	}

	@Test
	void thePrimaryOneIsTakenIfNoneIsMarked() {
		this.application.withUserConfiguration(Shop.class, Reports.class)
			.withPropertyValues("rowqueue.schema.name=primary_one")
			.run((context) -> assertThat(SHOP.hasTable("primary_one.job")).isTrue());
	}

	@Test
	void severalWithoutAPrimaryOneAreRefused() {
		this.application.withUserConfiguration(Reports.class, Archive.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.as("what is explained: a cause of Spring's own would be instead")
				.isInstanceOf(QueueDataSourceException.class)
				.hasMessageContaining("cannot choose between the DataSource beans reports, archive")
				.hasMessageContaining("@QueueDataSource"));
	}

	@Test
	void aCustomizerOfTheApplicationChangesThePoolOfWorkers() {
		this.application.withBean(QueueDataSourceCustomizer.class, () -> (pool) -> pool.setMaximumPoolSize(7))
			.withPropertyValues("rowqueue.connection.maximum-pool-size=6")
			.run((context) -> assertThat(context.getBean(WorkerConnections.class)
				.dataSource()
				.unwrap(HikariDataSource.class)
				.getMaximumPoolSize()).isEqualTo(7));
	}

	@Test
	void noneIsRefused() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("needs a DataSource, and there is none")
				.hasMessageContaining("rowqueue.enabled=false"));
	}

	private static String enqueueing(ApplicationDataSource application) {
		return (application.dataSource() == Marked.DATA_SOURCE) ? "rowqueueDataSource" : "another";
	}

	@Configuration(proxyBeanMethods = false)
	static class Marked {

		static final DataSource DATA_SOURCE = QUEUE.dataSource();

		@Bean(defaultCandidate = false)
		@QueueDataSource
		DataSource rowqueueDataSource() {
			return DATA_SOURCE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedAmongOthers {

		@Bean
		@QueueDataSource
		DataSource rowqueueDataSource() {
			return QUEUE.dataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@Bean
		@Primary
		DataSource shop() {
			return SHOP.dataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class Reports {

		@Bean
		DataSource reports() {
			return SHOP.dataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class Archive {

		@Bean
		DataSource archive() {
			return SHOP.dataSource();
		}

	}

}
