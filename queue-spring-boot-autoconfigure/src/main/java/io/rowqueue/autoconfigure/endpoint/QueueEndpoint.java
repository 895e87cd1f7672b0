package io.rowqueue.autoconfigure.endpoint;

import java.util.List;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.masking.TextMasker;
import io.rowqueue.autoconfigure.admin.AdminCommand;
import io.rowqueue.autoconfigure.admin.AdminCommands;
import io.rowqueue.autoconfigure.admin.Caller;
import io.rowqueue.autoconfigure.admin.CommandResult;
import io.rowqueue.autoconfigure.admin.SanitizingMasker;
import io.rowqueue.autoconfigure.endpoint.Reports.Overview;
import io.rowqueue.shard.Shards;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint of the queue: {@code rowqueue} shows an overview,
 * {@code rowqueue/jobs?state=failed} lists jobs, {@code rowqueue/jobs/42} one job and why
 * it is in its state. A write to {@code rowqueue/jobs/42}, {@code rowqueue/queues/mail},
 * {@code rowqueue/types/welcome-mail}, {@code rowqueue/schedules/nightly-report},
 * {@code rowqueue/flows/7} or {@code rowqueue/batches/7} pauses, resumes, retries,
 * cancels or triggers it, if {@code management.endpoint.rowqueue.access} is
 * {@code unrestricted}.
 */
@Endpoint(id = "rowqueue", defaultAccess = Access.READ_ONLY)
class QueueEndpoint {

	/** What it can change. */
	static final List<String> ACTIONS = List.of("pause", "resume", "retry", "cancel", "trigger");

	private final QueueReader reader;

	private final AdminCommands commands;

	private final Sanitizer sanitizer;

	private final Show showPayloads;

	/** {@code null}: the queue has one database. */
	private final @Nullable Shards shards;

	QueueEndpoint(QueueReader reader, AdminCommands commands, Sanitizer sanitizer, Show showPayloads,
			@Nullable Shards shards) {
		this.shards = shards;
		this.sanitizer = sanitizer;
		this.reader = reader;
		this.commands = commands;
		this.showPayloads = showPayloads;
	}

	@ReadOperation
	Overview overview() {
		return overview(this.showPayloads.isShown(true), Caller.UNKNOWN);
	}

	/** Lists jobs, filtered by state, queue and type, or by a filter, or the shards. */
	@ReadOperation
	@Nullable Object list(@Selector String kind, @Nullable String state, @Nullable String queue, @Nullable String type,
			@Nullable String filter, @Nullable String cursor, @Nullable String shard) {
		return list(kind, new JobListRequest(state, queue, type, filter, cursor, shard),
				this.showPayloads.isShown(true), Caller.UNKNOWN);
	}

	@ReadOperation
	@Nullable Object job(@Selector String kind, @Selector String name) {
		return job(kind, name, this.showPayloads.isShown(true), Caller.UNKNOWN);
	}

	@WriteOperation
	CommandResult operate(@Selector String kind, @Selector String name, @Nullable String action,
			@Nullable String reason) {
		return operate(kind, name, action, reason, Caller.UNKNOWN);
	}

	Overview overview(boolean show, Caller caller) {
		Overview overview = this.reader.overview(new SanitizingMasker(this.sanitizer, show));
		if (show) {
			this.commands.wasShown("overview", "", caller);
		}
		return overview;
	}

	@Nullable Object list(String kind, JobListRequest request, boolean show, Caller caller) {
		if (kind.equals("shards") && this.shards != null) {
			return this.shards.list();
		}
		if (!kind.equals("jobs")) {
			return null;
		}
		JobPage page = this.reader.jobs(searchOf(request.shard()), request, show,
				new SanitizingMasker(this.sanitizer, show));
		if (show) {
			this.commands.wasShown(kind, "", caller);
		}
		return page;
	}

	/** Returns the search for jobs of a shard; {@code null}: of the home shard. */
	private @Nullable JobSearch searchOf(@Nullable String shard) {
		if (shard == null) {
			return null;
		}
		if (this.shards == null) {
			throw InvalidRequest.because("this queue has one database and no shards");
		}
		return this.shards.search(shard);
	}

	@Nullable Object job(String kind, String name, boolean show, Caller caller) {
		TextMasker masker = new SanitizingMasker(this.sanitizer, show);
		Object found = switch (kind) {
			case "jobs" -> this.reader.job(id(name), show, masker);
			case "flows" -> this.reader.flow(id(name), masker);
			case "batches" -> this.reader.batch(id(name), masker);
			case "schedules" -> this.reader.schedule(name, masker);
			case "operations" -> this.reader.operation(id(name), masker);
			default -> null;
		};
		if (found != null && show) {
			this.commands.wasShown(kind, name, caller);
		}
		return found;
	}

	/** Other actions are those of the dashboard, the command line and the API. */
	CommandResult operate(String kind, String name, @Nullable String action, @Nullable String reason, Caller caller) {
		AdminCommand command = AdminCommand.of(kind, name, action).with("reason", reason);
		return ACTIONS.contains(command.action()) ? this.commands.operate(command, caller)
				: this.commands.refuse(command, "the action must be " + String.join(", ", ACTIONS), caller);
	}

	private static long id(String name) {
		try {
			return Long.parseLong(name);
		}
		catch (NumberFormatException ex) {
			throw InvalidRequest.because("the id must be a number", ex);
		}
	}

}
