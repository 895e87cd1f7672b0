package io.rowqueue.kotlin

import io.micrometer.observation.Observation
import io.micrometer.observation.ObservationRegistry
import io.rowqueue.CoalescedJob
import io.rowqueue.FailJobException
import io.rowqueue.Job
import io.rowqueue.JobContext
import io.rowqueue.JobHandler
import io.rowqueue.JobQueue
import io.rowqueue.JobState
import io.rowqueue.admin.JobAdmin
import io.rowqueue.postgres.DevPostgres
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.slf4j.MDC
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Import
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** Suspend functions as handlers, run by a worker. */
@SpringBootTest(classes = [SuspendHandlersTests.Application::class], webEnvironment = SpringBootTest.WebEnvironment.NONE)
class SuspendHandlersTests(
	@Autowired private val jobs: JobQueue,
	@Autowired private val admin: JobAdmin,
	@Autowired private val handlers: Handlers,
) {
	@Test
	fun aSuspendFunctionRunsJobsWithPayloadAndContext() {
		val job = run("greet", Greeting("Ada"))

		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(handlers.seen["greet"]).isEqualTo("Hello, Ada, attempt 1")
	}

	@Test
	fun aDataClassTakesTheDefaultValuesOfItsParameters() {
		run("greet-all", mapOf("names" to listOf("Ada")))

		assertThat(handlers.seen["greet-all"]).isEqualTo(Greetings(listOf("Ada"), "Hello", null))
	}

	@Test
	fun theCoroutineRunsInTheThreadOfItsJobUnlessItSwitches() {
		run("threads")

		assertThat(handlers.seen["threads"]).isEqualTo(true)
	}

	@Test
	fun theResultOfASuspendFunctionIsKept() {
		assertThat(run("add", listOf(1, 2, 3)).result()).isEqualTo("""{"value":6}""")
	}

	@Test
	fun anExceptionAfterASuspensionFailsTheAttempt() {
		val job = run("fail-once", "x")

		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(job.attempt()).isEqualTo(2)
		assertThat(admin.failures(job.id()).first().error()).contains("not yet")
	}

	@Test
	fun anExceptionThatFailsTheJobIsFoundAfterASuspension() {
		val job = run("give-up")

		assertThat(job.state()).isEqualTo(JobState.FAILED)
		assertThat(job.attempt()).isEqualTo(1)
	}

	@Test
	fun anExpiredTimeoutOfTheHandlersOwnFailsTheAttempt() {
		val job = run("own-timeout")

		assertThat(job.state()).isEqualTo(JobState.FAILED)
		assertThat(job.lastError()).contains("TimeoutCancellationException")
	}

	@Test
	fun theTimeoutOfAnAttemptCancelsTheCoroutine() {
		run("threads") // what a first coroutine loads takes longer than the timeout on a slow machine
		val job = run("hang")

		assertThat(job.state()).isEqualTo(JobState.FAILED)
		assertThat(job.lastError()).contains("timed out")
		assertThat(handlers.seen["hang"]).isEqualTo("cancelled")
	}

	@Test
	fun theCancellationOfAJobCancelsItsCoroutineInAnotherThread() {
		val id = jobs.enqueue("wait-elsewhere").id()
		handlers.waitsElsewhere.await()

		admin.cancel(id)

		assertThat(jobs.await(id, 3.minutes)?.state()).isEqualTo(JobState.CANCELLED)
		assertThat(handlers.seen["wait-elsewhere"]).isEqualTo("cancelled")
	}

	@Test
	fun coroutinesOfAHandlerRunSideBySide() {
		assertThat(run("side-by-side").result()).isEqualTo("3")
	}

	@Test
	fun otherThreadsOfACoroutineHaveTheJobInTheirLogContext() {
		val job = run("log-context")

		assertThat(handlers.seen["log-context"]).isEqualTo(listOf(job.id().toString(), job.id().toString()))
	}

	@Test
	fun otherThreadsOfACoroutineAreInTheObservationOfTheAttempt() {
		run("observation")

		assertThat(handlers.seen["observation"]).isEqualTo(true)
	}

	@Test
	fun aSuspendFunctionTakesSeveralJobs() {
		jobs.enqueue("together", "a")
		jobs.enqueue("together", "b")

		await().untilAsserted { assertThat(handlers.together).containsExactlyInAnyOrder("a", "b") }
	}

	@Test
	fun aStepOfACoroutineIsNotRepeated() {
		val job = run("steps")

		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(job.attempt()).isEqualTo(2)
		assertThat(handlers.charges).hasValue(1)
		assertThat(handlers.mails).hasValue(1)
		assertThat(handlers.seen["steps"]).isEqualTo(Sum(12))
	}

	@Test
	fun aSuspendFunctionWaitsForASignalWithoutASlot() {
		val id = jobs.enqueue("approve", "order 1").id()
		await().until { jobs.findOrNull(id)?.state() == JobState.SCHEDULED }

		jobs.signal(id, "approval", Approval("Grace"))

		assertThat(jobs.await(id, 3.minutes)?.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(handlers.seen["approve"]).isEqualTo(Approval("Grace"))
	}

	@Test
	fun aShutdownCancelsTheCoroutineAndReturnsTheJobToItsQueue() {
		val database = DevPostgres.shared().createDatabase("kotlin")
		val application =
			SpringApplicationBuilder(Application::class.java)
				.web(WebApplicationType.NONE)
				.run(
					"--spring.datasource.url=" + database.url(),
					"--spring.datasource.username=" + database.username(),
					"--spring.datasource.password=" + database.password(),
					"--rowqueue.worker.shutdown-timeout=100ms",
				)
		val stopped = application.getBean(Handlers::class.java)
		val other = application.getBean(JobQueue::class.java)
		val id = other.enqueue("wait-elsewhere").id()
		stopped.waitsElsewhere.await()

		application.close()

		assertThat(stopped.seen["wait-elsewhere"]).isEqualTo("cancelled")
		val reader = SpringApplicationBuilder(Application::class.java).web(WebApplicationType.NONE)
		reader
			.run(
				"--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(),
				"--rowqueue.worker.enabled=false",
			).use {
				val job = it.getBean(JobQueue::class.java).findOrNull(id)
				assertThat(job?.state()).isEqualTo(JobState.QUEUED)
				assertThat(job?.lastError()).isNull()
			}
	}

	private fun run(
		type: String,
		payload: Any? = null,
	): Job = jobs.await(jobs.enqueue(type, payload).id(), 3.minutes)!!

	data class Greeting(
		val name: String,
	)

	data class Greetings(
		val names: List<String>,
		val word: String = "Hello",
		val from: String?,
	)

	data class Sum(
		val value: Int,
	)

	data class Approval(
		val by: String,
	)

	open class Handlers(
		private val observations: ObservationRegistry,
	) {
		val seen = ConcurrentHashMap<String, Any>()

		val together = CopyOnWriteArrayList<String>()

		val charges = AtomicInteger()

		val mails = AtomicInteger()

		val waitsElsewhere = CountDownLatch(1)

		@JobHandler("greet")
		suspend fun greet(
			greeting: Greeting,
			context: JobContext,
		) {
			delay(1)
			seen["greet"] = "Hello, ${greeting.name}, attempt ${context.attempt()}"
		}

		@JobHandler("greet-all")
		internal suspend fun greetAll(greetings: Greetings) {
			delay(1)
			seen["greet-all"] = greetings
		}

		@JobHandler("threads")
		suspend fun threads() {
			val before = Thread.currentThread()
			delay(1)
			withContext(Dispatchers.Default) { check(Thread.currentThread() != before) }
			seen["threads"] = Thread.currentThread() == before && before.name.startsWith("rowqueue-job")
		}

		@JobHandler("add", keepResult = true)
		suspend fun add(numbers: List<Int>): Sum {
			delay(1)
			return Sum(numbers.sum())
		}

		@JobHandler("fail-once", retry = "fixed(1ms)")
		suspend fun failOnce(
			text: String,
			context: JobContext,
		) {
			withContext(Dispatchers.Default) { delay(1) }
			check(context.attempt() > 1) { "$text: not yet" }
		}

		@JobHandler("give-up")
		suspend fun giveUp() {
			withContext(Dispatchers.Default) {
				delay(1)
				throw FailJobException("There is no such order")
			}
		}

		@JobHandler("own-timeout", maxAttempts = 1)
		suspend fun ownTimeout() {
			withTimeout(10.milliseconds) { awaitCancellation() }
		}

		@JobHandler("hang", maxAttempts = 1, timeout = "1s")
		suspend fun hang() {
			try {
				awaitCancellation()
			} finally {
				seen["hang"] = "cancelled"
			}
		}

		@JobHandler("wait-elsewhere")
		suspend fun waitElsewhere() {
			withContext(Dispatchers.IO) {
				try {
					waitsElsewhere.countDown()
					awaitCancellation()
				} finally {
					seen["wait-elsewhere"] = "cancelled"
				}
			}
		}

		@JobHandler("side-by-side", keepResult = true)
		suspend fun sideBySide(): Int =
			coroutineScope {
				val ready = CountDownLatch(2)
				val parts =
					(1..2).map {
						async(Dispatchers.IO) {
							ready.countDown()
							ready.await() // neither ends before the other has begun
							it
						}
					}
				parts.sumOf { it.await() }
			}

		@JobHandler("log-context")
		suspend fun logContext() {
			val elsewhere = withContext(Dispatchers.Default) { MDC.get("jobId") }
			delay(1)
			seen["log-context"] = listOf(elsewhere, MDC.get("jobId"))
		}

		@JobHandler("observation")
		suspend fun observation() {
			val here: Observation = observations.currentObservation!!
			seen["observation"] = withContext(Dispatchers.Default) { observations.currentObservation === here }
		}

		@JobHandler("together", coalesce = 10)
		suspend fun together(jobs: List<CoalescedJob<String>>) {
			delay(1)
			jobs.forEach { together += it.payload()!! }
		}

		@JobHandler("steps", retry = "fixed(1ms)")
		suspend fun steps(context: JobContext) {
			val sum =
				context.suspendStep<Sum>("charge") {
					delay(1)
					Sum(11 + charges.incrementAndGet())
				}
			context.suspendStep<Unit>("mail") { withContext(Dispatchers.IO) { mails.incrementAndGet() } }
			check(context.attempt() > 1) { "not yet" }
			seen["steps"] = sum
		}

		@JobHandler("approve")
		suspend fun approve(
			order: String,
			context: JobContext,
		) {
			delay(1)
			check(order == "order 1")
			context.awaitSignal<Approval>("approval", 60.seconds)?.let { seen["approve"] = it }
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Handlers::class)
	open class Application {
		@Bean
		open fun observations(): ObservationRegistry =
			ObservationRegistry.create().apply {
				observationConfig().observationHandler { true }
			}
	}

	companion object {
		@DynamicPropertySource
		@JvmStatic
		fun database(properties: DynamicPropertyRegistry) = properties.addDatabase()
	}
}
