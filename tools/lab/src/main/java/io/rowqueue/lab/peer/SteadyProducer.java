package io.rowqueue.lab.peer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Ledger;

/** A thread that enqueues while the worker runs, a batch a commit. */
final class SteadyProducer {

	private static final int BATCH = 100;

	private static final int MAX_OUTSTANDING = 2000;

	private final Contestant queue;

	private final Ledger ledger;

	private final int rate;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final CompletableFuture<Integer> produced;

	private SteadyProducer(Contestant queue, Ledger ledger, int rate) {
		this.queue = queue;
		this.ledger = ledger;
		this.rate = rate;
		this.produced = CompletableFuture.supplyAsync(this::produce, (task) -> new Thread(task, "producer").start());
	}

	/**
	 * Starts one.
	 * @param rate jobs a second; 0: as many as are done
	 */
	static SteadyProducer start(Contestant queue, Ledger ledger, int rate) {
		return new SteadyProducer(queue, ledger, rate);
	}

	/** Lets it work for a while; fails as soon as it fails. */
	void work(int seconds) throws ExecutionException, InterruptedException {
		try {
			this.produced.get(seconds, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			return;
		}
		throw new IllegalStateException("The producer has ended early");
	}

	/** Ends it; returns how many jobs it has enqueued. */
	int stop() throws ExecutionException, InterruptedException {
		this.stopped.countDown();
		return this.produced.get();
	}

	private int produce() {
		long begin = System.nanoTime();
		int job = 0;
		try {
			while (!awaitTurn(begin, job)) {
				if (job + BATCH > this.ledger.capacity()) {
					throw new IllegalStateException("The ledger is full after " + job
							+ " jobs: a rate, a shorter time or a bigger heap would do");
				}
				this.queue.enqueueAll(job, job + BATCH);
				this.ledger.commit(job, job + BATCH);
				job += BATCH;
			}
			return job;
		}
		catch (Exception ex) {
			throw new CompletionException(ex);
		}
	}

	/** Waits until the next batch is due; returns whether there is to be none. */
	private boolean awaitTurn(long begin, int job) throws InterruptedException {
		if (this.rate > 0) {
			long at = begin + (long) (job * 1e9 / this.rate);
			return this.stopped.await(at - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		while (this.stopped.getCount() > 0 && job - this.ledger.total() > MAX_OUTSTANDING - BATCH) {
			TimeUnit.MICROSECONDS.sleep(200);
		}
		return this.stopped.getCount() == 0;
	}

}
