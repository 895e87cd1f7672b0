package io.rowqueue.autoconfigure.admin;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.figures.ErrorGroup;
import io.rowqueue.engine.figures.ErrorGroupStore;
import org.jspecify.annotations.Nullable;

/** What is done to a group of errors. */
final class ErrorCommands {

	/** Further jobs need another call. */
	static final int MAX_RETRIED = 1000;

	private final ErrorGroupStore errors;

	private final JobAdmin jobs;

	ErrorCommands(ErrorGroupStore errors, JobAdmin jobs) {
		this.errors = errors;
		this.jobs = jobs;
	}

	CommandResult group(AdminCommand request, String who) {
		long id = ErrorGroup.id(request.name());
		return switch (request.action()) {
			case "resolve" -> set(id, "resolved", who, request.reason());
			case "ignore" -> set(id, "ignored", who, request.reason());
			case "reopen" -> set(id, "open", who, request.reason());
			case "note" -> this.errors.setNote(id, request.reason()) ? CommandResult.done("noted") : missing();
			case "retry" -> this.errors.find(id).isPresent() ? retry(id) : missing();
			default ->
				throw InvalidCommandException.because("errors are retried, resolved, ignored, reopened or noted");
		};
	}

	private CommandResult set(long id, String status, String who, @Nullable String note) {
		return this.errors.setStatus(id, status, who, note) ? CommandResult.done("is " + status) : missing();
	}

	/** A job that another user has retried meanwhile is left out. */
	private CommandResult retry(long id) {
		int retried = 0;
		for (long job : this.errors.failedJobs(id, MAX_RETRIED)) {
			retried += this.jobs.retry(job).runsAgain() ? 1 : 0;
		}
		return CommandResult.done(retried, "jobs run again");
	}

	private static CommandResult missing() {
		return CommandResult.notFound("there is no such error, or it is no longer kept");
	}

}
