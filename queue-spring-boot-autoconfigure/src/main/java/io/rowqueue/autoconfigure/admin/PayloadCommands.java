package io.rowqueue.autoconfigure.admin;

import java.util.function.Supplier;

import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Changes and enqueues jobs with payloads that people wrote. What is recorded of a
 * payload is its length: whoever has a hash can guess a short payload, or one of a known
 * form.
 */
public final class PayloadCommands {

	private final JobEditor editor;

	private final AdminCommands commands;

	/**
	 * Creates the commands.
	 * @param editor changes and enqueues jobs
	 * @param commands records each command
	 */
	public PayloadCommands(JobEditor editor, AdminCommands commands) {
		this.editor = editor;
		this.commands = commands;
	}

	/** Replaces the payload of a waiting job. */
	public CommandResult edit(long id, String payload, @Nullable String revision, @Nullable String reason,
			Caller caller) {
		return perform(onJob(id, "edit", payload, reason), caller,
				() -> switch (this.editor.edit(id, payload, revision)) {
					case EDITED -> CommandResult.done("its payload was replaced");
					case CHANGED -> CommandResult.changed();
					case NOT_WAITING -> CommandResult.conflict("there is no such job, or it does not wait");
				});
	}

	/** Enqueues a job like another one. */
	public CommandResult replay(long id, @Nullable String payload, @Nullable String reason, Caller caller) {
		return perform(onJob(id, "replay", payload, reason), caller,
				() -> this.editor.replay(id, payload)
					.map(CommandResult::enqueued)
					.orElseGet(() -> CommandResult.notFound("there is no such job, or it is no longer kept")));
	}

	/** Enqueues a job. */
	public CommandResult enqueue(WrittenJob job, @Nullable String reason, Caller caller) {
		return perform(request("types", job.type(), "enqueue", job.payload(), reason), caller,
				() -> CommandResult.enqueued(this.editor.enqueue(job), this.commands.hint(LimitKind.TYPE, job.type())));
	}

	/** Sends a signal to a job. */
	public CommandResult signal(long id, String name, @Nullable String payload, @Nullable String reason,
			Caller caller) {
		return perform(onJob(id, "signal", payload, reason).with("signal", name), caller,
				() -> switch (this.editor.signal(id, name, payload)) {
					case STORED -> CommandResult.done("the signal was sent");
					case ALREADY_SENT -> CommandResult.of(false, "", "this signal was sent before");
					case TOO_LATE -> CommandResult.conflict("the job has continued without this signal");
					case NO_SUCH_JOB -> CommandResult.notFound("there is no such job, or it has finished");
				});
	}

	private static AdminCommand onJob(long id, String action, @Nullable String payload, @Nullable String reason) {
		return request("jobs", String.valueOf(id), action, payload, reason);
	}

	private static AdminCommand request(String kind, String name, String action, @Nullable String payload,
			@Nullable String reason) {
		return AdminCommand.of(kind, name, action)
			.with("reason", reason)
			.with("payload", (payload != null) ? payload.length() + " characters" : null);
	}

	private CommandResult perform(AdminCommand request, Caller caller, Supplier<CommandResult> work) {
		try {
			request.reason(); // rejects one that is too long
		}
		catch (InvalidCommandException ex) {
			return ex.result();
		}
		return this.commands.perform(request, caller, () -> attempt(work));
	}

	private static CommandResult attempt(Supplier<CommandResult> work) {
		try {
			return work.get();
		}
		catch (IllegalArgumentException ex) {
			return CommandResult.invalid(String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException ex) {
			return CommandResult.unavailable(ex);
		}
	}

}
