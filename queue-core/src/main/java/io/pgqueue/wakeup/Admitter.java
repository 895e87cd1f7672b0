package io.pgqueue.wakeup;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.pgqueue.store.Admission;
import io.pgqueue.store.LimitStore;
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

	private static final Logger logger = LoggerFactory.getLogger(Admitter.class);

	private final LimitStore store;

	private final Consumer<Collection<String>> admitted;

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

	/** Returns when the next token comes, if anybody waits for one. */
	private @Nullable Duration admit(Set<String> freed) {
		try {
			List<String> keys = List.copyOf(freed);
			for (int from = 0; from < keys.size(); from += BATCH) {
				this.admitted.accept(this.store.admit(keys.subList(from, Math.min(keys.size(), from + BATCH))));
			}
			Admission admission;
			do { // also to know when the next token comes
				admission = this.store.admitDue();
				this.admitted.accept(admission.queues());
			}
			while (admission.unfinished());
			return admission.again();
		}
		catch (RuntimeException ex) {
			logger.debug("Jobs with limit keys were not let in; maintenance does it", ex);
			return null;
		}
	}

}
