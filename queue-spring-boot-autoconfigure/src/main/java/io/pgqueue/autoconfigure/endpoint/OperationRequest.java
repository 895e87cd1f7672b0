package io.pgqueue.autoconfigure.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.pgqueue.JobRequest;
import io.pgqueue.admin.Operation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * What the endpoint is asked to do.
 *
 * @param kind {@code jobs}, {@code queues}, {@code types}, {@code keys},
 * {@code schedules}, {@code windows}, {@code flows}, {@code batches} or {@code errors}
 * @param name an id or a name
 * @param action what to do
 * @param reason why it is paused, or the note of an error
 * @param delay how long from now it is due
 * @param priority a bigger number goes first
 * @param limit such as {@code 5}, {@code 100/1m}, or both with a comma
 */
public record OperationRequest(String kind, String name, @Nullable String action, @Nullable String reason,
		@Nullable String delay, @Nullable String priority, @Nullable String limit) {

	private static final Set<String> ACTIONS = Set.of("cancel", "retry", "reschedule", "prioritize", "pause", "resume",
			"limit", "unlimit", "trigger", "remove", "close", "resolve", "ignore", "reopen", "note");

	private static final int LONGEST_NAME = 200;

	private static final int LONGEST_REASON = 500;

	/** Refuses what makes no sense for any kind. */
	void check() {
		if (!StringUtils.hasText(this.name) || this.name.length() > LONGEST_NAME) {
			throw InvalidRequest.because("the name must have from 1 to " + LONGEST_NAME + " characters");
		}
		if (this.reason != null && this.reason.length() > LONGEST_REASON) {
			throw InvalidRequest.because("reason must have at most " + LONGEST_REASON + " characters");
		}
		if (!this.kind.equals("errors")) { // whose note it is
			only(this.reason, "reason", "pause");
		}
		only(this.delay, "delay", "reschedule");
		only(this.priority, "priority", "prioritize");
		only(this.limit, "limit", "limit");
	}

	private void only(@Nullable String value, String parameter, String withAction) {
		if (value != null && !withAction.equals(this.action)) {
			throw InvalidRequest.because(parameter + " goes with " + withAction + " only");
		}
	}

	/** The action; empty if none was given. */
	@Override
	public String action() {
		return (this.action != null) ? this.action : "";
	}

	/** What is recorded of it. */
	Operation operation(String who, String via, @Nullable String address) {
		Map<String, String> parameters = new LinkedHashMap<>();
		putIfPresent(parameters, "delay", this.delay);
		putIfPresent(parameters, "priority", this.priority);
		putIfPresent(parameters, "limit", this.limit);
		return new Operation(who, via, address, action(), this.kind, this.name, this.reason, parameters);
	}

	private static void putIfPresent(Map<String, String> parameters, String name, @Nullable String value) {
		if (value != null) {
			parameters.put(name, value);
		}
	}

	/** The type of its audit events: what others make up is no type. */
	String auditType() {
		return ACTIONS.contains(action()) ? "PGQUEUE_" + action().toUpperCase(Locale.ROOT) : "PGQUEUE_UNKNOWN_ACTION";
	}

	/** The name as an id. */
	long id() {
		try {
			long id = Long.parseLong(this.name);
			if (id > 0) {
				return id;
			}
		}
		catch (NumberFormatException ex) {
			throw InvalidRequest.because("jobs, flows and batches are named by their ids, which are numbers", ex);
		}
		throw InvalidRequest.because("an id is positive");
	}

	/** The delay, which must be given. */
	Duration givenDelay() {
		Duration delay = parse(this.delay);
		if (delay == null || delay.isNegative() || delay.compareTo(JobRequest.MAX_DELAY) > 0) {
			throw InvalidRequest
				.because("reschedule needs a delay, such as 10m, of at most " + JobRequest.MAX_DELAY.toDays() + "d");
		}
		return delay;
	}

	private static @Nullable Duration parse(@Nullable String delay) {
		try {
			return (delay != null) ? DurationStyle.detectAndParse(delay) : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null; // which givenDelay refuses
		}
	}

	/** The priority, which must be given. */
	int givenPriority() {
		try {
			return Short.parseShort((this.priority != null) ? this.priority : "");
		}
		catch (NumberFormatException ex) {
			throw InvalidRequest
				.because("prioritize needs a priority from " + Short.MIN_VALUE + " to " + Short.MAX_VALUE, ex);
		}
	}

}
