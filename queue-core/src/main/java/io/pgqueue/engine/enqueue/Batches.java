package io.pgqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.pgqueue.engine.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Cuts jobs into what one statement stores: at most a thousand, and no more once their
 * payloads are big together. Holds one batch at a time.
 */
final class Batches implements Iterator<List<NewJob>> {

	/** How many jobs one statement stores. */
	static final int MAX_JOBS = 1000;

	/** How many characters of payload are enough for one statement. */
	static final int ENOUGH_CHARACTERS = 8 * 1024 * 1024;

	private final Iterator<NewJob> jobs;

	Batches(Iterator<NewJob> jobs) {
		this.jobs = jobs;
	}

	/** Whether one statement stores them all. */
	static boolean isOne(List<NewJob> jobs) {
		Batches batches = new Batches(jobs.iterator());
		if (batches.hasNext()) {
			batches.next();
		}
		return !batches.hasNext();
	}

	@Override
	public boolean hasNext() {
		return this.jobs.hasNext();
	}

	@Override
	public List<NewJob> next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		List<NewJob> batch = new ArrayList<>();
		int characters = 0;
		while (batch.size() < MAX_JOBS && characters < ENOUGH_CHARACTERS && this.jobs.hasNext()) {
			NewJob job = this.jobs.next();
			batch.add(job);
			characters += length(job.payload());
		}
		return batch;
	}

	private static int length(@Nullable String payload) {
		return (payload != null) ? payload.length() : 0;
	}

}
