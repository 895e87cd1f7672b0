package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.wakeup.WakeUps.Registration;
import org.jspecify.annotations.Nullable;

/**
 * Runs what keeps the queue in order. Every process offers to, and the database chooses
 * one for each task and time.
 */
public final class Maintenance {

	private static final String THREAD = "rowqueue-maintain";

	private static final String LONG_TASKS_THREAD = "rowqueue-housekeeping";

	/**
	 * While all workers are idle, one thread looks whether that is still so. The others
	 * look so much more rarely, and at once when it is not: nobody holds a lease that
	 * could be lost.
	 */
	private static final int REST = 5;

	private final List<TaskLoop> loops = new ArrayList<>();

	private final WakeUps wakeUps;

	private @Nullable Registration registration;

	/**
	 * Creates the maintenance.
	 * @param store decides whose turn it is
	 * @param outage notified of failures and successes
	 * @param tasks what is done
	 * @param wakeUps notifies it of what nobody could foresee
	 * @param idleInterval how long it waits at most between two looks while all workers
	 * are idle; zero: as long as otherwise
	 */
	public Maintenance(MaintenanceStore store, Outage outage, List<Task> tasks, WakeUps wakeUps,
			Duration idleInterval) {
		this.wakeUps = wakeUps;
		List<Task> others = tasks.stream().filter((task) -> !task.isUrgent()).toList();
		List<Task> longTasks = others.stream().filter(Task::isLong).toList();
		List<Task> shortTasks = others.stream().filter((task) -> !task.isLong()).toList();
		tasks.stream()
			.filter(Task::isUrgent)
			.forEach((task) -> this.loops
				.add(resting("rowqueue-" + task.name(), store, outage, idleInterval, List.of(task))));
		List<TaskLoop> attended = new ArrayList<>();
		if (!longTasks.isEmpty()) {
			attended.add(resting(LONG_TASKS_THREAD, store, outage, idleInterval, longTasks));
			this.loops.addAll(attended);
		}
		if (!shortTasks.isEmpty()) {
			List<TaskLoop> resting = List.copyOf(this.loops);
			this.loops.add(new TaskLoop(THREAD, store, outage, idleInterval, shortTasks, (busy) -> {
				if (busy) {
					resting.forEach(TaskLoop::lookAgain);
				}
				attended.forEach(TaskLoop::lookIfDue);
			}, SuspendAwareClock::nanoTime));
		}
	}

	private static TaskLoop resting(String thread, MaintenanceStore store, Outage outage, Duration idleInterval,
			List<Task> tasks) {
		return new TaskLoop(thread, store, outage, idleInterval.multipliedBy(REST), tasks);
	}

	/** Starts to run tasks. */
	public void start() {
		this.loops.forEach(TaskLoop::start);
		this.registration = this.wakeUps.maintain(() -> this.loops.forEach(TaskLoop::lookAgain));
	}

	/**
	 * Ends after the tasks that are running.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void stop() throws InterruptedException {
		if (this.registration != null) {
			this.registration.close();
		}
		this.loops.forEach(TaskLoop::stop);
		for (TaskLoop loop : this.loops) {
			loop.join(Duration.ofSeconds(2));
		}
	}

}
