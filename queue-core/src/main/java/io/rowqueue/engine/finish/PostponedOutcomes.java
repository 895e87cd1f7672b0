package io.rowqueue.engine.finish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.FirstOfAMinute;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Outcomes that could not be written although others could, and when each is tried again:
 * with longer and longer pauses, in all no more than a twentieth of the time. The lease
 * of such a job stays with its worker. Not safe for several threads.
 */
final class PostponedOutcomes {

	/** A shorter lock is not logged. */
	private static final Duration UNLOGGED = Duration.ofSeconds(10);

	private static final Logger logger = JobLog.logger();

	private final IdentityHashMap<AttemptOutcome, Postponed> outcomes = new IdentityHashMap<>();

	/** One stack trace a minute is enough. */
	private final FirstOfAMinute<String> firsts = new FirstOfAMinute<>();

	/** None of them is tried before. */
	private final Pace rounds = Pace.dueNow(Duration.ZERO);

	/**
	 * A batch was tried.
	 * @param batch all of it
	 * @param unwritten those of it that could not be written
	 * @param taken how long that took
	 */
	void tried(List<AttemptOutcome> batch, List<UnwrittenOutcome> unwritten, Duration taken) {
		if (this.outcomes.isEmpty() && unwritten.isEmpty()) {
			return;
		}
		Set<AttemptOutcome> left = Collections.newSetFromMap(new IdentityHashMap<>());
		for (UnwrittenOutcome each : unwritten) {
			left.add(each.outcome());
			this.outcomes.computeIfAbsent(each.outcome(), (added) -> new Postponed()).failed(each, this.firsts);
		}
		for (AttemptOutcome outcome : batch) {
			Postponed before = left.contains(outcome) ? null : this.outcomes.remove(outcome);
			if (before != null) {
				before.settled(outcome);
			}
		}
		this.rounds.rest(taken);
	}

	/** Whether it is one of them. */
	boolean contains(AttemptOutcome outcome) {
		return this.outcomes.containsKey(outcome);
	}

	/** All of them. */
	Collection<AttemptOutcome> outcomes() {
		return this.outcomes.keySet();
	}

	int size() {
		return this.outcomes.size();
	}

	/** Those that are to be tried now. */
	List<AttemptOutcome> due(int limit) {
		if (this.outcomes.isEmpty() || !this.rounds.isDue()) {
			return List.of();
		}
		List<AttemptOutcome> due = new ArrayList<>();
		this.outcomes.forEach((outcome, postponed) -> {
			if (due.size() < limit && postponed.tries.isDue()) {
				due.add(outcome);
			}
		});
		return due;
	}

	/** The time until the next one is to be tried; {@code null}: there is none. */
	@Nullable Duration untilDue() {
		if (this.outcomes.isEmpty()) {
			return null;
		}
		Duration first = this.outcomes.values()
			.stream()
			.map((postponed) -> postponed.tries.remaining())
			.min(Duration::compareTo)
			.orElseThrow();
		return Times.longer(first, this.rounds.remaining());
	}

	/** All are to be tried now. */
	void hurry() {
		this.rounds.hurry();
		this.outcomes.values().forEach((postponed) -> postponed.tries.hurry());
	}

	/** The tries of one outcome. */
	private static final class Postponed {

		private final long since = System.nanoTime();

		private final Pace tries = Pace.dueNow(Duration.ZERO);

		private boolean logged;

		void failed(UnwrittenOutcome unwritten, FirstOfAMinute<String> firsts) {
			this.tries.failed();
			RuntimeException error = unwritten.error();
			if (this.logged || (error == null && age().compareTo(UNLOGGED) < 0)) {
				return;
			}
			this.logged = true;
			if (error == null) {
				logger
					.warn("{} {}, but this cannot be stored: for {}, another transaction has locked its row or another row"
							+ " that its end changes. The worker keeps the lease and retries until the lock is released; other jobs are not affected."
							+ " pg_stat_activity shows open transactions", unwritten.outcome().job(),
							name(unwritten.outcome()), Times.readable(age()));
			}
			else {
				String summary = ErrorText.summaryOfRoot(error);
				logger.atError()
					.setCause(firsts.test(summary) ? error : null)
					.log("{} {}, but the database refuses to store this: {}. The worker keeps the lease and"
							+ " retries until it succeeds; other jobs are not affected. Correct the cause, such as"
							+ " a trigger on a table of the queue or a damaged row; if the job's row is deleted, the outcome is discarded",
							unwritten.outcome().job(), name(unwritten.outcome()), summary);
			}
		}

		void settled(AttemptOutcome outcome) {
			if (this.logged) {
				logger.info("The end of {} was stored after {}, or its lease was lost", outcome.job(),
						Times.readable(age()));
			}
		}

		private Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.since);
		}

		private static String name(AttemptOutcome outcome) {
			return outcome.attemptOutcome().name().toLowerCase(Locale.ROOT);
		}

	}

}
