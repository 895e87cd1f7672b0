package io.rowqueue.kotlin

import io.rowqueue.EnqueueResult
import io.rowqueue.JobContext
import io.rowqueue.JobHandlers
import io.rowqueue.JobQueue
import io.rowqueue.JobRequest
import io.rowqueue.engine.codec.JacksonPayloadCodec
import io.rowqueue.engine.handler.HandlerRegistry
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.core.ParameterizedTypeReference
import tools.jackson.databind.json.JsonMapper
import java.lang.reflect.Proxy
import java.util.Optional
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import java.time.Duration as JavaDuration

class ExtensionsTests {
	@Test
	fun aJobTypeHasTheClassOfItsPayloadAndItsDefaults() {
		val type = jobType<Long>("refund") { queue("payments") }

		assertThat(type.payloadType()).isEqualTo(Long::class.javaObjectType)
		assertThat(type.request(42).queue()).isEqualTo("payments")
	}

	@Test
	fun durationsOfKotlinAreThoseOfTheRequest() {
		assertThat(JobRequest.of("refund").delay(5.seconds).expiresIn(1.minutes))
			.isEqualTo(JobRequest.of("refund").delay(JavaDuration.ofSeconds(5)).expiresIn(JavaDuration.ofMinutes(1)))
	}

	@Test
	fun aJobWithoutAPayloadTakesOptions() {
		val requests = mutableListOf<Any?>()
		val queue =
			Proxy.newProxyInstance(javaClass.classLoader, arrayOf(JobQueue::class.java)) { _, _, arguments ->
				requests += arguments[0]
				EnqueueResult(1, EnqueueResult.Outcome.CREATED)
			} as JobQueue

		queue.enqueue("bake", null) { delay(5.seconds) }

		assertThat(requests).containsExactly(JobRequest.of("bake").delay(5.seconds))
	}

	@Test
	fun aHandlerInCodeGetsItsPayloadMapped() {
		var refunded = 0L
		val handlers =
			HandlerRegistry
				.builder(JacksonPayloadCodec(JsonMapper.shared()))
				.add(JobHandlers.Registrar { it.add<Long>("refund") { order, _ -> refunded = order!! } }, "test")
				.build()

		handlers.find("refund").orElseThrow().run("42", context { _, _ -> null })

		assertThat(refunded).isEqualTo(42)
	}

	@Test
	fun anAbsentResultOfAnotherJobIsNull() {
		val context =
			context { method, arguments ->
				check(method == "resultOf" && arguments[1] == object : ParameterizedTypeReference<Int>() {})
				if (arguments[0] == "count") Optional.of(3) else Optional.empty<Int>()
			}

		assertThat(context.resultOf<Int>("count")).isEqualTo(3)
		assertThat(context.resultOf<Int>("sum")).isNull()
	}

	@Test
	fun theResultOfAnotherJobMayBeOfAGenericType() {
		val context =
			context { _, arguments ->
				val type = (arguments[1] as ParameterizedTypeReference<*>).type
				Optional.ofNullable(JacksonPayloadCodec(JsonMapper.shared()).read("[42]", type, "test"))
			}

		assertThat(context.resultOf<List<Long>>("numbers")).isEqualTo(listOf(42L))
	}

	@Test
	fun waitsTakeDurationsOfKotlin() {
		val calls = mutableListOf<List<Any?>>()
		val context =
			context { method, arguments ->
				calls += listOf(method) + arguments
				if (method == "awaitSignal") true else null
			}

		context.sleep("pause", 5.seconds)
		assertThat(context.awaitSignal("paid", 1.minutes)).isTrue()

		assertThat(calls).containsExactly(
			listOf("sleep", "pause", JavaDuration.ofSeconds(5)),
			listOf("awaitSignal", "paid", JavaDuration.ofMinutes(1)),
		)
	}

	private fun context(answer: (String, List<Any?>) -> Any?): JobContext =
		Proxy.newProxyInstance(javaClass.classLoader, arrayOf(JobContext::class.java)) { _, method, arguments ->
			answer(method.name, arguments.orEmpty().toList())
		} as JobContext
}
