package io.rowqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.rowqueue.engine.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Splits jobs into chunks, each of which one statement stores. A chunk ends with its
 * thousandth job, or when the total size of its payloads reaches a limit. One chunk is in
 * memory at a time.
 */
final class StatementChunks implements Iterator<List<NewJob>> {

	/** The maximum number of jobs of a chunk. */
	static final int MAX_JOBS = 1000;

	/** A chunk ends when its payloads have this many characters. */
	static final int CHUNK_CHARACTERS = 8 * 1024 * 1024;

	private final Iterator<NewJob> jobs;

	StatementChunks(Iterator<NewJob> jobs) {
		this.jobs = jobs;
	}

	/** Returns whether the jobs fit into one chunk. */
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
