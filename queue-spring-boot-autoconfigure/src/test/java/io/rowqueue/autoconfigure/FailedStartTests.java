package io.rowqueue.autoconfigure;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

import javax.sql.DataSource;

import io.rowqueue.PayloadCodec;
import io.rowqueue.RetryPolicy;
import io.rowqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.rowqueue.autoconfigure.connection.QueueDataSource;
import io.rowqueue.autoconfigure.connection.QueueDataSourceTests;
import io.rowqueue.autoconfigure.handler.QueueHandlerAutoConfiguration;
import io.rowqueue.autoconfigure.schema.QueueSchemaAutoConfiguration;
import io.rowqueue.autoconfigure.worker.QueueWorkerAutoConfiguration;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.schedule.autoconfigure.QueueRecurringJobsAutoConfiguration;
import io.rowqueue.migration.QueueSchema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** The messages when the application does not start. */
@ExtendWith(OutputCaptureExtension.class)
public class FailedStartTests {

	private final TestDatabase database = TestDatabase.withoutTables();

	@Test
	void theAnalysisExplainsHowToGetTheTables(CapturedOutput output) {
		start("rowqueue.schema.mode=validate");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("contains no tables of the queue in the schema 'rowqueue'")
			.contains("Action:")
			.contains("java -cp rowqueue-migration.jar:rowqueue-core.jar:",
					" io.rowqueue.migration.PrintSchema --schema=rowqueue")
			.contains("-Dloader.main=io.rowqueue.migration.PrintSchema")
			.contains("rowqueue.schema.mode=migrate")
			.doesNotContain("\tat io.rowqueue");
	}

	@Test
	void theAnalysisReportsThatTheTablesAreOfANewerVersion(CapturedOutput output) {
		new QueueSchema(this.database.dataSource()).initialize();
		this.database.execute("insert into rowqueue.schema_version (part, version) values ('core', 999)");
		start("rowqueue.schema.mode=migrate");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("999")
			.contains("Action:")
			.doesNotContain("\tat io.rowqueue");
	}

	@Test
	void theAnalysisReportsWhichRightIsMissing(CapturedOutput output) {
		String role = "role_" + UUID.randomUUID().toString().replace("-", "");
		new QueueSchema(this.database.dataSource()).initialize();
		this.database.execute("create role " + role + " login password 'secret'");
		try {
			start("spring.datasource.username=" + role, "spring.datasource.password=secret");
			assertThat(output).contains("APPLICATION FAILED TO START")
				.contains("grant usage on schema \"rowqueue\" to \"" + role + "\"")
				.doesNotContain("\tat io.rowqueue");
		}
		finally {
			this.database.execute("drop role " + role);
		}
	}

	@Test
	void theAnalysisReportsWhatARetryNotationCanBe(CapturedOutput output) {
		start("rowqueue.types.note.retry=sometimes(3)", "spring.main.sources=" + OneHandler.class.getName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Invalid value 'sometimes(3)' for configuration property 'rowqueue.types.note.retry'")
			.contains("'sometimes' must be fixed, linear, exponential or delays");
	}

	@Test
	void theAnalysisExplainsHowToPointToTheQueuesDatabase(CapturedOutput output) {
		start("spring.datasource.url=jdbc:postgresql://localhost:1/shop");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The queue cannot open a connection")
			.doesNotContain("connections..")
			.contains("@QueueDataSource");
	}

	@Test
	void theAnalysisReportsWhichPropertyOfARecurringJobIsMissing(CapturedOutput output) {
		start("rowqueue.recurring.nightly.cron=0 0 2 * * *");
		assertThat(analysis(output)).contains("rowqueue.recurring.nightly.type is not set")
			.contains("Set rowqueue.recurring.nightly.type")
			.doesNotContain("null");
	}

	@Test
	void theAnalysisExplainsHowToStartOnAnotherDatabase(CapturedOutput output) {
		start("spring.main.sources=" + OnH2.class.getName(), "rowqueue.enabled=true");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The queue needs PostgreSQL, but its data source connects to H2 2.4.240.")
			.contains("set rowqueue.enabled=false")
			.contains("@RecordJobs")
			.contains("@QueueDataSource");
	}

	@Test
	void theAnalysisReportsWhichPropertyIsWrong(CapturedOutput output) {
		start("rowqueue.schema.name=pg_queue");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("rowqueue.schema.name: the queue's schema cannot be 'pg_queue'");
	}

	@Test
	void theAnalysisReportsThatADataSourceHasToBeMarked(CapturedOutput output) {
		start("spring.main.sources=" + QueueDataSourceTests.Reports.class.getName() + ","
				+ QueueDataSourceTests.Archive.class.getName());
		assertThat(analysis(output)).contains("cannot choose between the DataSource beans")
			.contains("with @QueueDataSource")
			.doesNotContain("-parameters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rowqueue.worker.enabled=true", "rowqueue.enabled=true" })
	void theAnalysisReportsThatADataSourceHasNoTargetAtTheStart(String property, CapturedOutput output) {
		start("spring.main.sources=" + ByTenant.class.getName(), property);
		assertThat(analysis(output)).contains("The queue cannot open a connection")
			.contains("Cannot determine target DataSource for lookup key [null]")
			.contains("@QueueDataSource")
			.doesNotContain("\tat io.rowqueue");
	}

	@Test
	void theAnalysisReportsThatOneDataSourceIsTheQueues(CapturedOutput output) {
		startWith(TwoMarked.class);
		assertThat(analysis(output))
			.contains("Several DataSource beans are annotated with @QueueDataSource: first, second.")
			.doesNotContain("@Primary");
	}

	@Test
	void theAnalysisReportsThatOneOfTwoRetryPoliciesHasToBePrimary(CapturedOutput output) {
		startWith(TwoRetryPolicies.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("rowqueueWorkerFactory")
			.contains("required a single bean, but 2 were found")
			.contains("patient")
			.contains("hasty")
			.contains("@Primary");
	}

	@Test
	void theAnalysisReportsThatOneOfTwoCodecsHasToBePrimary(CapturedOutput output) {
		startWith(TwoCodecs.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("required a single bean, but 2 were found")
			.contains("oneCodec")
			.contains("@Primary");
	}

	@Test
	void theAnalysisReportsWhichHandlersAreForTheSameType(CapturedOutput output) {
		startWith(TwoHandlers.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("is for the type 'note', which already has the handler")
			.contains("Change the type of one of them");
	}

	@Test
	void theAnalysisReportsWhichPropertyOfTheWorkerIsWrong(CapturedOutput output) {
		start("rowqueue.worker.queues.mail.concurrency=0");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("rowqueue.worker.queues.mail.concurrency must be positive, not 0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.datasource.hikari.read-only=true",
			"spring.datasource.hikari.data-source-properties.options=-c default_transaction_read_only=on" })
	void theAnalysisReportsThatAConnectionIsReadOnly(String property, CapturedOutput output) {
		start(property);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The queue's database is read-only")
			.contains("targetServerType=primary")
			.contains("@QueueDataSource");
	}

	@Test
	void theAnalysisReportsThatThereIsNoDataSource(CapturedOutput output) {
		SpringApplication application = new SpringApplication(OnlyTheQueue.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run().close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("needs a DataSource, and there is none")
			.contains("spring.datasource.url")
			.contains("R2DBC")
			.doesNotContain("@Primary");
	}

	/** What is explained, without the lines of the log before it. */
	private static String analysis(CapturedOutput output) {
		return output.toString().substring(output.toString().indexOf("APPLICATION FAILED TO START"));
	}

	private void startWith(Class<?> configuration) {
		start("spring.main.sources=" + configuration.getName());
	}

	private void start(String... properties) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setDefaultProperties(defaults());
		assertThatException().isThrownBy(() -> application
			.run(Arrays.stream(properties).map((property) -> "--" + property).toArray(String[]::new))
			.close());
	}

	private Properties defaults() {
		Properties defaults = new Properties();
		for (String property : this.database.properties()) {
			String[] keyAndValue = property.split("=", 2);
			defaults.setProperty(keyAndValue[0], keyAndValue[1]);
		}
		return defaults;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, QueueConnectionAutoConfiguration.class,
			QueueSchemaAutoConfiguration.class, QueueHandlerAutoConfiguration.class,
			QueueRecurringJobsAutoConfiguration.class, QueueAutoConfiguration.class,
			QueueWorkerAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class,
			QueueHandlerAutoConfiguration.class, QueueAutoConfiguration.class, QueueWorkerAutoConfiguration.class })
	static class OnlyTheQueue {

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedOnH2 {

		@Bean
		@QueueDataSource
		DataSource dataSource() {
			return new OnH2().dataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class OnH2 {

		@Bean
		DataSource dataSource() {
			DatabaseMetaData server = answers(DatabaseMetaData.class,
					Map.of("getDatabaseProductName", "H2", "getDatabaseProductVersion", "2.4.240"));
			Connection connection = answers(Connection.class, Map.of("getMetaData", server, "getAutoCommit", false));
			return answers(DataSource.class, Map.of("getConnection", connection, "isWrapperFor", false));
		}

		private static <T> T answers(Class<T> type, Map<String, Object> answers) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method,
					arguments) -> "hashCode".equals(method.getName()) ? (Object) 1 : answers.get(method.getName())));
		}

	}

	/** The database depends on the tenant, and there is none at the start. */
	@Configuration(proxyBeanMethods = false)
	static class ByTenant {

		@Bean
		DataSource dataSource() {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected @Nullable Object determineCurrentLookupKey() {
					return null;
				}

			};
			routing.setTargetDataSources(Map.of("one tenant", new SimpleDriverDataSource()));
			return routing;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoRetryPolicies {

		@Bean
		RetryPolicy patient() {
			return (job, error) -> Duration.ofDays(1);
		}

		@Bean
		RetryPolicy hasty() {
			return (job, error) -> Duration.ZERO;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoCodecs {

		@Bean
		PayloadCodec oneCodec() {
			return new JacksonPayloadCodec(JsonMapper.shared());
		}

		@Bean
		PayloadCodec otherCodec() {
			return new JacksonPayloadCodec(JsonMapper.shared());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoMarked {

		@Bean
		@QueueDataSource
		DataSource first() {
			return new SimpleDriverDataSource();
		}

		@Bean
		@QueueDataSource
		DataSource second() {
			return new SimpleDriverDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneHandler {

		@Bean
		Notes notes() {
			return new Notes();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoHandlers {

		@Bean
		Notes notes() {
			return new Notes();
		}

		@Bean
		Notes otherNotes() {
			return new Notes();
		}

	}

}
