package io.pgqueue.maintenance;

import java.time.Duration;

import io.pgqueue.support.Every;

/** A task that each process offers to run as often as the cluster is to run it. */
public abstract class PeriodicTask implements Task {

	private final String name;

	private final Duration interval;

	private final Every offer;

	/**
	 * Creates the task.
	 * @param name names its row in the database
	 * @param interval the time from one run to the next
	 */
	protected PeriodicTask(String name, Duration interval) {
		this.name = name;
		this.interval = interval;
		this.offer = new Every(interval);
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
	public final boolean isReady() {
		return this.offer.isDue();
	}

}
