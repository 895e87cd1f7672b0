package io.rowqueue.kotlin

import io.rowqueue.postgres.DevPostgres
import org.awaitility.Awaitility
import org.springframework.test.context.DynamicPropertyRegistry
import java.time.Duration

/** Gives the application of a test a database of its own. */
internal fun DynamicPropertyRegistry.addDatabase() {
	Awaitility.setDefaultTimeout(Duration.ofMinutes(3)) // on the slowest machine
	val database = DevPostgres.shared().createDatabase("kotlin")
	add("spring.datasource.url", database::url)
	add("spring.datasource.username", database::username)
	add("spring.datasource.password", database::password)
	add("spring.datasource.hikari.minimum-idle") { 0 }
}
