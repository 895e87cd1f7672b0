package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;

import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.Occurrences;

/**
 * A schedule that is due.
 *
 * @param name the name
 * @param revision the revision of its row
 * @param occurrences the due times
 * @param missed what happens to missed due times
 * @param jitter the maximum time by which its jobs are postponed
 * @param dueAt the due time
 * @param now when the row was read, by the database's clock
 */
record DueSchedule(String name, long revision, Occurrences occurrences, MissedPolicy missed, Duration jitter,
		Instant dueAt, Instant now) {

	/** Returns the same schedule with another due time. */
	DueSchedule dueAt(Instant time) {
		return new DueSchedule(this.name, this.revision, this.occurrences, this.missed, this.jitter, time, this.now);
	}

}
