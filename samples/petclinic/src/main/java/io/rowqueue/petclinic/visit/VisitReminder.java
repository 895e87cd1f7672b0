package io.rowqueue.petclinic.visit;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobType;

/**
 * The payload of a reminder.
 *
 * @param visit the id of the visit; the handler reads its time when it runs
 */
record VisitReminder(long visit) {

	static final String TYPE_NAME = "visit-reminder";

	/** A visit has one reminder: another request for it moves the one that waits. */
	static final JobType<VisitReminder> TYPE = JobType.of(TYPE_NAME, VisitReminder.class)
		.queue("mail")
		.uniqueKey(VisitReminder::key)
		.duplicates(DuplicatePolicy.replace());

	String key() {
		return "reminder of visit " + this.visit;
	}

}
