package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.engine.support.Outage;

/**
 * Runs what keeps the queue in order. Every process offers to, and the database chooses
 * one for each task and time.
 */
public final class Maintenance {

	private static final String THREAD = "rowqueue-maintain";

	private static final String LONG_TASKS_THREAD = "rowqueue-housekeeping";

	private final List<TaskLoop> loops = new ArrayList<>();

	/**
	 * Creates the maintenance.
	 * @param store decides whose turn it is
	 * @param outage notified of failures and successes
	 * @param tasks what is done
	 */
	public Maintenance(MaintenanceStore store, Outage outage, List<Task> tasks) {
		tasks.stream()
			.filter(Task::isUrgent)
			.forEach((task) -> this.loops.add(new TaskLoop("rowqueue-" + task.name(), store, outage, List.of(task))));
		List<Task> others = tasks.stream().filter((task) -> !task.isUrgent()).toList();
		add(THREAD, store, outage, others.stream().filter((task) -> !task.isLong()).toList());
		add(LONG_TASKS_THREAD, store, outage, others.stream().filter(Task::isLong).toList());
	}

	private void add(String thread, MaintenanceStore store, Outage outage, List<Task> tasks) {
		if (!tasks.isEmpty()) {
			this.loops.add(new TaskLoop(thread, store, outage, tasks));
		}
	}

	/** Starts to run tasks. */
	public void start() {
		this.loops.forEach(TaskLoop::start);
	}

	/**
	 * Ends after the tasks that are running.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void stop() throws InterruptedException {
		this.loops.forEach(TaskLoop::stop);
		for (TaskLoop loop : this.loops) {
			loop.join(Duration.ofSeconds(2));
		}
	}

}
