package io.rowqueue.bakery

import io.rowqueue.JobQueue
import io.rowqueue.kotlin.delay
import io.rowqueue.kotlin.enqueue
import io.rowqueue.kotlin.jobType
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional
import kotlin.time.Duration.Companion.seconds

data class OrderMail(
	val order: Long,
	val email: String,
	val text: String = "Thank you for your order",
)

val orderMail =
	jobType<OrderMail>("order-mail") {
		queue("mail").maxAttempts(5).uniqueKey { "order-mail ${it.order}" }
	}

@Service
class Orders(
	private val db: JdbcClient,
	private val jobs: JobQueue,
) {
	@Transactional
	fun place(
		email: String,
		cake: String,
	): Long {
		val order =
			db
				.sql("insert into orders (email, cake) values (?, ?) returning id")
				.params(email, cake)
				.query(Long::class.java)
				.single()
		jobs.enqueue(orderMail, OrderMail(order, email))
		jobs.enqueue("bake", order) { uniqueKey("bake $order").delay(5.seconds) }
		return order
	}

	/** Expensive orders wait for it. */
	fun approve(
		order: Long,
		by: String,
	) = jobs.signal("bake $order", "approval", Approval(by))
}
