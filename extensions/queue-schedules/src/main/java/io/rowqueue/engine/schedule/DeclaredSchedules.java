package io.rowqueue.engine.schedule;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import org.jspecify.annotations.Nullable;

/**
 * The schedules that an application declares. They are enabled as long as its workers
 * live.
 *
 * @param schedules the schedules, each with a different name
 * @param calendars the calendars, each with a different name
 */
public record DeclaredSchedules(List<Declaration> schedules, List<JobCalendar> calendars) {

	/** No schedules. */
	public static final DeclaredSchedules NONE = new DeclaredSchedules(List.of(), List.of());

	/** Copies the lists. */
	public DeclaredSchedules {
		schedules = List.copyOf(schedules);
		calendars = List.copyOf(calendars);
	}

	/** Returns the declarations of the application's worker. */
	public Set<String> labels() {
		return this.schedules.stream()
			.map((each) -> "schedule:" + each.schedule().name())
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * A declared schedule.
	 *
	 * @param schedule the schedule, without a payload
	 * @param payload the payload as JSON, or {@code null}
	 * @param onFailure what is enqueued if one of its jobs fails permanently, as it is
	 * stored, or {@code null}
	 * @param source where it is declared
	 */
	public record Declaration(Schedule schedule, @Nullable String payload, @Nullable String onFailure, Source source) {

	}

}
