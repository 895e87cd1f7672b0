package io.rowqueue.bakery

import io.rowqueue.postgres.DevPostgres
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails
import org.springframework.boot.system.ApplicationHome
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Conditional
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.ConfigurationCondition.ConfigurationPhase

/**
 * A PostgreSQL server beside the classes or the jar, unless `spring.datasource.url` names another. Leave it out in
 * your application.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(WithoutUrl::class)
class EmbeddedDatabase {
	@Bean
	fun postgres(): DevPostgres {
		val code = ApplicationHome(javaClass).dir.toPath()
		val name = "bakery-data"
		return DevPostgres.`in`(if (code.endsWith("classes")) code.resolveSibling(name) else code.resolve(name))
	}

	@Bean
	fun postgresConnectionDetails(postgres: DevPostgres): JdbcConnectionDetails {
		val database = postgres.database("bakery")
		return object : JdbcConnectionDetails {
			override fun getJdbcUrl() = database.url()

			override fun getUsername() = database.username()

			override fun getPassword() = database.password()
		}
	}
}

/** Matches when no other database is configured. */
internal class WithoutUrl : NoneNestedConditions(ConfigurationPhase.PARSE_CONFIGURATION) {
	@ConditionalOnProperty("spring.datasource.url")
	internal class WithUrl
}
