package io.rowqueue.bakery

import io.rowqueue.postgres.DevPostgres
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource

/** Gives the tests a database of their own. In your tests, it is that of a container or of an installed server. */
interface OnPostgres {
	companion object {
		@JvmStatic
		@DynamicPropertySource
		fun database(properties: DynamicPropertyRegistry) {
			val database = DevPostgres.shared().createDatabase("bakery")
			properties.add("spring.datasource.url", database::url)
			properties.add("spring.datasource.username", database::username)
			properties.add("spring.datasource.password", database::password)
			properties.add("spring.datasource.hikari.minimum-idle") { 0 }
		}
	}
}
