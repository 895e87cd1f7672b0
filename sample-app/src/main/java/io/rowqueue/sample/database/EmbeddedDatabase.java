package io.rowqueue.sample.database;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.sample.DataDirectory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * A PostgreSQL server in the data directory, unless {@code spring.datasource.url} or a
 * service connection of a test names another.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedDatabase.WithoutUrl.class)
@ConditionalOnMissingBean(JdbcConnectionDetails.class)
class EmbeddedDatabase {

	@Bean
	DevPostgres postgres(DataDirectory data) {
		return DevPostgres.in(data.directory("postgres"));
	}

	@Bean
	JdbcConnectionDetails postgresConnectionDetails(DevPostgres postgres) {
		return new Connection(postgres.database("sample"));
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
