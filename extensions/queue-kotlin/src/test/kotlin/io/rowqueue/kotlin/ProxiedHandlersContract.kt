package io.rowqueue.kotlin

import io.rowqueue.Job
import io.rowqueue.JobContext
import io.rowqueue.JobHandler
import io.rowqueue.JobQueue
import io.rowqueue.JobState
import io.rowqueue.admin.JobAdmin
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.aopalliance.intercept.MethodInterceptor
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.aop.Advisor
import org.springframework.aop.support.DefaultPointcutAdvisor
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut
import org.springframework.beans.factory.ObjectProvider
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.beans.factory.config.BeanDefinition
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Import
import org.springframework.context.annotation.Role
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource
import java.io.IOException
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.minutes

/** Suspend functions of a bean behind a proxy of Spring, run by a worker. */
@SpringBootTest(
	classes = [ProxiedHandlersContract.Application::class],
	webEnvironment = SpringBootTest.WebEnvironment.NONE,
)
abstract class ProxiedHandlersContract {
	@Autowired
	private lateinit var jobs: JobQueue

	@Autowired
	private lateinit var admin: JobAdmin

	@Autowired
	private lateinit var recorder: Recorder

	@Autowired
	protected lateinit var mails: Mails

	@Test
	fun theAdviceOfTheProxyAppliesToTheJob() {
		val job = run("send", "ada@example.org")

		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(recorder.seen["send"]).isEqualTo("ada@example.org")
		assertThat(recorder.advised).contains("send")
	}

	@Test
	fun theCoroutineRunsInTheThreadOfItsJob() {
		assertThat(run("thread").result()).isEqualTo("true")
	}

	@Test
	fun theResultIsKept() {
		assertThat(run("add", listOf(1, 2, 3)).result()).isEqualTo("6")
	}

	@Test
	fun aMethodOfAGenericInterfaceRunsJobs() {
		run("archive", 42)

		assertThat(recorder.seen["archive"]).isEqualTo(42L)
		assertThat(recorder.advised).contains("archive")
	}

	@Test
	fun theDefaultValueThatTheInterfaceDeclaresIsPassed() {
		run("purge")

		assertThat(recorder.seen["purge"]).isEqualTo(30)
		assertThat(recorder.advised).contains("purge")
	}

	@Test
	fun aFailureAfterASuspensionIsRetried() {
		val job = run("fail-once")

		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED)
		assertThat(admin.failures(job.id()).single().error()).startsWith("java.lang.IllegalStateException: not yet")
	}

	@Test
	fun anExceptionThatAJavaMethodWouldDeclareIsNotWrapped() {
		for (type in listOf("unreadable", "unreadable-later")) {
			val job = run(type)

			assertThat(job.attempt()).isEqualTo(1)
			assertThat(job.lastError()).startsWith("java.io.IOException: no such file")
		}
	}

	@Test
	fun theTimeoutOfAnAttemptCancelsTheCoroutine() {
		run("thread") // what a first coroutine loads takes longer than the timeout on a slow machine
		val job = run("hang")

		assertThat(job.lastError()).contains("timed out")
		assertThat(recorder.seen["hang"]).isEqualTo("cancelled")
	}

	private fun run(
		type: String,
		payload: Any? = null,
	): Job = jobs.await(jobs.enqueue(type, payload).id(), 3.minutes)!!

	@Target(AnnotationTarget.CLASS)
	annotation class Audited

	interface Archive<T> {
		suspend fun archive(what: T)
	}

	interface Mails : Archive<Long> {
		suspend fun send(mail: String)

		suspend fun thread(): Boolean

		suspend fun add(numbers: List<Int>): Int

		suspend fun purge(days: Int = 30)

		suspend fun failOnce(context: JobContext)

		suspend fun unreadable()

		suspend fun unreadableLater()

		suspend fun hang()
	}

	@Audited
	open class MailHandlers(
		private val recorder: Recorder,
	) : Mails {
		@JobHandler("archive")
		override suspend fun archive(what: Long) {
			delay(1)
			recorder.seen["archive"] = what
		}

		@JobHandler("send")
		override suspend fun send(mail: String) {
			delay(1)
			recorder.seen["send"] = mail
		}

		@JobHandler("thread", keepResult = true)
		override suspend fun thread(): Boolean {
			val before = Thread.currentThread()
			withContext(Dispatchers.Default) { delay(1) }
			return Thread.currentThread() === before && before.name.startsWith("rowqueue-job")
		}

		@JobHandler("add", keepResult = true)
		override suspend fun add(numbers: List<Int>): Int {
			delay(1)
			return numbers.sum()
		}

		@JobHandler("purge")
		override suspend fun purge(days: Int) {
			delay(1)
			recorder.seen["purge"] = days
		}

		@JobHandler("fail-once", retry = "fixed(1ms)")
		override suspend fun failOnce(context: JobContext) {
			withContext(Dispatchers.Default) { delay(1) }
			check(context.attempt() > 1) { "not yet" }
		}

		@JobHandler("unreadable", noRetryFor = [IOException::class])
		override suspend fun unreadable(): Unit = throw IOException("no such file")

		@JobHandler("unreadable-later", noRetryFor = [IOException::class])
		override suspend fun unreadableLater() {
			delay(1)
			throw IOException("no such file")
		}

		@JobHandler("hang", maxAttempts = 1, timeout = "1s")
		override suspend fun hang() {
			try {
				awaitCancellation()
			} finally {
				recorder.seen["hang"] = "cancelled"
			}
		}
	}

	class Recorder {
		val seen = ConcurrentHashMap<String, Any>()

		val advised = CopyOnWriteArrayList<String>()
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(MailHandlers::class, Recorder::class)
	open class Application {
		/** The proxies are those of Spring's infrastructure, as for @Transactional. */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		open fun audit(recorder: ObjectProvider<Recorder>): Advisor =
			DefaultPointcutAdvisor(
				AnnotationMatchingPointcut.forClassAnnotation(Audited::class.java),
				MethodInterceptor {
					recorder.getObject().advised += it.method.name
					it.proceed()
				},
			)
	}

	companion object {
		@DynamicPropertySource
		@JvmStatic
		fun database(properties: DynamicPropertyRegistry) = properties.addDatabase()
	}
}
