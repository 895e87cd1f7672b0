package io.pgqueue.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.pgqueue.store.MaintenanceStore;
import io.pgqueue.support.Loop;
import io.pgqueue.support.Outage;

/** A thread that runs some tasks, one after the other. */
final class TaskLoop {

	private static final Duration TICK = Duration.ofMillis(250);

	/** What a task has left to do is done so soon; other tasks run meanwhile. */
	private static final Duration REST = Duration.ofSeconds(1);

	private final String name;

	private final MaintenanceStore store;

	private final List<Task> tasks;

	private final List<Task> unprepared;

	private final Outage outage;

	private final Loop loop;

	/** The task that the database has not answered about; it is asked again. */
	private @Nullable Task unanswered;

	/**
	 * Creates the thread.
	 * @param name its name
	 * @param store decides whose turn it is
	 * @param outage told of what goes wrong and of what goes well
	 * @param tasks what is done
	 */
	TaskLoop(String name, MaintenanceStore store, Outage outage, List<Task> tasks) {
		this.name = name;
		this.store = store;
		this.tasks = tasks;
		this.unprepared = new ArrayList<>(tasks);
		this.outage = outage;
		this.loop = new Loop(name, outage, TICK, this::turn);
	}

	void start() {
		this.loop.start();
	}

	/** Lets the task that runs now be the last, and does not wait for its end. */
	void stop() {
		this.loop.stop();
	}

	void join(Duration timeout) throws InterruptedException {
		this.loop.join(timeout);
	}

	private void turn() {
		try {
			this.unprepared.removeIf((task) -> attempt("begin of " + task.name(), task::prepare));
			this.tasks.forEach(this::offer);
		}
		catch (RuntimeException ex) {
			this.tasks.forEach(Task::databaseWasAway);
			throw ex;
		}
	}

	private void offer(Task task) {
		if (!this.loop.isStopped() && (task.equals(this.unanswered) || task.isReady())) {
			this.unanswered = task;
			boolean taken = this.store.take(task.name(), task.interval());
			this.unanswered = null;
			if (taken) {
				run(task);
			}
		}
	}

	private void run(Task task) {
		attempt(task.name(), () -> {
			task.run();
			if (task.isUnfinished()) {
				this.store.hurry(task.name(), REST);
			}
		});
	}

	/** One task that fails is no reason to leave out the others. */
	private boolean attempt(String what, Runnable work) {
		String who = this.name + " (" + what + ")";
		try {
			work.run();
			this.outage.over(who);
			return true;
		}
		catch (RuntimeException ex) {
			if (Outage.isAway(ex)) {
				throw ex;
			}
			this.outage.report(who, ex);
			return false;
		}
	}

}
