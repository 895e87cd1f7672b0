package io.rowqueue.kotlin

import io.rowqueue.JobContext
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runBlocking
import org.springframework.core.ParameterizedTypeReference
import java.lang.reflect.Type
import kotlin.coroutines.ContinuationInterceptor
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Runs a step of the work, unless an earlier attempt of this job has completed it, and returns its recorded
 * result, see [JobContext.step]:
 *
 * ```
 * val receipt = context.step<Receipt>("charge") { payments.charge(order) }
 * ```
 *
 * Name the type of the result: without it, `step` is the method for steps that have none.
 *
 * @param T the type of the result
 * @param name the name of the step within the job
 * @param work the work
 */
public inline fun <reified T> JobContext.step(
	name: String,
	noinline work: () -> T,
): T = record(name, typeOf<T>(), work) as T

/**
 * Runs a step of a suspend function, see [step]. It runs in the calling thread, or where [work] switches to, and the
 * thread runs other coroutines of the handler meanwhile.
 *
 * @param T the type of the result; [Unit] for none
 * @param name the name of the step within the job
 * @param work the work
 */
public suspend inline fun <reified T> JobContext.suspendStep(
	name: String,
	noinline work: suspend () -> T,
): T = recordSuspending(name, typeOf<T>(), work) as T

/**
 * Waits for a signal to this job without holding a slot, see [JobContext.awaitSignal]:
 *
 * ```
 * val approval = context.awaitSignal<Approval>("approval", 2.days) ?: throw FailJobException("Nobody has approved it")
 * ```
 *
 * The exception that ends the attempt must not be caught.
 *
 * @param T the type of the payload
 * @param name the name of the signal within the job
 * @param timeout how long to wait, from the first call with this name
 * @return the payload, or `null` if the signal did not come in time
 */
public inline fun <reified T : Any> JobContext.awaitSignal(
	name: String,
	timeout: Duration,
): T? = awaitSignal(name, object : ParameterizedTypeReference<T>() {}, timeout.toJavaDuration()).getOrNull()

/**
 * Waits for a signal without a payload, see [JobContext.awaitSignal].
 *
 * @return whether it came in time
 */
public fun JobContext.awaitSignal(
	name: String,
	timeout: Duration,
): Boolean = awaitSignal(name, timeout.toJavaDuration())

/** Waits for some time without holding a slot, see [JobContext.sleep]. */
public fun JobContext.sleep(
	name: String,
	duration: Duration,
): Unit = sleep(name, duration.toJavaDuration())

/**
 * Returns the result of another job of the same flow, see [JobContext.resultOf].
 *
 * @param T the type of the result
 * @param name the name of that job in the flow
 * @return the result, or `null` if there is none
 */
public inline fun <reified T : Any> JobContext.resultOf(name: String): T? =
	resultOf(name, object : ParameterizedTypeReference<T>() {}).getOrNull()

@PublishedApi
internal inline fun <reified T> typeOf(): Type = object : ParameterizedTypeReference<T>() {}.type

@PublishedApi
internal fun JobContext.record(
	name: String,
	type: Type,
	work: () -> Any?,
): Any? {
	if (type != Unit::class.java) {
		return recordStep(name, work, type)
	}
	step(name) { work() }
	return Unit
}

/** A step is recorded by the thread that runs it, which thus waits for its coroutine. */
@PublishedApi
internal suspend fun JobContext.recordSuspending(
	name: String,
	type: Type,
	work: suspend () -> Any?,
): Any? {
	val context = currentCoroutineContext().minusKey(ContinuationInterceptor)
	return record(name, type) { runBlocking(context) { work() } }
}
