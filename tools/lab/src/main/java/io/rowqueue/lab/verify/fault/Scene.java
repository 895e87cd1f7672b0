package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.rowqueue.lab.verify.fault.FaultEvent.Kind;
import io.rowqueue.lab.verify.load.Producer;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.worker.WorkerProcess;
import io.rowqueue.lab.verify.worker.WorkerSpec;
import io.rowqueue.lab.verify.worker.Workers;
import org.jspecify.annotations.Nullable;

/** A round while the load runs: the possible targets of a fault, and its end. */
public final class Scene {

	private static final Duration TAKE_OVER_MARGIN = Duration.ofSeconds(6);

	/** How long before the harm a worker was heard of last, at most. */
	private static final Duration LAST_HEARTBEAT = Duration.ofMillis(1500);

	private final Site site;

	private final Workers workers;

	private final Producer producer;

	private final SplittableRandom random;

	private final Leases leases;

	private final long end;

	private final List<FaultEvent> events = new CopyOnWriteArrayList<>();

	private final List<String> results = new CopyOnWriteArrayList<>();

	/**
	 * Creates a scene that begins now.
	 * @param leases the leases of the workers
	 * @param duration how long faults are to happen
	 */
	public Scene(Site site, Workers workers, Producer producer, SplittableRandom random, Leases leases,
			Duration duration) {
		this.site = site;
		this.workers = workers;
		this.producer = producer;
		this.random = random;
		this.leases = leases;
		this.end = System.nanoTime() + duration.toNanos();
	}

	/** The database. */
	public Site site() {
		return this.site;
	}

	/** The worker processes. */
	public Workers workers() {
		return this.workers;
	}

	/** The process that enqueues. */
	public Producer producer() {
		return this.producer;
	}

	/** Decides whatever is left to chance, from the seed. */
	public SplittableRandom random() {
		return this.random;
	}

	/** Whether no further fault is to begin. */
	public boolean isOver() {
		return System.nanoTime() > this.end;
	}

	/** What was done so far. */
	public List<FaultEvent> events() {
		return List.copyOf(this.events);
	}

	/** Notes what is done to one worker, before it is done. */
	public void harm(WorkerProcess worker, String text) {
		add(Kind.HARM, worker.name(), text + " " + worker.name());
	}

	/** Notes what is done to the database, before it is done. */
	public void harm(String text) {
		add(Kind.HARM, null, text);
	}

	/** Notes that the harm to one worker has ended. */
	public void healed(WorkerProcess worker, String text) {
		add(Kind.HEALED, worker.name(), text + " " + worker.name());
	}

	/** Notes that the harm to the database has ended. */
	public void healed(String text) {
		add(Kind.HEALED, null, text);
	}

	/** Notes something else. */
	public void note(String text) {
		add(Kind.NOTE, null, text);
	}

	/** Notes what the report shows of the whole round. */
	public void result(String text) {
		this.results.add(text);
	}

	/** What the report shows of the whole round. */
	public List<String> results() {
		return List.copyOf(this.results);
	}

	private void add(Kind kind, @Nullable String process, String text) {
		this.events.add(new FaultEvent(System.nanoTime(), kind, process, text));
	}

	/** Sleeps for a time between the two. */
	public void pause(int leastMillis, int mostMillis) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(leastMillis, mostMillis));
	}

	/** Waits until the scene has ended. */
	public void awaitEnd() throws InterruptedException {
		while (!isOver()) {
			pause(100, 200);
		}
	}

	/**
	 * Waits until a lease has run out and another worker has begun one of these jobs, or
	 * for a while longer.
	 * @param worker who had the jobs
	 * @param jobs ids of jobs
	 * @param since when the worker was heard of last, as in {@link System#nanoTime()}
	 * @param longest whether the longest lease is meant, and else the shortest
	 */
	public void awaitTakeOver(WorkerProcess worker, Set<Long> jobs, long since, boolean longest)
			throws InterruptedException {
		Duration lease = longest ? this.leases.longest() : this.leases.shortest();
		long begunAfter = longest ? since + lease.minus(LAST_HEARTBEAT).toNanos() : since;
		awaitBegunElsewhere(worker, jobs, begunAfter, since + lease.toNanos());
	}

	/**
	 * The same for jobs of types without a lease of their own.
	 * @param worker who had the jobs
	 * @param jobs ids of jobs
	 * @param since when the worker was heard of last, as in {@link System#nanoTime()}
	 */
	public void awaitTakeOver(WorkerProcess worker, Set<Long> jobs, long since) throws InterruptedException {
		awaitBegunElsewhere(worker, jobs, since, since + this.leases.worker().toNanos());
	}

	private void awaitBegunElsewhere(WorkerProcess worker, Set<Long> jobs, long begunAfter, long leaseEnd)
			throws InterruptedException {
		long latest = leaseEnd + TAKE_OVER_MARGIN.toNanos();
		while (System.nanoTime() < latest && !this.workers.hasBegunElsewhere(worker, jobs, begunAfter)) {
			pause(20, 50);
		}
	}

	/** Kills a worker and starts another one like it after a while. */
	public void killAndReplace(WorkerProcess worker) throws InterruptedException {
		harm(worker, "kill -9 of");
		worker.kill();
		pause(300, 1500);
		this.workers.start(worker.spec());
	}

	/** Shuts a worker down in good order and starts another one in its place. */
	public void replace(WorkerProcess worker, WorkerSpec next) throws InterruptedException {
		add(Kind.STOP, worker.name(),
				"SIGTERM to " + worker.name() + ", followed by one with handlers for " + next.types());
		if (!worker.stop(60)) {
			throw new IllegalStateException(worker + " does not stop");
		}
		this.workers.start(next);
		this.workers.awaitReady();
	}

	/**
	 * Looks for something again and again.
	 * @param what it is, for a message
	 * @throws IllegalStateException if it is not found in time
	 */
	public <T> T find(String what, Duration patience, Look<T> look) throws InterruptedException, SQLException {
		long deadline = System.nanoTime() + patience.toNanos();
		while (true) {
			Optional<T> found = look.look();
			if (found.isPresent()) {
				return found.get();
			}
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("There was not " + what + " within " + patience.toSeconds() + " s");
			}
			pause(5, 10);
		}
	}

	/**
	 * One look.
	 *
	 * @param <T> what is looked for
	 */
	@FunctionalInterface
	public interface Look<T> {

		/** Returns what was found. */
		Optional<T> look() throws InterruptedException, SQLException;

	}

}
