package io.rowqueue.petclinic.clinic;

import java.nio.file.Path;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * A PostgreSQL server beside the classes or the jar, unless {@code spring.datasource.url}
 * names another. Leave it out in your application.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedDatabase.WithoutUrl.class)
class EmbeddedDatabase {

	@Bean
	DevPostgres postgres() {
		Path code = new ApplicationHome(EmbeddedDatabase.class).getDir().toPath();
		return DevPostgres
			.in(code.endsWith("classes") ? code.resolveSibling("petclinic-data") : code.resolve("petclinic-data"));
	}

	@Bean
	JdbcConnectionDetails postgresConnectionDetails(DevPostgres postgres) {
		return new Connection(postgres.database("petclinic"));
	}

	private record Connection(Database database) implements JdbcConnectionDetails {

		@Override
		public String getJdbcUrl() {
			return this.database.url();
		}

		@Override
		public String getUsername() {
			return this.database.username();
		}

		@Override
		public String getPassword() {
			return this.database.password();
		}

	}

	/** Matches when no other database is configured. */
	static class WithoutUrl extends NoneNestedConditions {

		WithoutUrl() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty("spring.datasource.url")
		static class WithUrl {

		}

	}

}
