package io.rowqueue.schedule.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rowqueue.JobHandler;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.schedule.DeclaredSchedules;
import io.rowqueue.engine.schedule.DeclaredSchedules.Declaration;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.schedule.JobCalendar;
import io.rowqueue.schedule.RecurringJob;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.autoconfigure.ScheduleDraft.JobDraft;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Collects the recurring jobs of annotations and properties. */
final class ScheduleDrafts {

	private final Environment environment;

	private final Map<String, RecurringJobProperties> properties;

	private final Map<String, Annotated> annotated = new TreeMap<>();

	ScheduleDrafts(Environment environment, Map<String, RecurringJobProperties> properties) {
		this.environment = environment;
		this.properties = properties;
	}

	/** Adds the recurring jobs of a handler. */
	void add(String handler, String type, Set<RecurringJob> annotations) {
		for (RecurringJob annotation : annotations) {
			ScheduleDraft draft = read(annotation, handler, type);
			Annotated other = this.annotated.putIfAbsent(draft.name(), new Annotated(draft, handler));
			if (other != null) {
				throw new InvalidJobHandlerException(handler, "has a @RecurringJob with the name '" + draft.name()
						+ "', which " + other.handler() + " has as well", "Give each a unique name.");
			}
		}
	}

	private ScheduleDraft read(RecurringJob annotation, String handler, String type) {
		try {
			String cron = resolve(annotation.cron());
			String payload = resolve(annotation.payload());
			Duration jitter = duration(annotation.jitter());
			return new ScheduleDraft(StringUtils.hasText(annotation.name()) ? resolve(annotation.name()) : type,
					job(annotation, type), cron.isBlank() ? null : cron, resolve(annotation.zone()),
					duration(annotation.every()), payload.isBlank() ? null : payload, annotation.missed(),
					annotation.overlap(), (jitter != null) ? jitter : Duration.ZERO, validity(annotation),
					Source.ANNOTATION);
		}
		catch (IllegalArgumentException ex) {
			throw wrongAnnotation(handler, ex);
		}
	}

	private ValidityDraft validity(RecurringJob annotation) {
		return new ValidityDraft(resolve(annotation.from()), resolve(annotation.until()),
				resolve(annotation.calendar()), annotation.excluded());
	}

	private JobDraft job(RecurringJob annotation, String type) {
		String limitKey = resolve(annotation.limitKey());
		String onFailure = resolve(annotation.onFailure());
		return new JobDraft(type, resolve(annotation.queue()), annotation.priority(), duration(annotation.tolerance()),
				(annotation.maxAttempts() != JobHandler.UNSET) ? annotation.maxAttempts() : null,
				limitKey.isBlank() ? null : limitKey,
				Arrays.stream(annotation.tags())
					.map(this::resolve)
					.collect(Collectors.toCollection(LinkedHashSet::new)),
				Map.of(), duration(annotation.expiresIn()), onFailure.isBlank() ? null : onFailure);
	}

	private String resolve(String text) {
		return this.environment.resolveRequiredPlaceholders(text);
	}

	private @Nullable Duration duration(String text) {
		String resolved = resolve(text);
		return resolved.isBlank() ? null : DurationStyle.detectAndParse(resolved, ChronoUnit.SECONDS);
	}

	/**
	 * Returns all recurring jobs, checked.
	 * @param handlers read the payloads of the types that they run
	 */
	DeclaredSchedules declared(HandlerRegistry handlers, List<JobCalendar> calendars) {
		List<Declaration> all = new ArrayList<>();
		this.annotated.forEach((name, each) -> {
			RecurringJobProperties given = this.properties.get(name);
			if (given == null) {
				add(all, each.draft(), handlers, (ex) -> wrongAnnotation(each.handler(), ex));
			}
			else if (given.enabled()) {
				add(all, each.draft().with(given), handlers, (ex) -> wrong(name, ex));
			}
		});
		this.properties.forEach((name, given) -> {
			if (given.enabled() && !this.annotated.containsKey(name)) {
				if (!StringUtils.hasText(given.type())) {
					throw new InvalidRecurringJobException(PropertyName.of("rowqueue.recurring", name) + ".type",
							"is not set. It is required because there is no @RecurringJob with the name '" + name
									+ "'.");
				}
				add(all, ScheduleDraft.of(name, given.type()).with(given), handlers, (ex) -> wrong(name, ex));
			}
		});
		for (Declaration each : all) {
			checkCalendar(each.schedule(), calendars);
		}
		return new DeclaredSchedules(all, calendars);
	}

	private void checkCalendar(Schedule schedule, List<JobCalendar> calendars) {
		String name = schedule.validity().calendar();
		if (name != null && calendars.stream().noneMatch((calendar) -> calendar.name().equals(name))) {
			RuntimeException unknown = new IllegalArgumentException("there is no calendar '" + name
					+ "': declare it as a JobCalendar bean or as " + PropertyName.of("rowqueue.calendars", name));
			Annotated annotated = this.annotated.get(schedule.name());
			throw (annotated != null && !this.properties.containsKey(schedule.name()))
					? wrongAnnotation(annotated.handler(), unknown) : wrong(schedule.name(), unknown);
		}
	}

	private static void add(List<Declaration> all, ScheduleDraft draft, HandlerRegistry handlers, Wrong wrong) {
		try {
			if (!draft.isLeftOut()) {
				all.add(draft.declaration(handlers));
			}
		}
		catch (RuntimeException ex) {
			throw wrong.of(ex);
		}
	}

	private static RuntimeException wrong(String name, RuntimeException ex) {
		return new InvalidRecurringJobException(PropertyName.of("rowqueue.recurring", name),
				"is not a valid recurring job: " + ex.getMessage(), ex);
	}

	private static RuntimeException wrongAnnotation(String handler, RuntimeException ex) {
		return new InvalidJobHandlerException(handler, "has an invalid @RecurringJob: " + ex.getMessage(),
				"Correct the annotation, or override it with rowqueue.recurring.<name>.", ex);
	}

	/** A recurring job of an annotation. */
	private record Annotated(ScheduleDraft draft, String handler) {

	}

	/** Names the source of an error. */
	@FunctionalInterface
	private interface Wrong {

		RuntimeException of(RuntimeException cause);

	}

}
