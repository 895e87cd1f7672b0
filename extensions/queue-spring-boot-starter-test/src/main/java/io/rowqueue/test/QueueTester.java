package io.rowqueue.test;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.autoconfigure.worker.InlineQueue;
import org.assertj.core.api.AssertProvider;
import org.springframework.util.Assert;

/**
 * Controls the queue in a test: runs jobs in the thread of the test, moves time forward,
 * and returns the enqueued jobs for assertions such as
 * {@code assertThat(tester).hasJob("welcome-mail")}.
 * <p>
 * Only jobs that were enqueued since the test began are affected. If the test has a
 * transaction, the tester uses its connection: it can see and run jobs that the test has
 * not committed and will roll back. Without a transaction, it commits each step.
 * <p>
 * Supports one test at a time in each application context and database.
 *
 * @since 0.1.0
 */
public final class QueueTester implements AssertProvider<QueueAssert> {

	private static final int BATCH = 200;

	/** The number of attempts of one job from which it is considered an endless loop. */
	private static final int MAX_ATTEMPTS = 100;

	/** The same of jobs that other jobs have enqueued. */
	private static final int MAX_NEW_JOBS = 10_000;

	private final InlineQueue queue;

	private final EnqueuedJobs jobs;

	/**
	 * Creates the tester.
	 * @param queue the queue, as seen by the thread of the test
	 */
	public QueueTester(InlineQueue queue) {
		this.queue = queue;
		this.jobs = new EnqueuedJobs(queue);
	}

	/**
	 * Starts anew: from now on, only jobs that are enqueued later are affected. Called
	 * before each test method.
	 */
	public void begin() {
		this.jobs.begin();
	}

	/**
	 * Runs due jobs in this thread, including those that become due meanwhile, until none
	 * is left. The order is that of a worker. A handler that throws an exception fails
	 * the attempt, not the test: check the state of the job. A job that is retried or
	 * postponed runs again when {@link #advance} has made it due.
	 * <p>
	 * If the test has a transaction, handlers run in it, including transactional ones;
	 * the writes of a failed handler are undone, except for its steps and what it wrote
	 * before them. Separate transactions ({@code REQUIRES_NEW}) and other threads do not
	 * see uncommitted data of the test. Timeouts of handlers are not enforced, and
	 * concurrency limits are never reached.
	 * @param types the types of the jobs, or none for all types that have a handler
	 * @return the jobs that were run, each once, in their current state
	 * @throws IllegalArgumentException if a type has no handler
	 * @throws IllegalStateException if a job becomes due again immediately in an endless
	 * loop, or more than 10,000 jobs were run that other jobs have enqueued
	 */
	public List<Job> runDue(String... types) {
		Map<Long, Integer> attempts = new LinkedHashMap<>();
		long latest = this.jobs.latest();
		List<Long> batch;
		do {
			batch = run(types, BATCH);
			batch.forEach((id) -> attempts.merge(id, 1, Integer::sum));
			long last = batch.isEmpty() ? latest : batch.get(batch.size() - 1);
			Assert.state(attempts.keySet().stream().filter((id) -> id > latest).count() <= MAX_NEW_JOBS,
					() -> "Jobs enqueue other jobs in an endless loop: more than " + MAX_NEW_JOBS
							+ " that were enqueued meanwhile have run, the last one is job " + last);
			attempts.forEach((id, number) -> Assert.state(number <= MAX_ATTEMPTS,
					() -> "Job " + id + " becomes due again in an endless loop: it has run " + number + " times"));
		}
		while (batch.size() == BATCH);
		return this.jobs.find(attempts.keySet());
	}

	/**
	 * Runs one attempt of the most urgent due job, as {@link #runDue} does.
	 * @param types the types of the job, or none for all types that have a handler
	 * @return the job in its current state
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

	private List<Long> run(String[] types, int maxJobs) {
		Set<String> known = new TreeSet<>(this.queue.types().get());
		Collection<String> wanted = (types.length > 0) ? List.of(types) : known;
		for (String type : wanted) {
			Assert.isTrue(known.contains(type),
					() -> "There is no handler for the type '" + type + "', only for " + known);
		}
		return new InlineWorker(this.queue.worker().get()).run(wanted, this.jobs.after(), maxJobs);
	}

	/**
	 * Moves the time of the queue forward: the enqueue times and due times of waiting
	 * jobs, the times at which they expire, and the ends of waits, holds and kept unique
	 * keys become earlier by the given time. No job is run.
	 * <p>
	 * The clock of the database cannot be changed. Jobs that are enqueued, retried or
	 * postponed afterwards use the real time again, and neither {@code Instant.now()} in
	 * a handler nor times in payloads are affected.
	 * @param time the time to advance, not negative
	 */
	public void advance(Duration time) {
		Assert.isTrue(!time.isNegative(), () -> "time must not be negative: " + time);
		this.jobs.advance(time);
	}

	/**
	 * Returns the jobs that were enqueued since the test began, in their current state.
	 * @return the jobs, the oldest first
	 */
	public List<Job> jobs() {
		return this.jobs.all();
	}

	/**
	 * Returns the jobs of a type that were enqueued since the test began, in their
	 * current state.
	 * @param type the type
	 * @return the jobs, the oldest first
	 */
	public List<Job> jobs(String type) {
		return this.jobs.all().stream().filter((job) -> job.type().equals(type)).toList();
	}

	/**
	 * Returns what the handler of a job has logged for it with
	 * {@link io.rowqueue.JobContext#log()}, in all attempts.
	 * @param job the job
	 * @return the latest lines, the oldest first, at most 500
	 */
	public List<JobLogLine> log(Job job) {
		return this.jobs.log(job);
	}

	/**
	 * Deletes the jobs that were enqueued since the test began, and all holds, for tests
	 * that commit. Jobs that a worker holds are not deleted.
	 */
	public void clear() {
		this.jobs.clear();
	}

	@Override
	public QueueAssert assertThat() {
		return new QueueAssert(this.jobs);
	}

}
