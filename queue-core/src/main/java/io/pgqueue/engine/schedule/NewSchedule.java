package io.pgqueue.engine.schedule;

import java.time.Instant;

import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.ScheduleStatus.Source;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job to write down.
 *
 * @param schedule the recurring job
 * @param payload the payload of its jobs as JSON, or {@code null}
 * @param source where it comes from
 * @param nextRunAt when it is due first, unless it is there with the same rhythm
 */
public record NewSchedule(Schedule schedule, @Nullable String payload, Source source, Instant nextRunAt) {

}
