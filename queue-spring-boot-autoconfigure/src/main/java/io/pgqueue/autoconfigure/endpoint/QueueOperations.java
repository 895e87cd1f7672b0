package io.pgqueue.autoconfigure.endpoint;

import java.util.Locale;
import java.util.Map;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.Operations;
import io.pgqueue.admin.Operations.Recorded;
import io.pgqueue.engine.figures.ErrorGroupStore;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.support.ErrorText;
import io.pgqueue.engine.support.LogText;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.limit.LimitKind;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.window.Windows;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;

/** Does what people ask for, by the endpoint or the dashboard, and says who asked. */
public final class QueueOperations {

	private static final Logger logger = LoggerFactory.getLogger(QueueOperations.class);

	private static final int LONGEST_TEXT = 1000;

	private final JobOperations jobs;

	private final LimitOperations limits;

	private final ScheduleOperations schedules;

	private final FlowOperations flows;

	private final ErrorOperations errors;

	private final Operations operations;

	private final String via;

	private final ApplicationEventPublisher events;

	/**
	 * Creates the operations.
	 * @param jobs changes jobs, queues and types
	 * @param limits changes limits
	 * @param schedules changes recurring jobs
	 * @param windows changes windows
	 * @param flows changes flows and batches
	 * @param batches closes batches
	 * @param errors finds errors and the jobs that failed with them
	 * @param operations records each operation
	 * @param via what is used, as it is recorded
	 * @param events is told of each operation
	 */
	public QueueOperations(JobAdmin jobs, JobLimits limits, Schedules schedules, Windows windows, FlowAdmin flows,
			BatchStore batches, ErrorGroupStore errors, Operations operations, String via,
			ApplicationEventPublisher events) {
		this.jobs = new JobOperations(jobs);
		this.limits = new LimitOperations(limits);
		this.schedules = new ScheduleOperations(schedules, windows);
		this.flows = new FlowOperations(flows, batches);
		this.errors = new ErrorOperations(errors, jobs);
		this.operations = operations;
		this.via = via;
		this.events = events;
	}

	/**
	 * Does what was asked for. Whatever becomes of it leaves a record, a line in the log
	 * and an audit event; what cannot be recorded is not done.
	 * @throws InvalidEndpointRequestException if it makes no sense; then nothing was done
	 */
	public OperationResult operate(OperationRequest request, Caller caller) {
		OperationResult result;
		try {
			Recorded<OperationResult> recorded = this.operations.perform(
					request.operation(caller.name(), this.via, caller.address()), () -> attempt(request, caller),
					OperationResult::recorded);
			result = recorded.result().withOperation(recorded.operation());
		}
		catch (DataAccessException ex) {
			result = OperationResult.unavailable(ex);
		}
		catch (RuntimeException ex) {
			report(request, caller, OperationResult.failed(ex));
			throw ex;
		}
		report(request, caller, result);
		if (result.outcome() == OperationResult.Outcome.INVALID) {
			throw InvalidRequest.because(result.message());
		}
		return result;
	}

	/** Somebody has seen what is hidden from others. */
	public void wasShown(String kind, String name, Caller caller) {
		Map<String, @Nullable Object> data = caller.auditData();
		data.put("kind", kind);
		data.put("name", name);
		this.events.publishEvent(new AuditApplicationEvent(caller.name(), "PGQUEUE_READ", data));
	}

	private void report(OperationRequest request, Caller caller, OperationResult result) {
		logger.info("{} of {} '{}' by {}: {}", word(request.action()), word(request.kind()), word(request.name()),
				word(caller.toString()), word(result.message()));
		this.events
			.publishEvent(new AuditApplicationEvent(caller.name(), request.auditType(), data(request, caller, result)));
	}

	private OperationResult attempt(OperationRequest request, Caller caller) {
		try {
			request.check();
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
				case "errors" -> this.errors.group(request, caller.name());
				default -> throw InvalidRequest.because("'" + request.kind()
						+ "' is none of jobs, queues, types, keys, schedules, windows, flows, batches and errors");
			};
		}
		catch (InvalidEndpointRequestException ex) {
			return OperationResult.invalid(String.valueOf(ex.getReason()));
		}
		catch (DataAccessException ex) {
			return OperationResult.unavailable(ex);
		}
	}

	/** What others wrote stays in its line of the log, and is read in its own order. */
	private static String word(String text) {
		return LogText.oneLine(text, LONGEST_TEXT);
	}

	private static Map<String, @Nullable Object> data(OperationRequest request, Caller caller, OperationResult result) {
		Map<String, @Nullable Object> data = caller.auditData();
		data.put("kind", cut(request.kind()));
		data.put("name", cut(request.name()));
		data.put("action", cut(request.action()));
		data.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
		data.put("message", cut(result.message()));
		putIfPresent(data, "reason", request.reason());
		putIfPresent(data, "delay", request.delay());
		putIfPresent(data, "priority", request.priority());
		putIfPresent(data, "limit", request.limit());
		return data;
	}

	private static void putIfPresent(Map<String, @Nullable Object> data, String key, @Nullable String value) {
		if (value != null) {
			data.put(key, cut(value));
		}
	}

	/** An invalid request can be of any length. */
	private static String cut(String text) {
		return ErrorText.cut(text, LONGEST_TEXT);
	}

}
