package io.rowqueue.autoconfigure.endpoint;

import java.util.List;

import io.rowqueue.admin.JobPage;
import io.rowqueue.autoconfigure.admin.AdminCommand;
import io.rowqueue.autoconfigure.admin.AdminCommands;
import io.rowqueue.autoconfigure.admin.Caller;
import io.rowqueue.autoconfigure.admin.CommandResult;
import io.rowqueue.autoconfigure.admin.SanitizingMasker;
import io.rowqueue.autoconfigure.endpoint.Reports.Overview;
import io.rowqueue.masking.TextMasker;
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
 * {@code unrestricted}. The parameter {@code shard} names a shard; by default, all this
 * is that of the home shard.
 */
@Endpoint(id = "rowqueue", defaultAccess = Access.READ_ONLY)
class QueueEndpoint {

	/** What it can change. */
	static final List<String> ACTIONS = List.of("pause", "resume", "retry", "cancel", "trigger");

	private final EndpointShards shards;

	private final Sanitizer sanitizer;

	private final Show showPayloads;

	QueueEndpoint(EndpointShards shards, Sanitizer sanitizer, Show showPayloads) {
		this.shards = shards;
		this.sanitizer = sanitizer;
		this.showPayloads = showPayloads;
	}

	@ReadOperation
	Overview overview(@Nullable String shard) {
		return overview(shard, this.showPayloads.isShown(true), Caller.UNKNOWN);
	}

	/** Lists jobs, filtered by state, queue and type, or by a filter, or the shards. */
	@ReadOperation
	@Nullable Object list(@Selector String kind, @Nullable String state, @Nullable String queue, @Nullable String type,
			@Nullable String filter, @Nullable String cursor, @Nullable String shard) {
		return list(shard, kind, new JobListRequest(state, queue, type, filter, cursor),
				this.showPayloads.isShown(true), Caller.UNKNOWN);
	}

	@ReadOperation
	@Nullable Object job(@Selector String kind, @Selector String name, @Nullable String shard) {
		return job(shard, kind, name, this.showPayloads.isShown(true), Caller.UNKNOWN);
	}

	@WriteOperation
	CommandResult operate(@Selector String kind, @Selector String name, @Nullable String action,
			@Nullable String reason, @Nullable String shard) {
		return operate(shard, kind, name, action, reason, Caller.UNKNOWN);
	}

	Overview overview(@Nullable String shard, boolean show, Caller caller) {
		Overview overview = this.shards.reader(shard).overview(new SanitizingMasker(this.sanitizer, show));
		if (show) {
			this.shards.commands(shard).wasShown("overview", "", caller);
		}
		return overview;
	}

	@Nullable Object list(@Nullable String shard, String kind, JobListRequest request, boolean show, Caller caller) {
		if (kind.equals("shards")) {
			return this.shards.list();
		}
		if (!kind.equals("jobs")) {
			return null;
		}
		JobPage page = this.shards.reader(shard).jobs(request, show, new SanitizingMasker(this.sanitizer, show));
		if (show) {
			this.shards.commands(shard).wasShown(kind, "", caller);
		}
		return page;
	}

	@Nullable Object job(@Nullable String shard, String kind, String name, boolean show, Caller caller) {
		TextMasker masker = new SanitizingMasker(this.sanitizer, show);
		QueueReader reader = this.shards.reader(shard);
		Object found = switch (kind) {
			case "jobs" -> reader.job(id(name), show, masker);
			case "flows" -> reader.flow(id(name), masker);
			case "batches" -> reader.batch(id(name), masker);
			case "schedules" -> reader.schedule(name, masker);
			case "operations" -> reader.operation(id(name), masker);
			default -> null;
		};
		if (found != null && show) {
			this.shards.commands(shard).wasShown(kind, name, caller);
		}
		return found;
	}

	/** Other actions are those of the dashboard, the command line and the API. */
	CommandResult operate(@Nullable String shard, String kind, String name, @Nullable String action,
			@Nullable String reason, Caller caller) {
		AdminCommand command = AdminCommand.of(kind, name, action).with("reason", reason);
		AdminCommands commands = this.shards.commands(shard);
		return ACTIONS.contains(command.action()) ? commands.operate(command, caller)
				: commands.refuse(command, "the action must be " + String.join(", ", ACTIONS), caller);
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
