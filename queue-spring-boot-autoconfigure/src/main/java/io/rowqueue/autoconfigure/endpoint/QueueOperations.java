package io.rowqueue.autoconfigure.endpoint;

import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.BulkOperation;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.Operations.Recorded;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.LogText;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;

/**
 * Performs the operations that users request with the endpoint or the dashboard, and
 * records who requested them.
 */
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
	 * @param via the name of the interface, for the record
	 * @param events publishes an audit event for each operation
	 */
	public QueueOperations(JobAdmin jobs, JobLimits limits, Schedules schedules, Windows windows, FlowAdmin flows,
			BatchStore batches, ErrorGroupStore errors, Operations operations, String via,
			ApplicationEventPublisher events) {
		this.jobs = new JobOperations(jobs);
		this.limits = new LimitOperations(limits, this.jobs);
		this.schedules = new ScheduleOperations(schedules, windows);
		this.flows = new FlowOperations(flows, batches);
		this.errors = new ErrorOperations(errors, jobs);
		this.operations = operations;
		this.via = via;
		this.events = events;
	}

	/**
	 * Performs an operation. Its result is recorded, logged and published as an audit
	 * event; an operation that cannot be recorded is not performed.
	 * @throws InvalidEndpointRequestException if the request is invalid and nothing was
	 * changed
	 */
	public OperationResult operate(OperationRequest request, Caller caller) {
		return perform(request, caller, () -> attempt(request, caller));
	}

	/**
	 * Does something and records it.
	 * @param request what is recorded of it; no payloads
	 */
	OperationResult perform(OperationRequest request, Caller caller, Supplier<OperationResult> work) {
		OperationResult result;
		try {
			Recorded<OperationResult> recorded = this.operations.perform(request.operation(caller, this.via), work,
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

	/**
	 * Starts a change of all jobs that a filter selects. Whatever becomes of it leaves a
	 * line in the log and an audit event; what it was started for is recorded.
	 * @param mostJobs the maximum number of jobs; {@code null}: any number
	 * @throws InvalidEndpointRequestException if it makes no sense; then nothing was done
	 */
	public OperationResult startAll(OperationRequest request, JobFilter filter, @Nullable Long mostJobs,
			Caller caller) {
		OperationResult result;
		try {
			long id = this.operations.start(BulkOperation.of(request.change(), filter, caller.name(), this.via)
				.address(caller.address())
				.reason(request.reason())
				.mostJobs(mostJobs));
			result = OperationResult.done("started as operation " + id).withOperation(id);
		}
		catch (InvalidEndpointRequestException ex) {
			result = OperationResult.invalid(String.valueOf(ex.getReason()));
		}
		catch (IllegalArgumentException ex) {
			result = OperationResult.invalid(String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException ex) {
			result = OperationResult.unavailable(ex);
		}
		report(request, caller, result);
		if (result.outcome() == OperationResult.Outcome.INVALID) {
			throw InvalidRequest.because(result.message());
		}
		return result;
	}

	/** Publishes an audit event: the caller was shown data that is masked for others. */
	public void wasShown(String kind, String name, Caller caller) {
		Map<String, @Nullable Object> data = caller.auditData();
		data.put("kind", kind);
		data.put("name", name);
		this.events.publishEvent(new AuditApplicationEvent(caller.name(), "ROWQUEUE_READ", data));
	}

	private void report(OperationRequest request, Caller caller, OperationResult result) {
		logger.info("{} by {}: {}", word(request.toString()), word(caller.toString()), word(result.message()));
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
				case "workers" -> this.jobs.worker(request);
				case "operations" -> stop(request);
				case "errors" -> this.errors.group(request, caller.name());
				default -> throw InvalidRequest.because("'" + request.kind()
						+ "' must be one of jobs, queues, types, keys, schedules, windows, flows, batches, workers, operations and errors");
			};
		}
		catch (InvalidEndpointRequestException ex) {
			return OperationResult.invalid(String.valueOf(ex.getReason()));
		}
		catch (DataAccessException ex) {
			return OperationResult.unavailable(ex);
		}
	}

	private OperationResult stop(OperationRequest request) {
		if (!request.action().equals("stop")) {
			throw InvalidRequest.action(request, "an operation must be stop");
		}
		return this.operations.stop(request.id()) ? OperationResult.done("stopped")
				: OperationResult.conflict("there is no operation with this id, or it is not running");
	}

	/** Text from a request cannot begin a line of the log, or change its direction. */
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
		request.parameters().forEach((parameter, value) -> data.put(parameter, cut(value)));
		return data;
	}

	/** Shortens a text: an invalid request can have any length. */
	private static String cut(String text) {
		return ErrorText.cut(text, LONGEST_TEXT);
	}

}
