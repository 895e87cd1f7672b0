package io.rowqueue.bakery

import io.rowqueue.CancelJobException
import io.rowqueue.JobContext
import io.rowqueue.JobHandler
import io.rowqueue.JobQueue
import io.rowqueue.kotlin.awaitSignal
import io.rowqueue.kotlin.step
import io.rowqueue.kotlin.suspendStep
import kotlinx.coroutines.delay
import org.slf4j.LoggerFactory
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Component
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds

data class Price(
	val euros: Int,
)

data class Approval(
	val by: String,
)

@Component
class Baking(
	private val db: JdbcClient,
	private val jobs: JobQueue,
	private val payments: Payments,
) {
	@JobHandler("bake")
	suspend fun bake(
		order: Long,
		context: JobContext,
	) {
		val price = context.step<Price>("price") { priceOf(order) }
		if (price.euros > 100) {
			context.awaitSignal<Approval>("approval", 2.days)
				?: throw CancelJobException("Nobody has approved order $order")
		}
		val receipt = context.suspendStep<String>("charge") { payments.charge(price, key = context.id()) }
		db.sql("update orders set receipt = ? where id = ?").params(receipt, order).update()
		jobs.enqueue(orderMail, OrderMail(order, emailOf(order), "Your cake is ready, receipt $receipt"))
	}

	private fun priceOf(order: Long) = Price(if (find("cake", order).startsWith("wedding")) 250 else 25)

	private fun emailOf(order: Long) = find("email", order)

	private fun find(
		column: String,
		order: Long,
	) = db
		.sql("select $column from orders where id = ?")
		.param(order)
		.query(String::class.java)
		.single()
}

/** Charges customers; a repeated key is the same charge. */
fun interface Payments {
	suspend fun charge(
		price: Price,
		key: Long,
	): String
}

/** Takes its time, as a payment service does, but no thread. */
@Component
class LoggingPayments : Payments {
	private val logger = LoggerFactory.getLogger(javaClass)

	override suspend fun charge(
		price: Price,
		key: Long,
	): String {
		delay(300.milliseconds)
		logger.info("Charged {} euros", price.euros)
		return "R-$key"
	}
}
