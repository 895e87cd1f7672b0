package io.rowqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobState;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ObjectAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on one job, in its state when the assertion began.
 *
 * @since 0.1.0
 */
public final class JobAssert extends AbstractAssert<JobAssert, Job> {

	private final EnqueuedJobs jobs;

	JobAssert(Job actual, EnqueuedJobs jobs) {
		super(actual, JobAssert.class);
		this.jobs = jobs;
	}

	/**
	 * Verifies the payload, read as an instance of the expected one's class; collections
	 * are compared as JSON.
	 * @param expected the payload that a handler would receive
	 * @return this
	 */
	public JobAssert hasPayload(Object expected) {
		return checkJson("payload", this.actual.payload(), expected, this.jobs.codec());
	}

	/**
	 * Verifies that there is no payload.
	 * @return this
	 */
	public JobAssert hasNoPayload() {
		return check("payload", this.actual.payload(), null);
	}

	/**
	 * Returns assertions on the payload that a handler would receive.
	 * @param type the class of the payload
	 * @param <T> the class
	 * @return assertions on the payload
	 */
	public <T> ObjectAssert<T> payload(Class<T> type) {
		return Assertions.assertThatObject(type.cast(read(this.actual.payload(), type, this.jobs.codec())));
	}

	/**
	 * Verifies the queue.
	 * @param expected the name of the queue
	 * @return this
	 */
	public JobAssert isOnQueue(String expected) {
		return check("queue", this.actual.queue(), expected);
	}

	/**
	 * Verifies the priority.
	 * @param expected the priority
	 * @return this
	 */
	public JobAssert hasPriority(int expected) {
		return check("priority", this.actual.priority(), expected);
	}

	/**
	 * Verifies the unique key.
	 * @param expected the key
	 * @return this
	 */
	public JobAssert hasUniqueKey(String expected) {
		return check("unique key", this.actual.uniqueKey(), expected);
	}

	/**
	 * Verifies the limit key of a job that has not finished. A fairness key is the limit
	 * key <code>fair:</code> and the key, see {@link io.rowqueue.JobRequest#limitKey()
	 * JobRequest}.
	 * @param expected the key
	 * @return this
	 */
	public JobAssert hasLimitKey(String expected) {
		return check("limit key", details().job().limitKey(), expected);
	}

	/**
	 * Verifies that the job has these tags, and maybe others.
	 * @param expected the tags
	 * @return this
	 */
	public JobAssert hasTags(String... expected) {
		List<String> tags = details().tags();
		if (!tags.containsAll(List.of(expected))) {
			throw failure("Expected the tags %s, but it has %s: %s", List.of(expected), tags, describe());
		}
		return this;
	}

	/**
	 * Verifies a header that the request of the job has set.
	 * @param name the name of the header
	 * @param expected its value
	 * @return this
	 */
	public JobAssert hasHeader(String name, String expected) {
		return check("header " + name, details().headers().get(name), expected);
	}

	/**
	 * Verifies when the job expires if it has not begun, with the precision of the
	 * database, microseconds.
	 * @param expected the time
	 * @return this
	 */
	public JobAssert expiresAt(Instant expected) {
		return check("time of expiry", details().expiresAt(), micros(expected));
	}

	/**
	 * Verifies the delay with which a job was enqueued that has not run yet. The exact
	 * time of the enqueue is unknown, so a range is compared.
	 * @param expected the delay
	 * @return this
	 */
	public JobAssert hasDelay(Duration expected) {
		Instant enqueued = this.actual.runAt().minus(expected.truncatedTo(ChronoUnit.MICROS));
		if (enqueued.isBefore(this.actual.createdAt()) || enqueued.isAfter(this.jobs.now())) {
			throw failure("Expected a delay of %s, but it is due %s after the transaction that enqueued it began: %s",
					expected, Duration.between(this.actual.createdAt(), this.actual.runAt()), describe());
		}
		return this;
	}

	/**
	 * Verifies when the job is due, with the precision of the database, microseconds.
	 * @param expected the time
	 * @return this
	 */
	public JobAssert isDueAt(Instant expected) {
		return check("time", this.actual.runAt(), micros(expected));
	}

	/**
	 * Verifies the state.
	 * @param expected the state
	 * @return this
	 */
	public JobAssert hasState(JobState expected) {
		return check("state", this.actual.state(), expected);
	}

	/**
	 * Verifies that the job has succeeded.
	 * @return this
	 */
	public JobAssert hasSucceeded() {
		return hasState(JobState.SUCCEEDED);
	}

	/**
	 * Verifies that the job has failed permanently.
	 * @return this
	 */
	public JobAssert hasFailed() {
		return hasState(JobState.FAILED);
	}

	/**
	 * Verifies the number of attempts.
	 * @param expected the number of attempts
	 * @return this
	 */
	public JobAssert hasAttempts(int expected) {
		return check("number of attempts", this.actual.attempt(), expected);
	}

	/**
	 * Verifies a part of the error of the latest attempt that failed.
	 * @param expected a part of the error, including class and message
	 * @return this
	 */
	public JobAssert hasLastErrorContaining(String expected) {
		String error = this.actual.lastError();
		if (error == null || !error.contains(expected)) {
			throw failure("Expected an error with '%s': %s", expected, describe());
		}
		return this;
	}

	/**
	 * Verifies the stored result, read as an instance of the expected one's class;
	 * collections are compared as JSON.
	 * @param expected the result
	 * @return this
	 */
	public JobAssert hasResult(Object expected) {
		return checkJson("result", this.actual.result(), expected, EncryptingPayloadCodec.ofResults(this.jobs.codec()));
	}

	/**
	 * Verifies a part of a line that the handler has logged for the job with
	 * {@link io.rowqueue.JobContext#log()}, in any attempt.
	 * @param expected a part of the text of a line
	 * @return this
	 */
	public JobAssert hasLogged(String expected) {
		List<String> lines = this.jobs.log(this.actual).stream().map(JobLogLine::text).toList();
		if (lines.stream().noneMatch((line) -> line.contains(expected))) {
			throw failure("Expected a line of the log with '%s', but it has %s: %s", expected, lines, describe());
		}
		return this;
	}

	private JobDetails details() {
		return this.jobs.details(this.actual);
	}

	private static Instant micros(Instant time) {
		return time.plusNanos(500).truncatedTo(ChronoUnit.MICROS);
	}

	private @Nullable Object read(@Nullable String json, Class<?> type, PayloadCodec codec) {
		return codec.read(json, type, this.actual.type());
	}

	private JobAssert checkJson(String what, @Nullable String json, Object expected, PayloadCodec codec) {
		if (json != null && (expected instanceof Collection || expected instanceof Map)
				&& isWritten(expected, json, codec)) {
			return this; // read by its class alone, it would have elements of other
							// classes
		}
		@Nullable Object value;
		try {
			value = read(json, expected.getClass(), codec);
		}
		catch (PayloadConversionException ex) {
			value = json; // it is something else
		}
		return check(what, value, expected);
	}

	private boolean isWritten(Object expected, String json, PayloadCodec codec) {
		String written = codec.write(expected, this.actual.type());
		return Objects.equals(read(written, Object.class, codec), read(json, Object.class, codec));
	}

	private JobAssert check(String what, @Nullable Object value, @Nullable Object expected) {
		if (!Objects.deepEquals(value, expected)) {
			throw failureWithActualExpected(value, expected, "Expected the %s %s, but it is %s: %s", what, expected,
					value, describe());
		}
		return this;
	}

	private String describe() {
		return this.jobs.describe(this.actual);
	}

}
