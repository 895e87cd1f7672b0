package io.rowqueue.engine.schedule;

import io.rowqueue.schema.SchemaPart;

/**
 * The part of the schema for recurring jobs.
 */
public final class ScheduleSchema extends SchemaPart {

	/**
	 * Creates the part.
	 */
	public ScheduleSchema() {
		super("schedules");
	}

}
