package io.rowqueue.engine.maintenance;

import java.time.Duration;

import io.rowqueue.engine.database.WhenDue;
import org.jspecify.annotations.Nullable;

/** A task with a name and an interval that do not change. */
public abstract class PeriodicTask implements Task {

	private final String name;

	private final Duration interval;

	private final @Nullable WhenDue due;

	/**
	 * Creates a task that runs at each interval.
	 * @param name names its row in the database
	 * @param interval the time from one run to the next
	 */
	protected PeriodicTask(String name, Duration interval) {
		this(name, interval, null);
	}

	/**
	 * Creates a task that runs when there is something to do.
	 * @param name names its row in the database
	 * @param interval the shortest time from one run to the next
	 * @param due when there is something to do; {@code null}: always
	 */
	protected PeriodicTask(String name, Duration interval, @Nullable WhenDue due) {
		this.name = name;
		this.interval = interval;
		this.due = due;
	}

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final Duration interval() {
		return this.interval;
	}

	@Override
	public final @Nullable WhenDue due() {
		return this.due;
	}

}
