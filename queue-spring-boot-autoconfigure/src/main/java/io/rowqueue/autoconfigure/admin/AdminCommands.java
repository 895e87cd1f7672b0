package io.rowqueue.autoconfigure.admin;

import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.BulkOperation;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.Operations.Recorded;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.support.LogText;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;

/**
 * Performs the commands of users of the dashboard or the endpoint, and records who
 * requested them.
 */
public final class AdminCommands {

	private static final Logger logger = LoggerFactory.getLogger(AdminCommands.class);

	private static final int LONGEST_TEXT = 1000;

	private final JobCommands jobs;

	private final LimitCommands limits;

	private final ScheduleCommands schedules;

	private final FlowCommands flows;

	private final ErrorCommands errors;

	private final Operations operations;

	private final String via;

	private final ApplicationEventPublisher events;

	private AdminCommands(JobAdmin jobs, JobLimits limits, Schedules schedules, Windows windows, FlowAdmin flows,
			BatchStore batches, ErrorGroupStore errors, Operations operations, String via,
			ApplicationEventPublisher events) {
		this.jobs = new JobCommands(jobs);
		this.limits = new LimitCommands(limits, this.jobs);
		this.schedules = new ScheduleCommands(schedules, windows);
		this.flows = new FlowCommands(flows, batches);
		this.errors = new ErrorCommands(errors, jobs);
		this.operations = operations;
		this.via = via;
		this.events = events;
	}

	/**
	 * Returns the commands of a database.
	 * @param beans the queue's beans of the database
	 * @param via the name of the interface, for the record
	 * @param events publishes an audit event for each operation
	 */
	public static AdminCommands of(BeanFactory beans, String via, ApplicationEventPublisher events) {
		return new AdminCommands(beans.getBean(JobAdmin.class), beans.getBean(JobLimits.class),
				beans.getBean(Schedules.class), beans.getBean(Windows.class), beans.getBean(FlowAdmin.class),
				beans.getBean(BatchStore.class), new ErrorGroupStore(beans.getBean(QueueDatabases.class).worker()),
				beans.getBean(Operations.class), via, events);
	}

	private AdminCommands(AdminCommands other, String via) {
		this.jobs = other.jobs;
		this.limits = other.limits;
		this.schedules = other.schedules;
		this.flows = other.flows;
		this.errors = other.errors;
		this.operations = other.operations;
		this.via = via;
		this.events = other.events;
	}

	/** Returns the same commands for another interface. */
	public AdminCommands via(String name) {
		return name.equals(this.via) ? this : new AdminCommands(this, name);
	}

	/**
	 * Performs an operation. Its result is recorded, logged and published as an audit
	 * event; an operation that cannot be recorded is not performed.
	 */
	public CommandResult operate(AdminCommand request, Caller caller) {
		return perform(request, caller, () -> attempt(request, caller));
	}

	/**
	 * Refuses a command that the caller's interface does not have.
	 * @param reason why
	 */
	public CommandResult refuse(AdminCommand request, String reason, Caller caller) {
		CommandResult result = CommandResult.invalid(reason);
		report(request, caller, result);
		return result;
	}

	/** What is added to the answer to a request for a name that is not known. */
	String hint(LimitKind kind, String name) {
		return this.jobs.hint(kind, name);
	}

	/**
	 * Does something and records it.
	 * @param request what is recorded of it; no payloads
	 */
	CommandResult perform(AdminCommand request, Caller caller, Supplier<CommandResult> work) {
		CommandResult result;
		try {
			Recorded<CommandResult> recorded = this.operations.perform(request.operation(caller, this.via), work,
					CommandResult::recorded);
			result = recorded.result().withOperation(recorded.operation());
		}
		catch (DataAccessException ex) {
			result = CommandResult.unavailable(ex);
		}
		catch (RuntimeException ex) {
			report(request, caller, CommandResult.failed(ex));
			throw ex;
		}
		report(request, caller, result);
		return result;
	}

	/**
	 * Starts a change of all jobs that a filter selects. Whatever becomes of it leaves a
	 * line in the log and an audit event; what it was started for is recorded.
	 * @param mostJobs the maximum number of jobs; {@code null}: any number
	 */
	public CommandResult startAll(AdminCommand request, JobFilter filter, @Nullable Long mostJobs, Caller caller) {
		CommandResult result;
		try {
			long id = this.operations.start(BulkOperation.of(request.change(), filter, caller.name(), this.via)
				.address(caller.address())
				.reason(request.reason())
				.mostJobs(mostJobs));
			result = CommandResult.done("started as operation " + id).withOperation(id);
		}
		catch (InvalidCommandException ex) {
			result = ex.result();
		}
		catch (IllegalArgumentException ex) {
			result = CommandResult.invalid(String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException ex) {
			result = CommandResult.unavailable(ex);
		}
		report(request, caller, result);
		return result;
	}

	/** Publishes an audit event: the caller was shown data that is masked for others. */
	public void wasShown(String kind, String name, Caller caller) {
		Map<String, @Nullable Object> data = caller.auditData();
		data.put("kind", kind);
		data.put("name", name);
		this.events.publishEvent(new AuditApplicationEvent(caller.name(), "ROWQUEUE_READ", data));
	}

	private void report(AdminCommand request, Caller caller, CommandResult result) {
		logger.info("{} by {}: {}", word(request.toString()), word(caller.toString()), word(result.message()));
		this.events
			.publishEvent(new AuditApplicationEvent(caller.name(), request.auditType(), data(request, caller, result)));
	}

	private CommandResult attempt(AdminCommand request, Caller caller) {
		try {
			request.check();
			return switch (request.kind()) {
				case "jobs" -> this.jobs.job(request);
				case "queues" -> LimitCommands.isMeant(request) ? this.limits.limit(LimitKind.QUEUE, request)
						: this.jobs.queue(request);
				case "types" -> LimitCommands.isMeant(request) ? this.limits.limit(LimitKind.TYPE, request)
						: this.jobs.type(request);
				case "keys" -> this.limits.limit(LimitKind.KEY, request);
				case "schedules" -> this.schedules.schedule(request);
				case "windows" -> this.schedules.window(request);
				case "flows" -> this.flows.flow(request);
				case "batches" -> this.flows.batch(request);
				case "workers" -> this.jobs.worker(request);
				case "operations" -> stop(request);
				case "errors" -> this.errors.group(request, caller.name());
				default -> throw InvalidCommandException.because("'" + request.kind()
						+ "' must be one of jobs, queues, types, keys, schedules, windows, flows, batches, workers, operations and errors");
			};
		}
		catch (InvalidCommandException ex) {
			return ex.result();
		}
		catch (DataAccessException ex) {
			return CommandResult.unavailable(ex);
		}
	}

	private CommandResult stop(AdminCommand request) {
		if (!request.action().equals("stop")) {
			throw InvalidCommandException.action(request, "an operation must be stop");
		}
		return this.operations.stop(request.id()) ? CommandResult.done("stopped")
				: CommandResult.conflict("there is no operation with this id, or it is not running");
	}

	/**
	 * Text from a request, of any length, cannot begin a line of the log, or change its
	 * direction.
	 */
	private static String word(String text) {
		return LogText.oneLine(text, LONGEST_TEXT);
	}

	private static Map<String, @Nullable Object> data(AdminCommand request, Caller caller, CommandResult result) {
		Map<String, @Nullable Object> data = caller.auditData();
		data.put("kind", word(request.kind()));
		data.put("name", word(request.name()));
		data.put("action", word(request.action()));
		data.put("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
		data.put("message", word(result.message()));
		request.parameters().forEach((parameter, value) -> data.put(parameter, word(value)));
		return data;
	}

}
