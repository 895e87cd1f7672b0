package io.pgqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.pgqueue.engine.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Cuts jobs into what one statement stores: at most a thousand, and no more once their
 * payloads are big together. Holds one chunk at a time.
 */
final class StatementChunks implements Iterator<List<NewJob>> {

	/** How many jobs one statement stores. */
	static final int MAX_JOBS = 1000;

	/** So many characters of payload are enough for one statement. */
	static final int CHUNK_CHARACTERS = 8 * 1024 * 1024;

	private final Iterator<NewJob> jobs;

	StatementChunks(Iterator<NewJob> jobs) {
		this.jobs = jobs;
	}

	/** Whether one statement stores them all. */
	static boolean isOne(List<NewJob> jobs) {
		StatementChunks chunks = new StatementChunks(jobs.iterator());
		if (chunks.hasNext()) {
			chunks.next();
		}
		return !chunks.hasNext();
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
		List<NewJob> chunk = new ArrayList<>();
		int characters = 0;
		while (chunk.size() < MAX_JOBS && characters < CHUNK_CHARACTERS && this.jobs.hasNext()) {
			NewJob job = this.jobs.next();
			chunk.add(job);
			characters += length(job.payload());
		}
		return chunk;
	}

	private static int length(@Nullable String payload) {
		return (payload != null) ? payload.length() : 0;
	}

}
