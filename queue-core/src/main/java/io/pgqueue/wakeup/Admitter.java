package io.pgqueue.wakeup;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.pgqueue.store.Admission;
import io.pgqueue.store.LimitStore;
import io.pgqueue.support.Every;
import io.pgqueue.support.Rest;
import io.pgqueue.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets jobs with limit keys in as soon as this process knows that one may be: it has
 * committed one, one of its own has ended, or a token comes. What it does not do, because
 * the database is away or the process dies, maintenance does within a second or so.
 */
final class Admitter {

	private static final int BATCH = LimitStore.BATCH;

	private static final int MOST_BATCHES = 20;

	private static final Logger logger = LoggerFactory.getLogger(Admitter.class);

	private final LimitStore store;

	private final Consumer<Collection<String>> admitted;

	/** How often jobs were committed since the latest turn, at least one each time. */
	private final AtomicInteger arrivals = new AtomicInteger();

	/** Whether a job may have arrived that was due long before; used by the thread. */
	private boolean someLongDue;

	/** When all jobs may be looked at again; used by the thread. */
	private Every nextPass = new Every(Duration.ZERO);

	private final BatchingThread thread = new BatchingThread("queue-admitter", this::admit);

	/**
	 * Creates the admitter.
	 * @param admitted told of the queues that have new jobs to claim
	 */
	Admitter(LimitStore store, Consumer<Collection<String>> admitted) {
		this.store = store;
		this.admitted = admitted;
	}

	/** Jobs with limit keys were committed. */
	void jobsArrived() {
		this.arrivals.incrementAndGet();
		this.thread.ask(List.of());
	}

	/** Jobs of these keys have ended, and that is committed. */
	void freed(Collection<String> keys) {
		if (!keys.isEmpty()) {
			this.thread.ask(keys);
		}
	}

	/** Lets in whom it knows of, and ends. */
	void close() {
		this.thread.close();
	}

	/**
	 * Returns when the next token comes, if anybody waits for one, or when all jobs may
	 * be looked at, if that is to be done, or no time at all if more jobs are due.
	 */
	private @Nullable Duration admit(Set<String> freed) {
		try {
			List<String> keys = List.copyOf(freed);
			for (int from = 0; from < keys.size(); from += BATCH) {
				this.admitted.accept(this.store.admit(keys.subList(from, Math.min(keys.size(), from + BATCH))));
			}
			int arrivals = this.arrivals.getAndSet(0);
			int moved = 0;
			int batches = 0;
			Admission admission;
			do { // also to know when the next token comes
				admission = this.store.admitDue();
				this.admitted.accept(admission.queues());
				moved += admission.moved();
			}
			while (admission.unfinished() && ++batches < MOST_BATCHES);
			if (admission.unfinished()) {
				this.arrivals.addAndGet(Math.max(0, arrivals - moved));
				return Duration.ZERO; // keys that were freed meanwhile come first
			}
			this.someLongDue |= moved < arrivals;
			if (this.someLongDue && this.nextPass.remaining().isZero()) {
				lookForLongDue();
			}
			@Nullable Duration token = admission.again();
			if (!this.someLongDue) {
				return token;
			}
			Duration pass = this.nextPass.remaining();
			return (token != null) ? Times.shorter(pass, token) : pass;
		}
		catch (RuntimeException ex) {
			logger.debug("Jobs with limit keys were not let in; maintenance does it", ex);
			return null;
		}
	}

	/**
	 * What arrived may have been due long before, as are the missed times of a recurring
	 * job. If such a look takes long, it is less often.
	 */
	private void lookForLongDue() {
		long begin = System.nanoTime();
		this.admitted.accept(this.store.admitDue(true).queues());
		this.nextPass = new Every(Rest.TWENTYFOLD.after(Duration.ofNanos(System.nanoTime() - begin)));
		this.someLongDue = false;
	}

}
