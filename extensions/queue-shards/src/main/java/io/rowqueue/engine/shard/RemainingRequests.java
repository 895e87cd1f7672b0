package io.rowqueue.engine.shard;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rowqueue.JobRequest;

/** The jobs of a stream after the first one, which can be read once. */
final class RemainingRequests implements Iterator<JobRequest> {

	private final Iterator<JobRequest> jobs;

	private boolean read;

	RemainingRequests(Iterator<JobRequest> jobs) {
		this.jobs = jobs;
	}

	/** Whether nothing has been read yet. */
	boolean isUnread() {
		return !this.read;
	}

	Stream<JobRequest> stream() {
		return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED), false);
	}

	@Override
	public boolean hasNext() {
		this.read = true;
		return this.jobs.hasNext();
	}

	@Override
	public JobRequest next() {
		this.read = true;
		return this.jobs.next();
	}

}
