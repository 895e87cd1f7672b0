package io.pgqueue.test;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.pgqueue.Job;
import io.pgqueue.autoconfigure.worker.InlineQueue;
import org.assertj.core.api.AssertProvider;
import org.springframework.util.Assert;

/**
 * The queue in the hands of a test: runs its jobs in the thread of the test, moves their
 * time, and tells what was enqueued, to be asserted with
 * {@code assertThat(tester).hasJob("welcome-mail")} and the like.
 * <p>
 * It knows the jobs that were enqueued since the test began, and leaves all others alone.
 * All it does happens on the connection of the test's transaction, if there is one: jobs
 * that were enqueued in a transaction which will be rolled back can be run and seen here,
 * and nowhere else. Without a transaction it commits each step.
 * <p>
 * For one test at a time in each application context and database.
 *
 * @since 0.1.0
 */
public final class QueueTester implements AssertProvider<QueueAssert> {

	private static final int BATCH = 200;

	/** More attempts of one job than any test means to see: it comes back without end. */
	private static final int MOST_ATTEMPTS = 100;

	private final InlineQueue queue;

	private final EnqueuedJobs jobs;

	/**
	 * Creates the tester.
	 * @param queue the queue as the thread of the test sees it
	 */
	public QueueTester(InlineQueue queue) {
		this.queue = queue;
		this.jobs = new EnqueuedJobs(queue);
	}

	/**
	 * From now on only jobs that are enqueued later are known. It is called before each
	 * test method.
	 */
	public void begin() {
		this.jobs.begin();
	}

	/**
	 * Runs the jobs that are due, and those that become due meanwhile, in this thread,
	 * until none is left: most urgent first, as a worker takes them. A handler that
	 * throws fails the attempt, not the test: look at the job. One that comes back later
	 * runs again when {@link #advance} has made it due.
	 * <p>
	 * In a transaction of the test, handlers run in it as well, and so do transactional
	 * ones; what a handler wrote before it threw is undone. What it does in a transaction
	 * of its own ({@code REQUIRES_NEW}) or in another thread does not see what the test
	 * has not committed. Timeouts of handlers are not watched, limits of concurrency are
	 * never reached.
	 * @param types only jobs of these types; none: of all types that have a handler
	 * @return each job that was run, once, as it is now
	 * @throws IllegalArgumentException if a type has no handler
	 * @throws IllegalStateException if a job comes back at once without end
	 */
	public List<Job> runDue(String... types) {
		Map<Long, Integer> attempts = new LinkedHashMap<>();
		List<Long> batch;
		do {
			batch = run(types, BATCH);
			batch.forEach((id) -> attempts.merge(id, 1, Integer::sum));
			attempts.forEach((id, number) -> Assert.state(number <= MOST_ATTEMPTS,
					() -> "Job " + id + " comes back without end: it was tried " + number + " times"));
		}
		while (batch.size() == BATCH);
		return this.jobs.find(attempts.keySet());
	}

	/**
	 * Makes one attempt of the most urgent job that is due, like {@link #runDue}.
	 * @param types only a job of these types; none: of all types that have a handler
	 * @return the job as it is now
	 * @throws IllegalArgumentException if a type has no handler
	 * @throws AssertionError if no job is due
	 */
	public Job runNext(String... types) {
		List<Long> attempt = run(types, 1);
		if (attempt.isEmpty()) {
			String ofTypes = (types.length > 0) ? " of the types " + List.of(types) : "";
			throw new AssertionError("No job is due" + ofTypes + ". " + this.jobs.describe());
		}
		return this.jobs.find(attempt).get(0);
	}

	private List<Long> run(String[] types, int most) {
		Set<String> known = new TreeSet<>(this.queue.types().get());
		Collection<String> wanted = (types.length > 0) ? List.of(types) : known;
		for (String type : wanted) {
			Assert.isTrue(known.contains(type), () -> "No handler for the type '" + type + "', only for " + known);
		}
		return this.queue.worker().get().run(wanted, this.jobs.after(), most);
	}

	/**
	 * Moves the time of the queue: afterwards all jobs that wait have been enqueued that
	 * much earlier and are due that much earlier, and unique keys that are still taken
	 * are free that much earlier. Nothing is run.
	 * <p>
	 * The clock is the database's and nobody can move it. So what is enqueued, retried or
	 * put off from now on counts from the real time again, and neither
	 * {@code Instant.now()} in a handler nor the times in payloads are moved.
	 * @param time how far, not negative
	 */
	public void advance(Duration time) {
		Assert.isTrue(!time.isNegative(), () -> "time goes forward only, not by " + time);
		this.jobs.advance(time);
	}

	/**
	 * The jobs that were enqueued since the test began, as they are now: waiting, failed
	 * or over.
	 * @return the first one first
	 */
	public List<Job> jobs() {
		return this.jobs.all();
	}

	/**
	 * The jobs of a type that were enqueued since the test began, as they are now.
	 * @param type the type
	 * @return the first one first
	 */
	public List<Job> jobs(String type) {
		return this.jobs.all().stream().filter((job) -> job.type().equals(type)).toList();
	}

	/**
	 * Deletes the jobs that were enqueued since the test began, for tests that commit.
	 * Jobs that a worker holds stay.
	 */
	public void clear() {
		this.jobs.clear();
	}

	@Override
	public QueueAssert assertThat() {
		return new QueueAssert(this.jobs);
	}

}
