package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Writes one line when the database goes away or cannot be used, and one when it can
 * again, however many threads notice; another one in between only for another reason. And
 * one line for each other thing that begins or ceases to fail.
 */
public final class Outage {

	/**
	 * Longer than any pause between two tries: a thread that has not failed again for so
	 * long has nothing to do any more.
	 */
	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	/** How long a lock or a slow statement is not reported as a problem. */
	private static final Duration UNREPORTED = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	/** Precedes each line of the log; empty for the only database. */
	private final String prefix;

	private final Runnable readOnly;

	private final LongSupplier nanoTime;

	/** Who could not work since it began. */
	private final Map<String, Waiting> without = new HashMap<>();

	private final Set<Trouble> reported = EnumSet.noneOf(Trouble.class);

	private long since;

	private int losses;

	/** What fails for other reasons, by who tried. */
	private final Map<String, Failing> failing = new HashMap<>();

	/** Creates one that only writes. */
	public Outage() {
		this("", () -> {
		});
	}

	/**
	 * Creates one that may do something about connections to a server that was demoted.
	 * @param database the database, for the log; empty: the only one
	 * @param readOnly called each time that the database refuses to write; it is to have
	 * connections opened anew, which may lead to another server
	 */
	public Outage(String database, Runnable readOnly) {
		this(database, readOnly, System::nanoTime);
	}

	Outage(String database, Runnable readOnly, LongSupplier nanoTime) {
		this.prefix = database.isEmpty() ? "" : database + ": ";
		this.readOnly = readOnly;
		this.nanoTime = nanoTime;
	}

	/**
	 * Something failed and will be tried again.
	 * @param who the thread that tried
	 * @param error what it met
	 */
	public void report(String who, Throwable error) {
		report(who, error, () -> {
		});
	}

	/**
	 * Something failed and will be tried again.
	 * @param who the thread that tried
	 * @param error what it met
	 * @param retry called when another thread that could not use the database can again:
	 * ends the pause before the next try, and returns at once
	 */
	public void report(String who, Throwable error, Runnable retry) {
		Trouble trouble = Trouble.of(error);
		if (trouble == null) {
			fails(who, error);
			return;
		}
		begin(who, trouble, error, retry);
		if (trouble == Trouble.READ_ONLY) {
			this.readOnly.run();
		}
	}

	private synchronized void begin(String who, Trouble trouble, Throwable error, Runnable retry) {
		if (this.without.isEmpty()) {
			this.since = this.nanoTime.getAsLong();
			this.reported.clear();
		}
		if (isNews(trouble)) {
			logger.warn("{}{}; the queue retries until it succeeds. {}", this.prefix, trouble.beginning(),
					ErrorText.summaryOfRoot(error));
		}
		this.without.put(who, new Waiting(this.nanoTime.getAsLong(), trouble, retry));
		if (trouble.isTotal() && trouble != Trouble.FULL) { // which may concern one
															// statement
			this.losses++;
		}
	}

	/** The first errors of an outage are not always those that tell its reason. */
	private boolean isNews(Trouble trouble) {
		boolean known = trouble == Trouble.AWAY && this.reported.stream().anyMatch(Trouble::isTotal);
		return this.reported.add(trouble) && !known;
	}

	private synchronized void fails(String who, Throwable error) {
		String summary = ErrorText.summaryOfRoot(error);
		Failing before = this.failing.put(who, new Failing(summary, this.nanoTime.getAsLong()));
		if (before == null || !words(summary).equals(words(before.summary))) {
			logger.error("{}{} failed and retries until it succeeds: {}", this.prefix, who, ErrorText.of(error));
		}
	}

	/** Without numbers: process ids and times differ with each try. */
	private static String words(String summary) {
		return summary.replaceAll("\\d+", "?");
	}

	/**
	 * Something worked. An outage has ended when all threads that met it have worked
	 * again: a thread that sent no statement does not know. The others retry at once.
	 * @param who the thread that did it
	 */
	public void over(String who) {
		// outside of the lock: a loop that is woken has a lock of its own
		end(who).forEach(Runnable::run);
	}

	/** Returns the retries of those that are to find out whether they can work again. */
	private synchronized List<Runnable> end(String who) {
		if (this.failing.remove(who) != null) {
			logger.info("{}{} works again", this.prefix, who);
		}
		if (this.without.isEmpty()) {
			return List.of();
		}
		long now = this.nanoTime.getAsLong();
		Waiting ended = this.without.remove(who);
		this.without.values().removeIf((waiting) -> now - waiting.failedAt > LONGEST_PAUSE.toNanos());
		if (this.without.isEmpty()) {
			Trouble worst = this.reported.stream()
				.filter(Trouble::isTotal)
				.findFirst()
				.orElse(this.reported.iterator().next());
			logger.info("{}{} after {}", this.prefix, worst.end(), Times.readable(Duration.ofNanos(now - this.since)));
		}
		boolean news = ended != null && ended.trouble.isTotal();
		return news ? this.without.values().stream().map(Waiting::retry).toList() : List.of();
	}

	/**
	 * How often threads of this process have found that the database cannot be used by
	 * any of them, for those that may not have noticed.
	 * @return a number that grows
	 */
	public synchronized int losses() {
		return this.losses;
	}

	/**
	 * What is wrong with the database, as far as this process knows, for people.
	 * @return nothing if all is well, or if it has only just begun to be slow or locked
	 */
	public synchronized Optional<String> database() {
		if (this.without.isEmpty()) {
			return Optional.empty();
		}
		Duration since = Duration.ofNanos(this.nanoTime.getAsLong() - this.since);
		Optional<Trouble> total = this.reported.stream()
			.filter((each) -> each != Trouble.AWAY && each.isTotal())
			.findFirst();
		Trouble worst = total.orElseGet(() -> this.reported.iterator().next());
		return (!worst.isTotal() && since.compareTo(UNREPORTED) < 0) ? Optional.empty()
				: Optional.of(worst.beginning() + " (for " + Times.readable(since) + ")");
	}

	/**
	 * What fails for other reasons than that, again and again.
	 * @return errors of the last minute, one line each, by who tried
	 */
	public synchronized Map<String, String> failing() {
		long now = this.nanoTime.getAsLong();
		Map<String, String> recent = new TreeMap<>();
		this.failing.forEach((who, failing) -> {
			if (now - failing.at <= LONGEST_PAUSE.toNanos()) {
				recent.put(who, failing.summary);
			}
		});
		return recent;
	}

	/** Whether an error says that the database cannot be reached or used at all. */
	public static boolean isAway(Throwable error) {
		Trouble trouble = Trouble.of(error);
		return trouble != null && trouble.isTotal();
	}

	/** Whether an error is one of those that end without a change of the job. */
	public static boolean isTemporary(Throwable error) {
		return Trouble.of(error) != null;
	}

	/** Whether an error says that there was no connection: nothing was sent. */
	public static boolean isUnconnected(Throwable error) {
		return Trouble.isUnconnected(error)
				|| Causes.of(error).stream().anyMatch(CannotCreateTransactionException.class::isInstance);
	}

	/**
	 * Whether an error says that there is no room for what a statement does: for any, or
	 * only for this one, which needs more than others.
	 */
	public static boolean isFull(Throwable error) {
		return Trouble.of(error) == Trouble.FULL && !Trouble.isUnconnected(error);
	}

	/** Whether an error says that another session holds a lock. */
	public static boolean isLocked(Throwable error) {
		return Trouble.of(error) == Trouble.LOCKED;
	}

	/**
	 * Whether an error says that another transaction has locked what a statement changes,
	 * or has changed it. Spring has no exception of its own for a lock that was waited
	 * for too long.
	 */
	public static boolean isConflict(Throwable error) {
		return error instanceof ConcurrencyFailureException || isLocked(error);
	}

	/**
	 * Throws the error if it says that no other statement can succeed either. One that
	 * finds no room may be the only one.
	 */
	public static void requireDatabase(RuntimeException error) {
		if (isAway(error) && !isFull(error)) {
			throw error;
		}
	}

	/**
	 * A thread that cannot use the database.
	 *
	 * @param failedAt when it failed last
	 * @param trouble what it met then
	 * @param retry ends its pause
	 */
	private record Waiting(long failedAt, Trouble trouble, Runnable retry) {

	}

	private record Failing(String summary, long at) {

	}

}
