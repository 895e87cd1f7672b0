package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import org.awaitility.Awaitility;

/** A handler that remembers what it was given. */
public class Notes {

	public record Note(String text) {
	}

	/**
	 * What a handler saw.
	 *
	 * @param text the payload
	 * @param queue the queue of the job
	 * @param id the id of the job
	 * @param thread the thread of the handler
	 */
	public record Seen(String text, String queue, long id, Thread thread) {
	}

	private final List<Seen> seen = new CopyOnWriteArrayList<>();

	@JobHandler("note")
	public void take(Note note, JobContext job) {
		this.seen.add(new Seen(note.text(), job.queue(), job.id(), Thread.currentThread()));
	}

	/** Waits for that many jobs. */
	public List<Seen> await(int jobs) {
		Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> this.seen.size() >= jobs);
		return this.seen;
	}

	public List<String> texts() {
		return this.seen.stream().map(Seen::text).toList();
	}

}
