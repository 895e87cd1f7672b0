package io.rowqueue.bakery

import io.rowqueue.schedule.RecurringJob
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Component

@Component
class OldOrders(
	private val db: JdbcClient,
) {
	@RecurringJob(name = "delete-old-orders", cron = "0 0 3 * * *", zone = "Europe/Berlin")
	fun delete(days: Int = 30) {
		db.sql("delete from orders where placed_at < now() - make_interval(days => ?)").param(days).update()
	}
}
