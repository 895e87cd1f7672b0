package io.pgqueue.maintenance;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.pgqueue.store.MaintenanceStore;
import io.pgqueue.support.Loop;
import io.pgqueue.support.Outage;
import org.jspecify.annotations.Nullable;

/**
 * Runs what keeps the queue in order. Every process offers to; of those that offer at the
 * same time the database chooses one for each task and tick.
 */
public final class Maintenance {

	private static final Duration TICK = Duration.ofMillis(250);

	/** What a task has left to do is done so soon; other tasks run meanwhile. */
	private static final Duration REST = Duration.ofSeconds(1);

	private final MaintenanceStore store;

	private final List<Task> tasks;

	private final Deque<Task> unprepared;

	private final Outage outage;

	private final Loop loop;

	/** The task that the database has not answered about; it is asked again. */
	private @Nullable Task unanswered;

	/**
	 * Creates the maintenance.
	 * @param store decides whose turn it is
	 * @param outage told of what goes wrong and of what goes well
	 * @param tasks what is done
	 */
	public Maintenance(MaintenanceStore store, Outage outage, List<Task> tasks) {
		this.store = store;
		this.tasks = List.copyOf(tasks);
		this.unprepared = new ArrayDeque<>(tasks);
		this.outage = outage;
		this.loop = new Loop("queue-maintenance", outage, TICK, this::turn);
	}

	/** Starts to run tasks. */
	public void start() {
		this.loop.start();
	}

	/**
	 * Lets the task that runs now be the last.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void stop() throws InterruptedException {
		this.loop.stop();
		this.loop.join(Duration.ofSeconds(2));
	}

	private void turn() {
		while (!this.unprepared.isEmpty()) {
			this.unprepared.element().prepare();
			this.unprepared.remove();
		}
		for (Task task : this.tasks) {
			if (!this.loop.isStopped() && (task.equals(this.unanswered) || task.isReady())) {
				this.unanswered = task;
				boolean taken = this.store.take(task.name(), task.interval());
				this.unanswered = null;
				if (taken) {
					run(task);
				}
			}
		}
	}

	/** One task that fails is no reason to leave out the others. */
	private void run(Task task) {
		String who = "queue-maintenance (" + task.name() + ")";
		try {
			task.run();
			if (task.isUnfinished()) {
				this.store.hurry(task.name(), REST);
			}
			this.outage.over(who);
		}
		catch (RuntimeException ex) {
			if (Outage.isAway(ex)) {
				throw ex;
			}
			this.outage.report(who, ex);
		}
	}

}
