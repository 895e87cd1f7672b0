package io.rowqueue.testing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.awaitility.Awaitility;

/** The threads that workers have started since a moment, their slots not included. */
public final class WorkerThreads {

	/** They belong to the queue that a process enqueues with. */
	private static final List<String> OTHERS = List.of("rowqueue-notifier", "rowqueue-admission");

	private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

	/** Those that are alive. */
	public Set<Thread> alive() {
		Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
		threads.removeAll(this.before);
		threads.removeIf((thread) -> !thread.getName().startsWith("rowqueue-") || OTHERS.contains(thread.getName()));
		return threads;
	}

	/** Returns when all have ended. */
	public void awaitEnd() {
		Awaitility.await("no thread is left").until(this::alive, Set::isEmpty);
	}

}
