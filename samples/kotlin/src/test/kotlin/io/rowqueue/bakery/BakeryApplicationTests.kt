package io.rowqueue.bakery

import io.rowqueue.JobQueue
import io.rowqueue.JobState
import io.rowqueue.PayloadConversionException
import io.rowqueue.kotlin.await
import io.rowqueue.kotlin.enqueue
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.annotation.Import
import kotlin.time.Duration.Companion.minutes

/** The application with its worker. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@Import(Services::class)
class BakeryApplicationTests(
	@Autowired private val jobs: JobQueue,
	@Autowired private val services: Services,
) : OnPostgres {
	@Test
	fun aWorkerRunsSuspendFunctions() {
		val mail = jobs.enqueue(orderMail, OrderMail(1, "ada@example.org", "Hello"))

		assertThat(jobs.await(mail.id(), 1.minutes)?.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(services.mails).containsExactly("ada@example.org: Hello")
	}

	@Test
	fun aJobWithoutItsPayloadIsNotEnqueued() {
		assertThatExceptionOfType(PayloadConversionException::class.java)
			.isThrownBy { jobs.enqueue("bake") }
			.withMessageContaining("has no payload")
	}
}
