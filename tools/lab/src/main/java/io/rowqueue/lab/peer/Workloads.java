package io.rowqueue.lab.peer;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;
import io.rowqueue.lab.contestant.Mix;

/** The workloads; what each measures is printed between its marks and after. */
final class Workloads {

	private static final int BULK = 1000;

	/** A worker that is stopping, or finds no further jobs, completes its jobs. */
	private static final int MAX_SECONDS_FOR_THE_REST = 30;

	/** After ten seconds, an idle session has reported its changed rows to the server. */
	private static final int SECONDS_UNTIL_COUNTED = 11;

	static final int WARM_UP_SECONDS = 5;

	private final Contestant queue;

	private final Db db;

	private final Ledger ledger;

	private final Report report;

	private final Parameters parameters;

	Workloads(Contestant queue, Db db, Ledger ledger, Report report, Parameters parameters) {
		this.queue = queue;
		this.db = db;
		this.ledger = ledger;
		this.report = report;
		this.parameters = parameters;
	}

	void run(String workload) throws Exception {
		switch (workload) {
			case "drain" -> drain();
			case "enqueue_one" -> enqueueOne();
			case "enqueue_bulk" -> enqueueBulk();
			case "latency" -> latency((job) -> {
				this.queue.enqueue(job);
				return System.nanoTime();
			});
			case "latency_across" -> latencyAcross();
			case RemoteProducer.WORKLOAD -> RemoteProducer.serve(this.queue, this.report);
			case "steady", "pinned" -> steady();
			case "backlog" -> backlog();
			case "scheduled" -> scheduled();
			case "mixed" -> mixed();
			case "fill" -> fill();
			case "work" -> new SharedWork(this.queue, this.ledger, this.report).run(this.parameters.warmUp() > 0);
			default -> throw new IllegalArgumentException("There is no workload " + workload);
		}
	}

	private void drain() throws Exception {
		int warm = this.parameters.warmUp();
		if (warm > 0) {
			bulk(0, warm);
			this.queue.startWorker();
			awaitDrained(warm);
			this.queue.stopWorker();
			this.report.value("warmed", warm);
		}
		bulk(warm, warm + this.parameters.jobs());
		drainAll(warm, (job) -> 1);
	}

	/** Ready jobs behind many that are of a higher priority, but due in a year. */
	private void scheduled() throws Exception {
		this.queue.fillScheduled(this.parameters.scheduled());
		drain();
	}

	private void mixed() throws Exception {
		for (int job = 0; job < this.parameters.jobs(); job += BULK) {
			this.queue.enqueueMixed(job, Math.min(this.parameters.jobs(), job + BULK));
		}
		drainAll(0, Mix::expectedRuns);
	}

	/** Leaves jobs to other processes. */
	private void fill() throws Exception {
		bulk(this.parameters.from(), this.parameters.from() + this.parameters.jobs());
		settle("vacuum analyze");
	}

	/** Drains what is left after the first ones. */
	private void drainAll(int done, IntUnaryOperator expectedRuns) throws Exception {
		int jobs = done + this.parameters.jobs();
		settle("vacuum analyze");
		this.report.start();
		this.queue.startWorker();
		awaitDrained(IntStream.range(0, jobs).map(expectedRuns).sum());
		this.report.throughput(this.parameters.jobs());
		TimeUnit.SECONDS.sleep(1); // a duplicate would come now
		this.report.runs(this.ledger, jobs, expectedRuns);
		this.queue.stopWorker();
	}

	private void awaitDrained(int runs) throws Exception {
		awaitTotal(runs, 600);
		while (!this.queue.isDrained()) {
			TimeUnit.MILLISECONDS.sleep(2);
		}
	}

	private void enqueueOne() throws Exception {
		int warm = Math.max(2000, this.parameters.warmUp());
		produce(0, warm);
		warmed(warm);
		settle("checkpoint");
		this.report.start();
		produce(warm, warm + this.parameters.jobs());
		this.report.throughput(this.parameters.jobs());
		checkRows(warm + this.parameters.jobs());
	}

	private void enqueueBulk() throws Exception {
		int warm = Math.max(5 * BULK, this.parameters.warmUp());
		bulk(0, warm);
		warmed(warm);
		settle("checkpoint");
		this.report.start();
		bulk(warm, warm + this.parameters.jobs());
		this.report.throughput(this.parameters.jobs());
		checkRows(warm + this.parameters.jobs());
	}

	private void warmed(int jobs) {
		if (this.parameters.warmUp() > 0) {
			this.report.value("warmed", jobs);
		}
	}

	private void checkRows(int expected) throws SQLException {
		long rows = this.db.count(this.queue.table());
		Optional<String> number = this.queue.number();
		long distinct = number.isPresent() ? this.db.count(this.queue.table(), number.get()) : Math.min(rows, expected);
		this.report.stored(rows, distinct, expected);
	}

	private void latencyAcross() throws Exception {
		try (RemoteProducer producer = RemoteProducer.start()) {
			latency(producer::enqueue);
		}
	}

	private void latency(SingleEnqueue enqueue) throws Exception {
		int warm = 100;
		int all = warm + this.parameters.jobs();
		this.queue.startWorker();
		TimeUnit.SECONDS.sleep(2);
		for (int job = 0; job < all; job++) {
			if (job == warm) {
				awaitTotal(warm, 60);
				this.report.start();
			}
			this.ledger.committedAt(job, enqueue.apply(job));
			TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(25, 76));
		}
		awaitTotal(all, 60);
		this.report.end();
		this.report.latencies("", this.ledger, IntStream.range(warm, all));
		this.report.runs(this.ledger, all, (job) -> 1);
	}

	private void steady() throws Exception {
		this.queue.startWorker();
		SteadyProducer producer = SteadyProducer.start(this.queue, this.ledger, this.parameters.rate());
		producer.work(WARM_UP_SECONDS);
		this.report.heap("heap_mb_begin");
		this.report.start();
		long begin = System.nanoTime();
		int before = this.ledger.total();
		producer.work(this.parameters.seconds());
		int done = this.ledger.total() - before;
		long end = System.nanoTime();
		this.report.throughput(done);
		this.report.heap("heap_mb_end");
		int jobs = producer.stop();
		this.report.value("outstanding_at_end", jobs - this.ledger.total());
		awaitRest(jobs);
		account(jobs);
		this.report.latencies("", this.ledger, jobs, begin, end);
		long window = TimeUnit.SECONDS.toNanos(20);
		if (this.parameters.seconds() >= 60) {
			this.report.latencies("first20_", this.ledger, jobs, begin, begin + window);
			this.report.latencies("last20_", this.ledger, jobs, end - window, end);
			this.report.minutes(this.ledger, jobs, begin, end);
		}
	}

	private void backlog() throws Exception {
		this.queue.fill(this.parameters.jobs());
		settle("vacuum analyze"); // or autovacuum would begin with that in the measured
									// time
		this.report.start();
		this.queue.startWorker();
		awaitTotal(this.parameters.jobs(), this.parameters.seconds());
		this.report.throughput(this.ledger.total());
		account(this.parameters.jobs());
	}

	private void awaitRest(int jobs) throws Exception {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS_FOR_THE_REST);
		while (this.ledger.total() < jobs && !this.queue.isDrained() && System.nanoTime() < deadline) {
			TimeUnit.MILLISECONDS.sleep(50);
		}
	}

	/** Stops the worker: by then each job has run once, or it is still there. */
	private void account(int jobs) throws Exception {
		this.queue.stopWorker();
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS_FOR_THE_REST);
		int executed;
		long left;
		do {
			executed = this.ledger.total();
			left = this.db.count(this.queue.waiting());
			TimeUnit.SECONDS.sleep(1); // some libraries still run what they have claimed
		}
		while ((executed != this.ledger.total() || left != this.db.count(this.queue.waiting()))
				&& System.nanoTime() < deadline);
		this.report.account(this.ledger, jobs, left);
	}

	private void produce(int from, int to) throws Exception {
		AtomicInteger next = new AtomicInteger(from);
		CompletableFuture<?>[] producers = IntStream.range(0, this.parameters.threads())
			.mapToObj((index) -> CompletableFuture.runAsync(() -> {
				try {
					for (int job = next.getAndIncrement(); job < to; job = next.getAndIncrement()) {
						this.queue.enqueue(job);
					}
				}
				catch (Exception ex) {
					throw new CompletionException(ex);
				}
			}, (task) -> new Thread(task, "producer").start()))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(producers).get();
	}

	private void bulk(int from, int to) throws Exception {
		for (int job = from; job < to; job += BULK) {
			this.queue.enqueueAll(job, Math.min(to, job + BULK));
		}
	}

	private void settle(String first) throws SQLException, InterruptedException {
		if (this.parameters.warmUp() > 0) {
			TimeUnit.SECONDS.sleep(SECONDS_UNTIL_COUNTED);
		}
		this.db.execute(first, "checkpoint");
	}

	private void awaitTotal(int jobs, int seconds) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
		while (this.ledger.total() < jobs && System.nanoTime() < deadline) {
			TimeUnit.MILLISECONDS.sleep(1);
		}
	}

	/** Enqueues a job, and returns the time of its commit. */
	private interface SingleEnqueue {

		long apply(int job) throws Exception;

	}

}
