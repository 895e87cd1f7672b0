package io.pgqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;

import io.pgqueue.schedule.MissedPolicy;
import io.pgqueue.schedule.Rhythm;

/**
 * A recurring job that is due.
 *
 * @param name its name
 * @param revision what it was when it was looked at
 * @param rhythm when it is due
 * @param missed what becomes of due times that passed while nobody was there
 * @param jitter by how much its jobs are put off at most
 * @param dueAt when it is due
 * @param now when it was looked at
 */
public record DueSchedule(String name, long revision, Rhythm rhythm, MissedPolicy missed, Duration jitter,
		Instant dueAt, Instant now) {

}
