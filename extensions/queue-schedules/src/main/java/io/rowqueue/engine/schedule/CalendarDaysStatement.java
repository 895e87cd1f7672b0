package io.rowqueue.engine.schedule;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schedule.JobCalendar;
import org.jspecify.annotations.Nullable;

/**
 * The calendars that schedules name. They are read by one statement after the schedules,
 * and only if a schedule names one.
 */
final class CalendarDaysStatement {

	private static final String READ = """
			select name, excluded::text[] as days from {schema}.schedule_calendar where name = any (?::text[])""";

	private final Map<String, Set<LocalDate>> excluded = new HashMap<>();

	/** Returns a calendar whose days are known after {@link #read}. */
	@Nullable JobCalendar named(@Nullable String name) {
		if (name == null) {
			return null;
		}
		this.excluded.putIfAbsent(name, Set.of());
		return JobCalendar.of(name, (day) -> !this.excluded.getOrDefault(name, Set.of()).contains(day));
	}

	/** Reads the days of the calendars that were named; returns how many exist. */
	int read(QueueDatabase database) {
		if (this.excluded.isEmpty()) {
			return 0;
		}
		Map<String, Set<LocalDate>> found = new HashMap<>();
		database.forEach(READ, (row) -> found.put(row.getString("name"), days(row)),
				(Object) this.excluded.keySet().toArray(String[]::new));
		this.excluded.putAll(found);
		return found.size();
	}

	private static Set<LocalDate> days(ResultSet row) throws SQLException {
		String[] days = (String[]) row.getArray("days").getArray();
		return Arrays.stream(days).map(LocalDate::parse).collect(Collectors.toUnmodifiableSet());
	}

}
