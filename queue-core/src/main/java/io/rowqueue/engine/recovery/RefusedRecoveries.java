package io.rowqueue.engine.recovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.FirstOfAMinute;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import org.slf4j.Logger;

/**
 * Jobs of dead workers that the database refuses to recover although it recovers others,
 * and when they are tried again: after a pause that grows with the time it takes. Each is
 * logged once.
 */
final class RefusedRecoveries {

	private static final Duration PAUSE = Duration.ofSeconds(10);

	/** How many jobs a line of the log names. */
	private static final int MAX_NAMED = 10;

	private static final Logger logger = JobLog.logger();

	private final LongSupplier nanoTime;

	private final Map<Long, Refused> jobs = new LinkedHashMap<>();

	/** One stack trace a minute is enough. */
	private final FirstOfAMinute<String> firsts = new FirstOfAMinute<>();

	private final Pace tries;

	RefusedRecoveries(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.tries = Pace.dueNow(PAUSE, nanoTime);
	}

	/** The ids of these jobs. */
	List<Long> ids() {
		return List.copyOf(this.jobs.keySet());
	}

	/** Whether there are such jobs, and it is time to try them again. */
	boolean isDue() {
		return !this.jobs.isEmpty() && this.tries.isDue();
	}

	void add(long id, RuntimeException error) {
		this.jobs.computeIfAbsent(id, (added) -> new Refused(this.nanoTime.getAsLong(), error)).error = error;
	}

	/** The job was recovered, or no dead worker holds it any longer. */
	void remove(long id) {
		Refused settled = this.jobs.remove(id);
		if (settled != null && settled.reported) {
			logger.info("Job {} was recovered after {}, or its dead worker no longer holds it", id,
					Times.readable(settled.age(this.nanoTime)));
		}
	}

	/**
	 * Jobs were tried, each alone: logs those that have not been, and begins the pause.
	 * @param begin when the first of them was tried
	 */
	void tried(long begin) {
		this.tries.rest(Duration.ofNanos(this.nanoTime.getAsLong() - begin));
		List<Long> locked = new ArrayList<>();
		List<Long> refused = new ArrayList<>();
		this.jobs.forEach((id, job) -> {
			if (!job.reported && !Outage.isConflict(job.error)) {
				refused.add(id);
			}
			else if (!job.reported && job.age(this.nanoTime).compareTo(PAUSE) >= 0) {
				locked.add(id);
			}
		});
		if (!refused.isEmpty()) {
			RuntimeException error = reported(refused);
			String summary = ErrorText.summaryOfRoot(error);
			logger.atError()
				.setCause(this.firsts.test(summary) ? error : null)
				.log("The database refuses to recover {} of dead workers: {}. Other jobs are recovered meanwhile, and these"
						+ " are tried again until it works. Correct what refuses it, such as a trigger on a table of the"
						+ " queue or a damaged row", names(refused), summary);
		}
		if (!locked.isEmpty()) {
			reported(locked);
			logger.warn("The recovery of {} of dead workers is delayed: another transaction has locked a row that it"
					+ " changes. Other jobs are recovered meanwhile, and the recovery of these is retried until the lock is released."
					+ " pg_stat_activity shows open transactions", names(locked));
		}
	}

	/** Returns what was said of the first of them. */
	private RuntimeException reported(List<Long> ids) {
		List<Refused> reported = ids.stream().map(this.jobs::get).toList();
		reported.forEach((each) -> each.reported = true);
		return reported.get(0).error;
	}

	private static String names(List<Long> ids) {
		String named = ids.stream().limit(MAX_NAMED).map(Object::toString).collect(Collectors.joining(", "));
		String more = (ids.size() > MAX_NAMED) ? " and %s more".formatted(ids.size() - MAX_NAMED) : "";
		return ((ids.size() == 1) ? "job " : "jobs ") + named + more;
	}

	/** A job, and what the database said when it was tried last. */
	private static final class Refused {

		private final long since;

		private RuntimeException error;

		private boolean reported;

		Refused(long since, RuntimeException error) {
			this.since = since;
			this.error = error;
		}

		Duration age(LongSupplier nanoTime) {
			return Duration.ofNanos(nanoTime.getAsLong() - this.since);
		}

	}

}
