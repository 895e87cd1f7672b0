package io.rowqueue.autoconfigure.handler

import io.rowqueue.CoalescedJob
import io.rowqueue.HandlerOptions
import io.rowqueue.JobContext
import io.rowqueue.PayloadConversionException
import io.rowqueue.StopReason
import io.rowqueue.engine.codec.JacksonPayloadCodec
import io.rowqueue.engine.handler.InvalidJobHandlerException
import io.rowqueue.engine.handler.PendingJob
import io.rowqueue.engine.handler.RegisteredHandler
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.boot.test.context.FilteredClassLoader
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.KotlinModule
import java.time.Instant

/** Which functions of Kotlin can be handlers, and what they are called with. */
class KotlinHandlerMethodsTests {
	private val jobs = Jobs()

	@Test
	fun aFunctionWhosePayloadIsNotNullableIsNotCalledWithoutAPayload() {
		for (function in listOf("plain", "suspending")) {
			assertThatExceptionOfType(PayloadConversionException::class.java)
				.isThrownBy { run(function, null) }
				.withMessageContaining("'mail'")
				.withMessageContaining("the parameter 'mail' is not nullable")
		}
		assertThat(jobs.seen).isEmpty()
	}

	@Test
	fun aRequiredPayloadIsCheckedWithoutACall() {
		assertThatExceptionOfType(PayloadConversionException::class.java)
			.isThrownBy { handler("suspending").checkPayload("null") }
		handler("suspending").checkPayload("\"a\"")
		handler("nullable").checkPayload(null)
		assertThat(jobs.seen).isEmpty()
	}

	@Test
	fun aFunctionWithANullablePayloadIsCalledWithNull() {
		run("nullable", null)

		assertThat(jobs.seen).containsExactly(null)
	}

	@Test
	fun aFunctionWithADefaultValueIsCalledWithItIfThereIsNoPayload() {
		run("withDefault", null)
		run("withDefault", "7")
		run("suspendingWithDefault", null)
		run("suspendingWithDefault", "8")

		assertThat(jobs.seen).containsExactly(30, 7, 31, 8)
	}

	@Test
	fun theContextMayBeTheReceiver() {
		run("receiving", "\"a\"")
		run("suspendingReceiver", null)
		run("suspendingReceiver", "8")

		assertThat(jobs.seen).containsExactly("a in attempt 1", 31, 8)
	}

	@Test
	fun aFunctionWhosePayloadIsAValueClassIsCalledWithIt() {
		for (function in listOf("ofValue", "ofNullableValue", "suspendingOfValue")) {
			run(function, "42")
		}
		run("ofNullableValue", null)
		run("ofDefaultValue", null)
		run("ofDefaultValue", "8")

		assertThat(jobs.seen).containsExactly(
			OrderNumber(42),
			OrderNumber(42),
			OrderNumber(42),
			null,
			OrderNumber(7),
			OrderNumber(8),
		)
	}

	@Test
	fun aFailureOfAFunctionThatIsCalledWithADefaultValueIsNotWrapped() {
		for (function in listOf("failing", "suspendingFailing")) {
			assertThatExceptionOfType(IllegalStateException::class.java)
				.isThrownBy { run(function, null) }
				.withMessage("days: 30")
		}
	}

	@Test
	fun aListOfAClassWithSubclassesIsAListOfItsElements() {
		val handler = handler("coalesced", HandlerOptions.NONE.coalesce(10))

		handler.runTogether(listOf(PendingJob("\"a\"", context()) { throw it }))

		assertThat(jobs.seen).containsExactly("a")
	}

	@Test
	fun aSuspendFunctionCannotBeTransactional() {
		assertRefused("suspending", HandlerOptions.NONE.transactional(true))
			.withMessageContaining("is a suspend function and transactional")
			.withMessageContaining("remove transactional")
	}

	@Test
	fun aSuspendFunctionWithoutAResultHasNothingToKeep() {
		assertRefused("suspending", HandlerOptions.NONE.keepResult(true)).withMessageContaining("has no result to keep")
	}

	@Test
	fun aFunctionWhoseWorkBeginsAfterItHasReturnedIsRefused() {
		assertRefused("flow").withMessageContaining("returns a Flow")
		assertRefused("deferred").withMessageContaining("returns a Deferred")
	}

	@Test
	fun aSuspendFunctionIsRefusedWithoutTheLibraryForCoroutines() {
		val thread = Thread.currentThread()
		val loader = thread.contextClassLoader
		FilteredClassLoader("kotlinx.coroutines").use {
			thread.contextClassLoader = it
			try {
				assertRefused("suspending")
					.withMessageContaining("Jobs.suspending(String) of bean 'jobs'")
					.withMessageContaining("needs kotlinx-coroutines")
					.withMessageContaining("org.jetbrains.kotlinx:kotlinx-coroutines-core")
				handler("plain")
			} finally {
				thread.contextClassLoader = loader
			}
		}
	}

	private fun assertRefused(
		function: String,
		options: HandlerOptions = HandlerOptions.NONE,
	) = assertThatExceptionOfType(InvalidJobHandlerException::class.java).isThrownBy { handler(function, options) }

	private fun run(
		function: String,
		payload: String?,
	) {
		handler(function).run(payload, context())
	}

	private fun handler(
		function: String,
		options: HandlerOptions = HandlerOptions.NONE,
	): RegisteredHandler {
		val method = Jobs::class.java.declaredMethods.single { it.name.substringBefore('-') == function && !it.isSynthetic }
		val codec = JacksonPayloadCodec(JsonMapper.builder().addModule(KotlinModule.Builder().build()).build())
		return MethodHandler("mail", HandlerMethod(method, Jobs::class.java, "jobs"), options, codec) { jobs }
	}

	private fun context(): JobContext =
		object : JobContext {
			override fun id() = 1L

			override fun type() = "mail"

			override fun queue() = "default"

			override fun attempt() = 1

			override fun maxAttempts() = 10

			override fun createdAt(): Instant = Instant.EPOCH

			override fun runAt(): Instant = Instant.EPOCH

			override fun leaseToken() = 1

			override fun stopReason(): StopReason? = null

			override fun progress(
				done: Long,
				total: Long,
				message: String?,
			) = Unit
		}

	@JvmInline
	value class OrderNumber(
		val value: Long,
	)

	@Suppress("RedundantSuspendModifier", "unused", "UNUSED_PARAMETER")
	class Jobs {
		val seen = mutableListOf<Any?>()

		fun plain(mail: String) {
			seen += mail
		}

		suspend fun suspending(mail: String) {
			delay(1)
			seen += mail
		}

		fun nullable(mail: String?) {
			seen += mail
		}

		fun withDefault(days: Int = 30) {
			seen += days
		}

		suspend fun suspendingWithDefault(
			context: JobContext,
			days: Int = 30 + context.attempt(),
		) {
			delay(1)
			seen += days
		}

		fun JobContext.receiving(mail: String) {
			seen += "$mail in attempt ${attempt()}"
		}

		suspend fun JobContext.suspendingReceiver(days: Int = 30 + attempt()) {
			delay(1)
			seen += days
		}

		fun ofValue(order: OrderNumber) {
			seen += order
		}

		fun ofNullableValue(order: OrderNumber?) {
			seen += order
		}

		fun ofDefaultValue(order: OrderNumber = OrderNumber(7)) {
			seen += order
		}

		suspend fun suspendingOfValue(order: OrderNumber) {
			delay(1)
			seen += order
		}

		fun failing(days: Int = 30): Unit = error("days: $days")

		suspend fun suspendingFailing(days: Int = 30) {
			delay(1)
			error("days: $days")
		}

		suspend fun coalesced(jobs: List<CoalescedJob<String>>) {
			delay(1)
			jobs.forEach { seen += it.payload() }
		}

		fun flow(mail: String): Flow<String> = emptyFlow()

		suspend fun deferred(mail: String): Deferred<String> = error(mail)
	}
}
