package io.rowqueue.kotlin

import io.rowqueue.EnqueueResult
import io.rowqueue.HandlerOptions
import io.rowqueue.Job
import io.rowqueue.JobHandlers
import io.rowqueue.JobQueue
import io.rowqueue.JobRequest
import io.rowqueue.JobType
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Declares a type of jobs, as [JobType.of] does.
 *
 * ```
 * val welcomeMail = jobType<WelcomeMail>("welcome-mail") { queue("mail").maxAttempts(5) }
 * ```
 *
 * @param T the type of the payload
 * @param name the name that connects jobs with their handler
 * @param defaults sets the defaults of the jobs
 */
public inline fun <reified T : Any> jobType(
	name: String,
	defaults: JobType<T>.() -> JobType<T> = { this },
): JobType<T> = JobType.of(name, T::class.javaObjectType).defaults()

/**
 * Enqueues a job with options:
 *
 * ```
 * jobs.enqueue("welcome-mail", WelcomeMail("Ada")) { delay(10.minutes).uniqueKey("welcome Ada") }
 * jobs.enqueue("clean-up", null) { delay(10.minutes) }
 * ```
 *
 * A job without a payload needs the `null` if it has options: in `enqueue("clean-up") { … }`, Kotlin takes the block for the
 * payload of [JobQueue.enqueue].
 *
 * @param type the name that connects the job with its handler
 * @param payload the argument of the handler, or `null`
 * @param options sets the options of the job
 */
public inline fun JobQueue.enqueue(
	type: String,
	payload: Any? = null,
	options: JobRequest.() -> JobRequest = { this },
): EnqueueResult = enqueue(JobRequest.of(type, payload).options())

/**
 * Enqueues a job of a declared type with options, which take precedence over the defaults of the type.
 *
 * @param type the type, whose payload the compiler checks
 * @param payload the argument of the handler
 * @param options sets the options of the job
 */
public inline fun <T : Any> JobQueue.enqueue(
	type: JobType<T>,
	payload: T,
	options: JobRequest.() -> JobRequest,
): EnqueueResult = enqueue(type.request(payload).options())

/**
 * Finds a job by its id, as [JobQueue.find] does.
 *
 * @return the job, or `null` if it does not exist or is no longer retained
 */
public fun JobQueue.findOrNull(id: Long): Job? = find(id).getOrNull()

/**
 * Waits until a job has finished, as [JobQueue.await] does. Blocks the thread.
 *
 * @return the finished job, the unfinished one if the time has passed, or `null` if it does not exist
 */
public fun JobQueue.await(
	id: Long,
	timeout: Duration,
): Job? = await(id, timeout.toJavaDuration()).getOrNull()

/** Postpones the job, see [JobRequest.delay]. */
public fun JobRequest.delay(delay: Duration): JobRequest = delay(delay.toJavaDuration())

/** Cancels the job if its first attempt has not begun in time, see [JobRequest.expiresIn]. */
public fun JobRequest.expiresIn(time: Duration): JobRequest = expiresIn(time.toJavaDuration())

/**
 * Registers the handler of a type in code:
 *
 * ```
 * @Bean
 * fun reports(service: ReportService) = JobHandlers.Registrar { handlers ->
 *     handlers.add<Report>("report") { report, context -> service.write(report) }
 * }
 * ```
 *
 * @param P the type that the payload is mapped to
 * @param type the type of the jobs to run
 * @param options the options of the handler
 * @param handler runs the jobs; a suspend function must be a method with `@JobHandler` instead
 */
public inline fun <reified P : Any> JobHandlers.add(
	type: String,
	options: HandlerOptions = HandlerOptions.NONE,
	handler: JobHandlers.Handler<P>,
): JobHandlers = add(type, P::class.javaObjectType, options, handler)
