package io.rowqueue.autoconfigure.schema;

import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.rowqueue.migration.QueueSchemaException;
import io.rowqueue.migration.QueueSchemaException.Reason;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** An application starts, and the queue's tables are there, whatever else migrates. */
@ExtendWith(OutputCaptureExtension.class)
class SchemaAtStartTests {

	private static final String CHANGE_LOG = "spring.liquibase.change-log=classpath:/db/changelog/orders.sql";

	private final TestDatabase database = TestDatabase.withoutTables();

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class))
		.withPropertyValues(this.database.properties());

	private final ApplicationContextRunner withFlyway = this.application
		.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class));

	private final ApplicationContextRunner withLiquibase = this.application
		.withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
		.withPropertyValues(CHANGE_LOG);

	@Test
	void theTablesAreCreatedWithoutAnyMigrationToolAndWithOneLineInTheLog(CapturedOutput output) {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Flyway.class);
			assertThat(this.database.hasTable("rowqueue.job")).isTrue();
		});
		assertThat(output).containsOnlyOnce("Created the tables of the queue in the schema 'rowqueue'")
			.doesNotContain("Migrating schema");
	}

	@Test
	void theTablesAreCreatedBesideTheApplicationsFlyway() {
		this.withFlyway.run((context) -> {
			assertThat(context).hasSingleBean(Flyway.class);
			assertThat(this.database.hasTable("public.orders")).isTrue();
			assertThat(this.database.hasTable("public.flyway_schema_history")).isTrue();
			assertThat(this.database.hasTable("public.job")).isFalse();
			assertThat(this.database.hasTable("rowqueue.job")).isTrue();
			assertThat(this.database.hasTable("rowqueue.rowqueue_schema_history")).isTrue();
		});
		this.withFlyway.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aFlywayOfTheApplicationThatMigratesLaterLogsItsMigrations(CapturedOutput output) {
		Flyway later = Flyway.configure().dataSource(this.database.dataSource()).schemas("shop").load();
		this.application.run((context) -> assertThat(context).hasNotFailed());

		later.migrate();

		assertThat(output).contains("Migrating schema \"shop\"").doesNotContain("Migrating schema \"rowqueue\"");
	}

	@Test
	void theTablesAreCompatibleWithAFlywayThatIsAddedLater() {
		this.application.run((context) -> assertThat(context).hasNotFailed());
		this.withFlyway.run((context) -> assertThat(this.database.hasTable("public.orders")).isTrue());
	}

	@Test
	void theTablesAreCompatibleWithAFlywayThatWasThereFirst() {
		this.withFlyway.withPropertyValues("rowqueue.enabled=false")
			.run((context) -> assertThat(this.database.hasTable("public.orders")).isTrue());
		this.withFlyway.run((context) -> assertThat(this.database.hasTable("rowqueue.job")).isTrue());
	}

	@Test
	void theTablesCanBeInTheSchemaOfTheApplicationsFlyway() {
		for (int start = 1; start <= 2; start++) {
			this.withFlyway.withPropertyValues("rowqueue.schema.name=public").run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(this.database.hasTable("public.orders")).isTrue();
				assertThat(this.database.hasTable("public.job")).isTrue();
			});
		}
	}

	@Test
	void aFlywayThatIsSwitchedOffStaysOff() {
		this.withFlyway.withPropertyValues("spring.flyway.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Flyway.class);
			assertThat(this.database.hasTable("public.orders")).isFalse();
			assertThat(this.database.hasTable("rowqueue.job")).isTrue();
		});
	}

	@Test
	void theTablesAreCreatedAfterTheApplicationsFlywayAndWithoutItsSettings() {
		this.withFlyway.withUserConfiguration(RecordingCallback.class)
			.withPropertyValues("spring.flyway.table=history", "spring.flyway.placeholders.x=y")
			.run((context) -> assertThat(context.getBean(RecordingCallback.class).queueTables)
				.as("whether the queue's tables were there, for each migration that the callback saw")
				.containsExactly(false));
		assertThat(this.database.hasTable("rowqueue.history")).isFalse();
	}

	@Test
	void theTablesAreCreatedBesideTheApplicationsLiquibase() {
		for (int start = 1; start <= 2; start++) {
			this.withLiquibase.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Flyway.class).hasBean("liquibase");
				assertThat(context.getSourceApplicationContext()
					.getBeanFactory()
					.getBeanDefinition("rowqueueSchemaInitializer")
					.getDependsOn()).contains("liquibase");
				assertThat(this.database.hasTable("public.orders")).isTrue();
				assertThat(this.database.hasTable("rowqueue.job")).isTrue();
			});
		}
	}

	@Test
	void theTablesAreCreatedAfterTheApplicationsScripts() {
		this.application.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("spring.sql.init.mode=always",
					"spring.sql.init.schema-locations=classpath:/db/migration/V1__orders.sql")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(this.database.hasTable("public.orders")).isTrue();
				assertThat(this.database.hasTable("rowqueue.job")).isTrue();
			});
	}

	@Test
	void theTablesAreCreatedBeforeEveryBeanThatDependsOnTheDatabase() {
		this.withFlyway.withUserConfiguration(EarlyReader.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean("jobsAtStart")).isEqualTo(0L);
		});
	}

	@Test
	void theTablesAreNotCreatedIfTheQueueIsDisabled() {
		this.application.withPropertyValues("rowqueue.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(QueueSchemaInitializer.class);
			assertThat(this.database.hasTable("rowqueue.job")).isFalse();
		});
	}

	@Test
	void theTablesCanBeInASchemaOfAnotherName() {
		this.application.withPropertyValues("rowqueue.schema.name=Queue-2")
			.run((context) -> assertThat(this.database.hasTable("\"Queue-2\".job")).isTrue());
	}

	@Test
	void onlyValidatedIfTheModeSaysSo() {
		ApplicationContextRunner validating = this.application.withPropertyValues("rowqueue.schema.mode=validate");
		validating.run((context) -> {
			assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(QueueSchemaException.class,
						(ex) -> assertThat(ex.getReason()).isEqualTo(Reason.SCHEMA_MISSING))
				.hasMessageContaining("contains no tables of the queue in the schema 'rowqueue'");
			assertThat(this.database.hasTable("rowqueue.job")).isFalse();
		});
		this.application.run((context) -> assertThat(context).hasNotFailed());
		validating.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "rowqueue.schema.name=pg_queue,rowqueue.schema.name: the queue's schema cannot be 'pg_queue'",
			"rowqueue.schema.name=,rowqueue.schema.name: the name of the queue's schema must not be empty",
			"rowqueue.schema.mode=no,rowqueue.schema.mode" })
	void anInvalidPropertyIsRejectedWithItsName(String property, String message) {
		this.application.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyReader {

		@Bean
		@DependsOnDatabaseInitialization
		Long jobsAtStart(DataSource dataSource) {
			return JdbcClient.create(dataSource)
				.sql("select (select count(*) from rowqueue.job) + (select count(*) from orders)")
				.query(Long.class)
				.single();
		}

	}

	static class RecordingCallback extends BaseCallback {

		private final List<Boolean> queueTables = new ArrayList<>();

		@Override
		public boolean supports(Event event, Context context) {
			return event == Event.BEFORE_MIGRATE;
		}

		@Override
		public void handle(Event event, Context context) {
			this.queueTables.add(JdbcClient.create(new SingleConnectionDataSource(context.getConnection(), true))
				.sql("select to_regclass('rowqueue.job') is not null")
				.query(Boolean.class)
				.single());
		}

	}

}
