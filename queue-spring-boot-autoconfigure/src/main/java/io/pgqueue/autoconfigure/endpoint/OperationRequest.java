package io.pgqueue.autoconfigure.endpoint;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.pgqueue.JobRequest;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobChange;
import io.pgqueue.admin.Operation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * A request to change something.
 *
 * @param kind {@code jobs}, {@code queues}, {@code types}, {@code keys},
 * {@code schedules}, {@code windows}, {@code flows}, {@code batches}, {@code workers},
 * {@code operations} or {@code errors}
 * @param name an id or a name
 * @param action the action
 * @param reason the reason of a pause or hold, or the note of an error
 * @param delay the time from now after which a rescheduled job is due, or a hold ends
 * @param priority the new priority of a job
 * @param step the step that a retried job repeats first
 * @param limit a limit, such as {@code 5}, {@code 100/1m}, or both with a comma
 * @param slots the number of slots of a queue in a worker, such as {@code mail=5};
 * {@code 5}: of all queues without slots of their own
 * @param backfill the due times of a backfill
 * @param weight the weight of a fairness key
 */
public record OperationRequest(String kind, String name, @Nullable String action, @Nullable String reason,
		@Nullable String delay, @Nullable String priority, @Nullable String step, @Nullable String limit,
		@Nullable String slots, @Nullable Integer weight, BackfillRequest backfill) {

	private static final Set<String> ACTIONS = Set.of("cancel", "retry", "reschedule", "prioritize", "pause", "resume",
			"limit", "unlimit", "quiet", "slots", "restart", "hold", "release", "trigger", "backfill", "remove",
			"close", "stop", "edit", "replay", "enqueue", "resolve", "ignore", "reopen", "note", "erase", "weight",
			"signal");

	private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,5}");

	private static final int LONGEST_NAME = 200;

	private static final int LONGEST_REASON = 500;

	/**
	 * Creates a request without step, slots, weight and due times.
	 */
	public OperationRequest(String kind, String name, @Nullable String action, @Nullable String reason,
			@Nullable String delay, @Nullable String priority, @Nullable String limit) {
		this(kind, name, action, reason, delay, priority, null, limit, null, null, BackfillRequest.NONE);
	}

	/** Rejects what is invalid for every kind. */
	void check() {
		if (!StringUtils.hasText(this.name) || this.name.length() > LONGEST_NAME) {
			throw InvalidRequest.because("the name must have 1 to " + LONGEST_NAME + " characters");
		}
		givenReason();
		if (!this.kind.equals("errors")) { // their notes
			only(this.reason, "reason", "pause", "hold");
		}
		only(this.delay, "delay", "reschedule", "hold");
		only(this.priority, "priority", "prioritize");
		only(this.limit, "limit", "limit");
		only(this.slots, "slots", "slots");
		only(this.backfill.isGiven() ? "" : null, "from, until and again", "backfill");
		only(this.step, "step", "retry");
		if (this.step != null && !this.kind.equals("jobs")) {
			throw InvalidRequest.because("step can only be used to retry a job");
		}
	}

	/** The reason, which may be missing but not be too long. */
	@Nullable String givenReason() {
		if (this.reason != null && this.reason.length() > LONGEST_REASON) {
			throw InvalidRequest.because("reason must have at most " + LONGEST_REASON + " characters");
		}
		return this.reason;
	}

	/** What it changes of all jobs of a filter. */
	JobChange change() {
		only(this.step, "step");
		only(this.delay, "delay", "reschedule");
		only(this.priority, "priority", "prioritize");
		return switch (action()) {
			case "retry" -> JobChange.retry();
			case "cancel" -> JobChange.cancel();
			case "reschedule" -> JobChange.reschedule(givenDelay());
			case "prioritize" -> JobChange.prioritize(givenPriority());
			case "erase" -> JobChange.erase();
			default -> throw InvalidRequest.action(this,
					"all jobs of a filter is retry, cancel, reschedule, prioritize or erase");
		};
	}

	private void only(@Nullable String value, String parameter, String... withActions) {
		if (value != null && !Arrays.asList(withActions).contains(this.action)) {
			throw InvalidRequest.because(parameter + " can only be used with " + String.join(" or ", withActions));
		}
	}

	/** The action; empty if none was given. */
	@Override
	public String action() {
		return (this.action != null) ? this.action : "";
	}

	/** Returns the record of the request. */
	Operation operation(String who, String via, @Nullable String address, Map<String, String> more) {
		Map<String, String> parameters = new LinkedHashMap<>(more);
		putIfPresent(parameters, "delay", this.delay);
		putIfPresent(parameters, "priority", this.priority);
		putIfPresent(parameters, "step", this.step);
		putIfPresent(parameters, "limit", this.limit);
		putIfPresent(parameters, "slots", this.slots);
		this.backfill.addTo(parameters);
		putIfPresent(parameters, "weight", (this.weight != null) ? this.weight.toString() : null);
		return Operation.of(who, via, action(), this.kind, this.name)
			.address(address)
			.reason(this.reason)
			.parameters(parameters);
	}

	private static void putIfPresent(Map<String, String> parameters, String name, @Nullable String value) {
		if (value != null) {
			parameters.put(name, value);
		}
	}

	/** Returns the type of its audit events; actions that do not exist share one type. */
	String auditType() {
		return ACTIONS.contains(action()) ? "PGQUEUE_" + action().toUpperCase(Locale.ROOT) : "PGQUEUE_UNKNOWN_ACTION";
	}

	/** Returns the name as an id. */
	long id() {
		try {
			long id = Long.parseLong(this.name);
			if (id > 0) {
				return id;
			}
		}
		catch (NumberFormatException ex) {
			throw InvalidRequest.because("the name of a job, flow, batch or operation must be its id, a number", ex);
		}
		throw InvalidRequest.because("the id must be positive");
	}

	/** Returns the delay, which is required. */
	Duration givenDelay() {
		Duration delay = parse(this.delay);
		if (delay == null || delay.isNegative() || delay.compareTo(JobRequest.MAX_DELAY) > 0) {
			throw InvalidRequest
				.because(action() + " requires a delay such as 10m, of at most " + JobRequest.MAX_DELAY.toDays() + "d");
		}
		return delay;
	}

	private static @Nullable Duration parse(@Nullable String delay) {
		try {
			return (delay != null) ? DurationStyle.detectAndParse(delay) : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null; // rejected by givenDelay
		}
	}

	/** Returns the slots to change, which are required. */
	GivenSlots givenSlots() {
		String given = (this.slots != null) ? this.slots : "";
		int end = given.lastIndexOf('=');
		String number = given.substring(end + 1).trim();
		if (!NUMBER.matcher(number).matches() || Integer.parseInt(number) > JobAdmin.MAX_SLOTS) {
			throw InvalidRequest.because("slots requires a number from 1 to " + JobAdmin.MAX_SLOTS
					+ ", such as 20, or mail=5 for a queue that has slots of its own");
		}
		return new GivenSlots((end < 0) ? "*" : given.substring(0, end).trim(), Integer.parseInt(number));
	}

	/** Returns the priority, which is required. */
	int givenPriority() {
		try {
			return Short.parseShort((this.priority != null) ? this.priority : "");
		}
		catch (NumberFormatException ex) {
			throw InvalidRequest
				.because("prioritize requires a priority from " + Short.MIN_VALUE + " to " + Short.MAX_VALUE, ex);
		}
	}

	/**
	 * How many jobs of a queue a worker is to run at once.
	 *
	 * @param queue the queue; {@code *}: all queues without slots of their own
	 * @param number the number of slots
	 */
	record GivenSlots(String queue, int number) {

	}

}
