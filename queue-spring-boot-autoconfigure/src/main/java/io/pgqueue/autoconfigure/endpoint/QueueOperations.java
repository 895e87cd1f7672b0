package io.pgqueue.autoconfigure.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.pgqueue.JobRequest;
import io.pgqueue.Schedules;
import io.pgqueue.Windows;
import io.pgqueue.admin.CancelResult;
import io.pgqueue.Limit;
import io.pgqueue.LimitKind;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobLimits;
import io.pgqueue.admin.RetryResult;
import io.pgqueue.autoconfigure.endpoint.OperationResult.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.util.StringUtils;

/** Checks what the endpoint is asked to do, does it, and says who did. */
final class QueueOperations {

	private static final Logger logger = LoggerFactory.getLogger(QueueOperations.class);

	private static final int LONGEST_NAME = 200;

	private static final int LONGEST_REASON = 500;

	private final JobAdmin admin;

	private final FlowOperations flows;

	private final JobLimits limits;

	private final Schedules schedules;

	private final Windows windows;

	private final ApplicationEventPublisher events;

	QueueOperations(JobAdmin admin, FlowOperations flows, Schedules schedules, Windows windows,
			ApplicationEventPublisher events, JobLimits limits) {
		this.limits = limits;
		this.flows = flows;
		this.admin = admin;
		this.schedules = schedules;
		this.windows = windows;
		this.events = events;
	}

	/**
	 * Does what was asked for.
	 * @throws InvalidEndpointRequestException if it makes no sense; then nothing was done
	 */
	OperationResult operate(OperationRequest request, String principal) {
		check(request);
		OperationResult result = attempt(request);
		logger.info("{} of {} '{}' by {}: {}", word(request.action()), request.kind(), word(request.name()),
				word(principal), result.message());
		this.events.publishEvent(new AuditApplicationEvent(principal,
				"QUEUE_" + request.action().toUpperCase(Locale.ROOT), data(request, result)));
		return result;
	}

	private OperationResult attempt(OperationRequest request) {
		try {
			return switch (request.kind()) {
				case "jobs" -> job(id(request.name()), request);
				case "queues", "types" -> isAboutLimit(request) ? limit(request) : group(request);
				case "keys" -> limit(request);
				case "schedules" -> schedule(request);
				case "windows" -> window(request);
				case "flows" -> this.flows.flow(id(request.name()), request.action());
				case "batches" -> this.flows.batch(id(request.name()), request.action());
				default -> throw invalid("'" + request.kind()
						+ "' is none of jobs, queues, types, keys, schedules, windows, flows and batches");
			};
		}
		catch (DataAccessException ex) {
			return OperationResult.unavailable(ex);
		}
	}

	private OperationResult job(long id, OperationRequest request) {
		return switch (request.action()) {
			case "cancel" -> cancelled(this.admin.cancel(id));
			case "retry" -> retried(this.admin.retry(id));
			case "reschedule" -> waiting(this.admin.reschedule(id, delay(request.delay())), "rescheduled");
			case "prioritize" -> waiting(this.admin.prioritize(id, priority(request.priority())), "prioritized");
			default -> throw invalid(
					"the action for a job is cancel, retry, reschedule or prioritize, not '" + request.action() + "'");
		};
	}

	private OperationResult group(OperationRequest request) {
		boolean queue = request.kind().equals("queues");
		String name = request.name();
		return switch (request.action()) {
			case "pause" -> done((queue ? this.admin.pauseQueue(name, request.reason())
					: this.admin.pauseType(name, request.reason())) ? "paused" : "was paused already");
			case "resume" -> done((queue ? this.admin.resumeQueue(name) : this.admin.resumeType(name)) ? "resumed"
					: "was not paused");
			case "retry" -> {
				int jobs = queue ? this.admin.retryAll(name, null) : this.admin.retryAll(null, name);
				yield new OperationResult(Outcome.DONE, jobs + " failed jobs are queued again", jobs);
			}
			default -> throw invalid("the action for a queue or type is pause, resume, retry, limit or unlimit, not '"
					+ request.action() + "'");
		};
	}

	private OperationResult window(OperationRequest request) {
		if (!request.action().equals("remove")) {
			throw invalid("the action for a window is remove, not '" + request.action() + "'");
		}
		return this.windows.remove(request.name()) ? done("removed")
				: new OperationResult(Outcome.NOT_FOUND, "there is no such window", null);
	}

	private static boolean isAboutLimit(OperationRequest request) {
		return request.action().equals("limit") || request.action().equals("unlimit");
	}

	private OperationResult limit(OperationRequest request) {
		LimitKind kind = switch (request.kind()) {
			case "queues" -> LimitKind.QUEUE;
			case "types" -> LimitKind.TYPE;
			default -> LimitKind.KEY;
		};
		try {
			return switch (request.action()) {
				case "limit" -> {
					this.limits.set(kind, request.name(), Limit.of((request.limit() != null) ? request.limit() : ""));
					yield done("limited");
				}
				case "unlimit" ->
					done(this.limits.remove(kind, request.name()) ? "not limited any more" : "was not limited");
				default -> throw invalid("the action for keys is limit or unlimit, not '" + request.action() + "'");
			};
		}
		catch (IllegalArgumentException ex) {
			throw invalid(String.valueOf(ex.getMessage()), ex);
		}
	}

	private OperationResult schedule(OperationRequest request) {
		String name = request.name();
		if (this.schedules.find(name).isEmpty()) {
			return new OperationResult(Outcome.NOT_FOUND, "there is no such schedule", null);
		}
		return switch (request.action()) {
			case "pause" -> done(this.schedules.pause(name, request.reason()) ? "paused" : "was paused already");
			case "resume" -> done(this.schedules.resume(name) ? "resumed" : "was not paused");
			case "trigger" -> this.schedules.trigger(name)
				.map((id) -> done("job " + id + " is queued"))
				.orElseGet(() -> new OperationResult(Outcome.CONFLICT, "the job before is not over", null));
			case "remove" -> done(this.schedules.remove(name) ? "removed" : "was removed already");
			default -> throw invalid(
					"the action for a schedule is pause, resume, trigger or remove, not '" + request.action() + "'");
		};
	}

	/** What others wrote stays in its line of the log. */
	private static String word(String text) {
		return text.replaceAll("\\p{Cntrl}", " ");
	}

	private static OperationResult cancelled(CancelResult result) {
		return switch (result) {
			case CANCELLED -> done("cancelled");
			case REQUESTED -> done("its worker was asked to stop it");
			case NOT_FOUND -> new OperationResult(Outcome.NOT_FOUND, "there is no such job, or it is over", null);
		};
	}

	private static OperationResult retried(RetryResult result) {
		return switch (result) {
			case QUEUED -> done("queued again");
			case BLOCKED -> done("it waits again for the jobs before it; retry those that failed");
			case KEY_TAKEN -> new OperationResult(Outcome.CONFLICT, "another job has its unique key", null);
			case NOT_FAILED ->
				new OperationResult(Outcome.CONFLICT, "there is no such job, or it has not failed", null);
		};
	}

	private static OperationResult waiting(boolean changed, String done) {
		return changed ? done(done)
				: new OperationResult(Outcome.CONFLICT, "there is no such job, or it does not wait", null);
	}

	private static OperationResult done(String message) {
		return new OperationResult(Outcome.DONE, message, null);
	}

	private static void check(OperationRequest request) {
		if (!StringUtils.hasText(request.name()) || request.name().length() > LONGEST_NAME) {
			throw invalid("the name must have from 1 to " + LONGEST_NAME + " characters");
		}
		if (request.reason() != null && request.reason().length() > LONGEST_REASON) {
			throw invalid("reason must have at most " + LONGEST_REASON + " characters");
		}
		only(request.reason(), request, "reason", "pause");
		only(request.delay(), request, "delay", "reschedule");
		only(request.priority(), request, "priority", "prioritize");
		only(request.limit(), request, "limit", "limit");
	}

	private static void only(@Nullable Object value, OperationRequest request, String parameter, String action) {
		if (value != null && !request.action().equals(action)) {
			throw invalid(parameter + " goes with " + action + " only");
		}
	}

	private static long id(String name) {
		try {
			long id = Long.parseLong(name);
			if (id > 0) {
				return id;
			}
		}
		catch (NumberFormatException ex) {
			throw invalid("jobs, flows and batches are named by their ids, which are numbers", ex);
		}
		throw invalid("an id is positive");
	}

	private static Duration delay(@Nullable Duration delay) {
		if (delay == null || delay.isNegative() || delay.compareTo(JobRequest.MAX_DELAY) > 0) {
			throw invalid("reschedule needs a delay, such as 10m, of at most " + JobRequest.MAX_DELAY.toDays() + "d");
		}
		return delay;
	}

	private static int priority(@Nullable Integer priority) {
		if (priority == null || priority < Short.MIN_VALUE || priority > Short.MAX_VALUE) {
			throw invalid("prioritize needs a priority from -32768 to 32767");
		}
		return priority;
	}

	static InvalidEndpointRequestException invalid(String reason) {
		return new InvalidEndpointRequestException("Invalid request to the queue endpoint: " + reason, reason);
	}

	private static InvalidEndpointRequestException invalid(String reason, Throwable cause) {
		return new InvalidEndpointRequestException("Invalid request to the queue endpoint: " + reason, reason, cause);
	}

	private static Map<String, @Nullable Object> data(OperationRequest request, OperationResult result) {
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("kind", request.kind());
		data.put("name", request.name());
		data.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
		data.put("message", result.message());
		putIfPresent(data, "reason", request.reason());
		putIfPresent(data, "delay", request.delay());
		putIfPresent(data, "priority", request.priority());
		putIfPresent(data, "limit", request.limit());
		return data;
	}

	private static void putIfPresent(Map<String, @Nullable Object> data, String key, @Nullable Object value) {
		if (value != null) {
			data.put(key, value.toString());
		}
	}

}
