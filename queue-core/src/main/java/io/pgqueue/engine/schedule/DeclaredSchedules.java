package io.pgqueue.engine.schedule;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.ScheduleStatus.Source;
import org.jspecify.annotations.Nullable;

/**
 * The recurring jobs that an application declares: they live as long as its workers do.
 *
 * @param schedules the recurring jobs, each with a name of its own
 */
public record DeclaredSchedules(List<Declaration> schedules) {

	/** None. */
	public static final DeclaredSchedules NONE = new DeclaredSchedules(List.of());

	/** Copies what could change. */
	public DeclaredSchedules {
		schedules = List.copyOf(schedules);
	}

	/** What a worker says that its application declares. */
	public Set<String> labels() {
		return this.schedules.stream()
			.map((each) -> "schedule:" + each.schedule().name())
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * A recurring job and where it was declared.
	 *
	 * @param schedule the recurring job, without a payload
	 * @param payload the payload as JSON, or {@code null}
	 * @param source the kind of place
	 */
	public record Declaration(Schedule schedule, @Nullable String payload, Source source) {

	}

}
