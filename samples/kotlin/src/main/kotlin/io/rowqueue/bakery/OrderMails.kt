package io.rowqueue.bakery

import io.rowqueue.JobContext
import io.rowqueue.JobHandler
import kotlinx.coroutines.delay
import org.slf4j.LoggerFactory
import org.springframework.stereotype.Component
import kotlin.time.Duration.Companion.milliseconds

@Component
class OrderMails(
	private val mailer: Mailer,
) {
	@JobHandler("order-mail", timeout = "30s")
	suspend fun send(
		mail: OrderMail,
		context: JobContext,
	) {
		mailer.send(mail.email, mail.text, key = context.id())
	}
}

/** Sends mails; a repeated key is the same mail. */
fun interface Mailer {
	suspend fun send(
		to: String,
		text: String,
		key: Long,
	)
}

/** Takes its time, as a mail service does, but no thread. */
@Component
class LoggingMailer : Mailer {
	private val logger = LoggerFactory.getLogger(javaClass)

	override suspend fun send(
		to: String,
		text: String,
		key: Long,
	) {
		delay(200.milliseconds)
		logger.info("Mail to {}: {}", to, text)
	}
}
