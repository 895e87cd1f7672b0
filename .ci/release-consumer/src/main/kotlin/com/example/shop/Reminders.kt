package com.example.shop

import io.rowqueue.JobHandler
import io.rowqueue.JobQueue
import io.rowqueue.kotlin.delay
import io.rowqueue.kotlin.enqueue
import org.springframework.stereotype.Component
import kotlin.time.Duration.Companion.days

@Component
class Reminders(
	private val jobs: JobQueue,
) {
	fun remind(order: Long) {
		jobs.enqueue("reminder", order) { delay(1.days) }
	}

	@JobHandler("reminder")
	suspend fun send(order: Long) {
		kotlinx.coroutines.delay(1)
		println("Order $order is waiting")
	}
}
