package io.rowqueue.schedule.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.schedule.JobCalendar;
import org.springframework.beans.factory.ListableBeanFactory;

/** Collects the calendars of beans and properties. */
final class Calendars {

	private final ListableBeanFactory beans;

	private final Map<String, CalendarProperties> properties;

	Calendars(ListableBeanFactory beans, Map<String, CalendarProperties> properties) {
		this.beans = beans;
		this.properties = properties;
	}

	/**
	 * Returns all calendars.
	 * @throws InvalidRecurringJobException if two have the same name
	 */
	List<JobCalendar> all() {
		Map<String, JobCalendar> calendars = new TreeMap<>();
		this.properties.forEach((name, given) -> calendars.put(name, given.calendar(name)));
		for (Map.Entry<String, JobCalendar> bean : this.beans.getBeansOfType(JobCalendar.class).entrySet()) {
			JobCalendar calendar = bean.getValue();
			if (calendars.putIfAbsent(calendar.name(), calendar) != null) {
				throw new InvalidRecurringJobException(PropertyName.of("rowqueue.calendars", calendar.name()),
						"has the name of the JobCalendar bean '" + bean.getKey()
								+ "', or another JobCalendar bean has it. Give each a unique name.");
			}
		}
		return new ArrayList<>(calendars.values());
	}

}
