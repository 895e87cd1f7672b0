package io.rowqueue.engine.transport;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.support.Causes;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.transport.ParkStore.ParkedJob;
import io.rowqueue.transport.JobMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Parks jobs of which the database may be unable to store one: any program can publish to
 * a topic. Such a job keeps its payload as a text that no handler expects, so that it
 * fails and can be looked at, and holds up no other one.
 */
final class SafeParking {

	/**
	 * The classes of the SQLSTATE for values: data exceptions, violated constraints and
	 * exceeded limits.
	 */
	private static final List<String> REFUSALS = List.of("22", "23", "54");

	/** The end of the year 9999, in microseconds since 1970. */
	private static final long LATEST = 253_402_300_799_999_999L;

	private static final int MAX_CHARACTERS = 1 << 20;

	private static final Logger logger = JobLog.logger();

	private SafeParking() {
	}

	static List<Long> park(List<ParkedJob> jobs, Function<List<ParkedJob>, List<Long>> statement) {
		try {
			return statement.apply(jobs);
		}
		catch (RuntimeException ex) {
			requireRefusal(ex);
			List<Long> parked = new ArrayList<>();
			jobs.forEach((job) -> parked.addAll(parkAlone(job, statement)));
			return parked;
		}
	}

	/** Enqueues a job that a record of another program asks for. */
	static long enqueue(JobMessage job, ToLongFunction<JobMessage> statement) {
		try {
			return statement.applyAsLong(job);
		}
		catch (RuntimeException ex) {
			requireRefusal(ex);
			logger.warn("A record ({}) cannot be enqueued as it is, and is stored with its payload as a text: {}",
					job.type(), ErrorText.summaryOfRoot(ex));
			return statement.applyAsLong(storable(job.payload(start(job.payload()))));
		}
	}

	/** However it has to be escaped, SQL takes so many characters. */
	private static @Nullable String start(@Nullable String payload) {
		return (payload != null) ? payload.substring(0, Math.min(payload.length(), MAX_CHARACTERS)) : null;
	}

	static boolean isTime(long micros) {
		return micros >= 0 && micros <= LATEST;
	}

	private static List<Long> parkAlone(ParkedJob job, Function<List<ParkedJob>, List<Long>> statement) {
		try {
			return statement.apply(List.of(job));
		}
		catch (RuntimeException ex) {
			requireRefusal(ex);
			logger.warn(
					"Job {} ({}) cannot be stored as the broker has delivered it: {}. Its payload is kept as a text",
					job.message().id(), job.message().type(), ErrorText.summaryOfRoot(ex));
			return statement.apply(List.of(new ParkedJob(storable(job.message()), job.lease())));
		}
	}

	/**
	 * Throws the error if it is not because of a job: the statement may succeed later.
	 */
	private static void requireRefusal(RuntimeException error) {
		boolean refused = Causes.find(error, SQLException.class)
			.map(SQLException::getSQLState)
			.filter((state) -> REFUSALS.stream().anyMatch(state::startsWith))
			.isPresent();
		if (!refused) {
			throw error;
		}
	}

	private static JobMessage storable(JobMessage job) {
		String payload = (job.payload() != null)
				? JsonTexts.write(Map.of("unreadable", job.payload().replace('\0', '\uFFFD'))) : null;
		long createdAt = Math.max(0, Math.min(job.createdAt(), LATEST));
		return JobMessage.of(job.id(), job.type(), name(job.queue()), createdAt).payload(payload);
	}

	/** The name of a queue, if applications may choose it. */
	static String name(String queue) {
		try {
			RequestChecks.name("queue", queue);
			return queue;
		}
		catch (IllegalArgumentException ex) {
			return "default";
		}
	}

}
