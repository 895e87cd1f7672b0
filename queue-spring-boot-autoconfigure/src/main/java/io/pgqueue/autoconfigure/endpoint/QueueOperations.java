package io.pgqueue.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.pgqueue.LimitKind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;

/** Has done what the endpoint is asked to do, and says who asked. */
final class QueueOperations {

	private static final Logger logger = LoggerFactory.getLogger(QueueOperations.class);

	private final JobOperations jobs;

	private final LimitOperations limits;

	private final ScheduleOperations schedules;

	private final FlowOperations flows;

	private final ApplicationEventPublisher events;

	QueueOperations(JobOperations jobs, LimitOperations limits, ScheduleOperations schedules, FlowOperations flows,
			ApplicationEventPublisher events) {
		this.jobs = jobs;
		this.limits = limits;
		this.schedules = schedules;
		this.flows = flows;
		this.events = events;
	}

	/**
	 * Does what was asked for.
	 * @throws InvalidEndpointRequestException if it makes no sense; then nothing was done
	 */
	OperationResult operate(OperationRequest request, String principal) {
		request.check();
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
				case "jobs" -> this.jobs.job(request);
				case "queues" -> LimitOperations.isMeant(request) ? this.limits.limit(LimitKind.QUEUE, request)
						: this.jobs.queue(request);
				case "types" -> LimitOperations.isMeant(request) ? this.limits.limit(LimitKind.TYPE, request)
						: this.jobs.type(request);
				case "keys" -> this.limits.limit(LimitKind.KEY, request);
				case "schedules" -> this.schedules.schedule(request);
				case "windows" -> this.schedules.window(request);
				case "flows" -> this.flows.flow(request);
				case "batches" -> this.flows.batch(request);
				default -> throw InvalidRequest.because("'" + request.kind()
						+ "' is none of jobs, queues, types, keys, schedules, windows, flows and batches");
			};
		}
		catch (DataAccessException ex) {
			return OperationResult.unavailable(ex);
		}
	}

	/** What others wrote stays in its line of the log. */
	private static String word(String text) {
		return text.replaceAll("\\p{Cntrl}", " ");
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
