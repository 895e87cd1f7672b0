package io.rowqueue.autoconfigure.schema;

import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The queue's {@code flyway-core} leads Spring Boot to run Flyway for the application,
 * where {@code spring-boot-flyway} is on its class path.
 */
@ExtendWith(OutputCaptureExtension.class)
class FlywayOfTheApplicationTests {

	private static final String SAID = "Spring Boot does not run Flyway for the application";

	private static final AutoConfigurations FLYWAY = AutoConfigurations.of(FlywayAutoConfiguration.class);

	/** Most tests do not create the queue's tables once more. */
	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = withoutMigrations(this.database);

	private static ApplicationContextRunner withoutMigrations(TestDatabase database) {
		return withMigrations(database).withClassLoader(
				new FilteredClassLoader(new ClassPathResource("db/migration"), new ClassPathResource("db/migration/")));
	}

	private static ApplicationContextRunner withMigrations(TestDatabase database) {
		return Applications.on(database).withConfiguration(FLYWAY).withPropertyValues("rowqueue.worker.enabled=false");
	}

	@Test
	void flywayStaysOffInADatabaseThatHoldsTables(CapturedOutput output) {
		TestDatabase withoutQueue = TestDatabase.withoutTables();
		withoutQueue.execute("create table public.customer (id bigint)");
		withoutMigrations(withoutQueue).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Flyway.class);
			assertThat(withoutQueue.hasTable("public.flyway_schema_history")).isFalse();
			assertThat(withoutQueue.hasTable("rowqueue.job")).isTrue();
		});
		assertThat(output).containsOnlyOnce(SAID).contains("spring.flyway.enabled=true runs it");
	}

	@Test
	void flywayStaysOffInAnEmptyDatabase() {
		TestDatabase empty = TestDatabase.withoutTables();
		withoutMigrations(empty).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Flyway.class);
			assertThat(empty.hasTable("public.flyway_schema_history")).isFalse();
		});
	}

	@Test
	void flywayStaysOffWhereTheQueueIsSwitchedOff() {
		this.application.withPropertyValues("rowqueue.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Flyway.class));
	}

	@Test
	void flywayRunsTheMigrationsOfTheApplication(CapturedOutput output) {
		withMigrations(this.database).run((context) -> {
			assertThat(context).hasSingleBean(Flyway.class);
			assertThat(this.database.hasTable("public.orders")).isTrue();
		});
		assertThat(output).doesNotContain(SAID);
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.flyway.enabled=true", "spring.flyway.baseline-on-migrate=true" })
	void flywayRunsIfTheApplicationSetsAnyOfItsProperties(String property) {
		this.application.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Flyway.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { Migration.class, Customizer.class, OwnFlyway.class })
	void flywayRunsIfTheApplicationHasABeanForIt(Class<?> configuration) {
		this.application.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Flyway.class));
	}

	@Test
	void noBeanIsCreatedToFindOutWhetherTheApplicationUsesFlyway() {
		this.application.withUserConfiguration(Clients.class).withPropertyValues("shop.name=Books").run((context) -> {
			assertThat(context).doesNotHaveBean(Flyway.class);
			assertThat(context.getBean(Shop.class).getName()).isEqualTo("Books");
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(Shop.class)
	static class Clients {

		@Bean
		static ClientFactory<?> client(Shop shop) {
			return new ClientFactory<>(shop);
		}

	}

	/** Only the factory itself knows what it makes. */
	static class ClientFactory<T> implements FactoryBean<T> {

		private final Shop shop;

		ClientFactory(Shop shop) {
			this.shop = shop;
		}

		@Override
		@SuppressWarnings("unchecked")
		public T getObject() {
			return (T) ("Client of " + this.shop.getName());
		}

		@Override
		public Class<?> getObjectType() {
			return String.class;
		}

	}

	/** Is bound after its creation. */
	@ConfigurationProperties("shop")
	static class Shop {

		private String name;

		String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Migration {

		@Bean
		JavaMigration ownMigration() {
			return new V1__Nothing();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizer {

		@Bean
		FlywayConfigurationCustomizer ownCustomizer() {
			return (configuration) -> configuration.table("own_history");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnFlyway {

		@Bean
		Flyway ownFlyway() {
			return Flyway.configure().load();
		}

	}

	static class V1__Nothing extends BaseJavaMigration {

		@Override
		public void migrate(Context context) {
		}

	}

}
