package io.pgqueue.autoconfigure;

import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** What somebody reads when the application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartTests {

	private final TestDatabase database = new TestDatabase();

	@Test
	void tellsHowToGetTheTables(CapturedOutput output) {
		start("queue.schema.mode=validate");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("holds no tables of the queue in the schema 'queue'")
			.contains("Action:")
			.contains("java -cp queue-core.jar io.pgqueue.schema.PrintSchema --schema=queue")
			.contains("queue.schema.mode=migrate")
			.doesNotContain("\tat io.pgqueue");
	}

	@Test
	void tellsHowToPointToTheQueuesDatabase(CapturedOutput output) {
		start("spring.datasource.url=jdbc:postgresql://localhost:1/shop");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The queue cannot open a connection")
			.contains("@QueueDataSource");
	}

	@Test
	void tellsWhichPropertyIsWrong(CapturedOutput output) {
		start("queue.schema.name=pg_queue");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("queue.schema.name: the queue's schema cannot be 'pg_queue'");
	}

	@Test
	void tellsThatADataSourceHasToBeMarked(CapturedOutput output) {
		QueueDataSourceException failure = new QueueDataSourceException("Two of them.");
		assertThat(new QueueDataSourceFailureAnalyzer().analyze(failure).getDescription()).isEqualTo("Two of them.");
		start("spring.main.sources=" + QueueDataSourceTests.Reports.class.getName() + ","
				+ QueueDataSourceTests.Archive.class.getName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("cannot choose between the DataSource beans")
			.contains("with @QueueDataSource");
	}

	private void start(String property) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setDefaultProperties(defaults());
		assertThatException().isThrownBy(() -> application.run("--" + property).close());
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
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, QueueSchemaAutoConfiguration.class })
	static class Application {

	}

}
