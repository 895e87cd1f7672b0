package io.rowqueue.schedule;

import java.time.LocalDate;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The days on which recurring jobs are due, for example all but weekends and holidays.
 * Beans of this type, and the properties {@code rowqueue.calendars}, are stored when a
 * worker starts and once a day: the days from a year before to two years after. Further
 * days are included.
 *
 * <pre class="code">
 * &#64;Bean
 * JobCalendar bankDays(Holidays holidays) {
 *     return JobCalendar.of("bank-days", (day) -&gt; !holidays.contains(day));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public interface JobCalendar {

	/** Returns the name of the calendar in the whole cluster. */
	String name();

	/**
	 * Returns whether jobs are due on a day.
	 * @param day the day in the time zone of the schedule
	 * @return whether the calendar includes the day
	 */
	boolean includes(LocalDate day);

	/**
	 * Creates a calendar.
	 * @param name the name of the calendar
	 * @param included whether it includes a day
	 * @return the calendar
	 */
	static JobCalendar of(String name, Predicate<LocalDate> included) {
		return new JobCalendar() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public boolean includes(LocalDate day) {
				return included.test(day);
			}

			@Override
			public String toString() {
				return "calendar " + name;
			}

		};
	}

	/**
	 * Creates a calendar that includes all days but some.
	 * @param name the name of the calendar
	 * @param excluded the days on which jobs are not due
	 * @return the calendar
	 */
	static JobCalendar except(String name, Collection<LocalDate> excluded) {
		Set<LocalDate> days = Set.copyOf(excluded);
		return of(name, (day) -> !days.contains(day));
	}

}
