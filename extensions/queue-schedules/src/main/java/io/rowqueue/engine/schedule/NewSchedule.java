package io.rowqueue.engine.schedule;

import java.time.Instant;

import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import org.jspecify.annotations.Nullable;

/**
 * A schedule to store.
 *
 * @param schedule the schedule
 * @param payload the payload of its jobs as JSON, or {@code null}
 * @param onFailure what is enqueued if one of its jobs fails permanently, as it is
 * stored, or {@code null}
 * @param source where it is defined
 * @param nextRunAt the first due time, unless the schedule exists with the same rhythm;
 * {@code null}: it has ended
 */
record NewSchedule(Schedule schedule, @Nullable String payload, @Nullable String onFailure, Source source,
		@Nullable Instant nextRunAt) {

}
