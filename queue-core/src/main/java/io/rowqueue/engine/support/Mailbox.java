package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * Names that a {@link Loop} of its own handles: it takes a turn at once, and all names
 * that arrive meanwhile are handled together in the next turn. The thread is a daemon
 * that starts with the first name and ends after an idle minute. If a turn fails, its
 * names are handled again.
 */
public final class Mailbox implements AutoCloseable {

	/** How long closing waits for the last turn. */
	private static final Duration LAST_TURN = Duration.ofSeconds(1);

	private final Handler handler;

	private final Loop loop;

	private Set<String> names = new LinkedHashSet<>();

	/** Until the next turn if no name arrives; used by the thread. */
	private Duration pause = Loop.UNTIL_WOKEN;

	/**
	 * Creates the mailbox. Its thread is not started.
	 * @param name the name of the thread
	 * @param handler handles the names
	 */
	public Mailbox(String name, Handler handler) {
		this(name, handler, (run) -> new Thread(run, name));
	}

	Mailbox(String name, Handler handler, ThreadFactory threads) {
		this.handler = handler;
		this.loop = new Loop(name, new Outage(), () -> this.pause, this::turn, threads, Loop.MAX_IDLE);
	}

	/**
	 * Asks for a turn with these names. Returns at once and never fails.
	 * @param names what is to be handled; can be empty
	 */
	public void put(Collection<String> names) {
		if (!this.loop.isStopped()) {
			add(names);
			this.loop.wake();
		}
	}

	/** Handles what was put before, and ends; waits for that for a second at most. */
	@Override
	public void close() {
		this.loop.stop();
		try {
			this.loop.join(LAST_TURN);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void turn() throws InterruptedException {
		Set<String> taken = take();
		try {
			Duration next = this.handler.handle(taken);
			this.pause = (next != null) ? next : Loop.UNTIL_WOKEN;
		}
		catch (Throwable ex) {
			add(taken);
			throw ex;
		}
	}

	private synchronized void add(Collection<String> added) {
		this.names.addAll(added);
	}

	private synchronized Set<String> take() {
		Set<String> taken = this.names;
		this.names = new LinkedHashSet<>();
		return taken;
	}

	/** Handles names. */
	@FunctionalInterface
	public interface Handler {

		/**
		 * Handles names. Whatever else it throws is logged, and the turn is tried again.
		 * @param names what was put since the turn before
		 * @return how long until the next turn at the latest, or {@code null}: the next
		 * turn follows the next call of {@link Mailbox#put}
		 */
		@Nullable Duration handle(Set<String> names) throws InterruptedException;

	}

}
