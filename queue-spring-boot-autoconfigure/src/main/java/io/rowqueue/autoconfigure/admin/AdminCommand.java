package io.rowqueue.autoconfigure.admin;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.WorkerSlots;
import io.rowqueue.admin.operation.JobChange;
import io.rowqueue.admin.operation.Operation;
import io.rowqueue.engine.support.Times;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.schedule.BackfillRange;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * A request to change something. Its parameters are kept as they were given; the methods
 * that read them reject what is not valid.
 *
 * @param kind {@code jobs}, {@code queues}, {@code types}, {@code keys},
 * {@code schedules}, {@code windows}, {@code flows}, {@code batches}, {@code workers},
 * {@code operations} or {@code errors}
 * @param name an id or a name
 * @param action the action; empty if none was given
 * @param parameters the parameters of the action that were given, by name
 */
public record AdminCommand(String kind, String name, String action, Map<String, String> parameters) {

	private static final Set<String> ACTIONS = Set.of("cancel", "retry", "reschedule", "prioritize", "pause", "resume",
			"limit", "unlimit", "quiet", "slots", "restart", "hold", "release", "trigger", "backfill", "remove",
			"close", "stop", "edit", "replay", "enqueue", "resolve", "ignore", "reopen", "note", "erase", "weight",
			"signal", "stack");

	private static final Map<String, List<String>> ACTIONS_BY_PARAMETER = Map.of("delay", List.of("reschedule", "hold"),
			"priority", List.of("prioritize"), "step", List.of("retry"), "limit", List.of("limit"), "slots",
			List.of("slots"), "weight", List.of("weight"), "from", List.of("backfill"), "until", List.of("backfill"),
			"again", List.of("backfill"));

	private static final List<String> ACTIONS_WITH_REASON = List.of("pause", "hold");

	private static final int LONGEST_NAME = 200;

	private static final int LONGEST_REASON = 500;

	/** Keeps the parameters in their order. */
	public AdminCommand {
		parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
	}

	/** Creates a request without parameters. */
	public static AdminCommand of(String kind, String name, @Nullable String action) {
		return new AdminCommand(kind, name, (action != null) ? action : "", Map.of());
	}

	/**
	 * Returns the request with a parameter.
	 * @param value the value; {@code null}: the parameter was not given
	 */
	public AdminCommand with(String parameter, @Nullable Object value) {
		if (value == null) {
			return this;
		}
		Map<String, String> more = new LinkedHashMap<>(this.parameters);
		more.put(parameter, value.toString());
		return new AdminCommand(this.kind, this.name, this.action, more);
	}

	/** Rejects what is invalid for every kind. */
	void check() {
		if (!StringUtils.hasText(this.name) || this.name.length() > LONGEST_NAME) {
			throw InvalidCommandException.because("the name must have 1 to " + LONGEST_NAME + " characters");
		}
		if (reason() != null && !this.kind.equals("errors")) { // their notes
			checkUse("reason", ACTIONS_WITH_REASON);
		}
		checkUses();
		if (step() != null && !this.kind.equals("jobs")) {
			throw InvalidCommandException.because("step can only be used to retry a job");
		}
	}

	private void checkUses() {
		this.parameters.keySet()
			.forEach((parameter) -> checkUse(parameter, ACTIONS_BY_PARAMETER.getOrDefault(parameter, List.of())));
	}

	private void checkUse(String parameter, List<String> actions) {
		if (!actions.isEmpty() && !actions.contains(this.action)) {
			throw InvalidCommandException.because(parameter + " can only be used with " + String.join(" or ", actions));
		}
	}

	/** What it changes of all jobs of a filter. */
	JobChange change() {
		checkUses();
		return switch (this.action) {
			case "retry" -> JobChange.retry();
			case "cancel" -> JobChange.cancel();
			case "reschedule" -> JobChange.reschedule(delay());
			case "prioritize" -> JobChange.prioritize(priority());
			case "erase" -> JobChange.erase();
			default -> throw InvalidCommandException.action(this,
					"all jobs of a filter is retry, cancel, reschedule, prioritize or erase");
		};
	}

	/** Returns the record of the request. */
	Operation operation(Caller caller, String via) {
		Map<String, String> recorded = new LinkedHashMap<>(this.parameters);
		recorded.remove("reason");
		return Operation.of(caller.name(), via, this.action, this.kind, this.name)
			.address(caller.address())
			.reason(this.parameters.get("reason"))
			.parameters(recorded);
	}

	/** Returns the type of its audit events; actions that do not exist share one type. */
	String auditType() {
		return ACTIONS.contains(this.action) ? "ROWQUEUE_" + this.action.toUpperCase(Locale.ROOT)
				: "ROWQUEUE_UNKNOWN_ACTION";
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
			throw InvalidCommandException
				.because("the name of a job, flow, batch, worker or operation must be its id, a number", ex);
		}
		throw InvalidCommandException.because("the id must be positive");
	}

	/** Returns the reason of a pause or hold, or the note of an error. */
	@Nullable String reason() {
		String reason = this.parameters.get("reason");
		if (reason != null && reason.length() > LONGEST_REASON) {
			throw InvalidCommandException.because("reason must have at most " + LONGEST_REASON + " characters");
		}
		return reason;
	}

	/** Returns the step that a retried job repeats first. */
	@Nullable String step() {
		return this.parameters.get("step");
	}

	/** Returns the time from now after which a job is due, or a hold ends. */
	Duration delay() {
		Duration delay = parse(this.parameters.get("delay"));
		if (delay == null || delay.isNegative() || delay.compareTo(JobRequest.MAX_DELAY) > 0) {
			throw InvalidCommandException.because(
					this.action + " requires a delay such as 10m, of at most " + JobRequest.MAX_DELAY.toDays() + "d");
		}
		return delay;
	}

	private static @Nullable Duration parse(@Nullable String delay) {
		try {
			return (delay != null) ? DurationStyle.detectAndParse(delay, ChronoUnit.SECONDS) : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null; // rejected by delay()
		}
	}

	/** Returns the new priority of jobs. */
	int priority() {
		return number("priority", Short.MIN_VALUE, Short.MAX_VALUE);
	}

	/** Returns the weight of a fairness key. */
	int weight() {
		return number("weight", 1, JobLimits.MAX_WEIGHT);
	}

	private int number(String parameter, int from, int to) {
		String required = this.action + " requires a " + parameter + " from " + from + " to " + to;
		try {
			int number = Integer.parseInt(text(parameter));
			if (number >= from && number <= to) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			throw InvalidCommandException.because(required, ex);
		}
		throw InvalidCommandException.because(required);
	}

	/** Returns the limit, such as {@code 5}, {@code 100/1m}, or both with a comma. */
	Limit limit() {
		try {
			return Limit.of(text("limit"));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidCommandException.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	/** Returns the slots to change. */
	WorkerSlots slots() {
		try {
			return WorkerSlots.parse(text("slots"));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidCommandException.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	/** Returns the due times of a backfill. */
	BackfillRange backfill() {
		try {
			return new BackfillRange(Times.parse("from", this.parameters.get("from")),
					Times.parse("until", this.parameters.get("until")),
					Boolean.parseBoolean(this.parameters.get("again")));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidCommandException.because(String.valueOf(ex.getMessage()), ex);
		}
	}

	/** Returns a parameter; empty if it was not given. */
	private String text(String parameter) {
		return this.parameters.getOrDefault(parameter, "");
	}

	/** Returns what was requested, in words. */
	@Override
	public String toString() {
		String what = StringUtils.hasText(this.action) ? this.action : "a request without an action";
		return what + " of " + this.kind + (this.name.isEmpty() ? " of a filter" : " '" + this.name + "'");
	}

}
