package io.rowqueue.schedule.autoconfigure;

import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of recurring jobs.
 *
 * @param recurring Recurring jobs, by name. They take precedence over the annotation with
 * the same name.
 * @param calendars Calendars of recurring jobs, by name.
 * @since 0.1.0
 */
@ConfigurationProperties("rowqueue")
public record SchedulesProperties(@DefaultValue Map<String, RecurringJobProperties> recurring,
		@DefaultValue Map<String, CalendarProperties> calendars) {

}
